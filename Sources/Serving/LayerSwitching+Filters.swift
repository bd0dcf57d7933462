import Endpoint
import Ladder
import Media
import Plan
import Quantity
import SimulationKernel
import Systems

/// Tracks of scalable streams, whose layers a filter selects frame by frame.
extension LayerSwitching {
  /// Decides, once per frame, whether it is forwarded on a track.
  ///
  /// - Returns: `true` if the track's spatial layer has changed.
  mutating func decide(on frame: LayerFrame, _ track: Int, of source: Int, at now: SimTime) -> Bool {
    let isAdmitted = filters?.admits(frame, of: track) ?? false
    tracks[track].open(frame, isAdmitted: isAdmitted)
    return followFilter(of: track, source, at: now)
  }

  /// Copies the layer that a track's filter forwards and whether the filter waits for a key picture.
  private mutating func followFilter(of track: Int, _ source: Int, at now: SimTime) -> Bool {
    guard let filters = filters else { return false }
    let before = tracks[track].current
    let current = filters.current(of: track)
    tracks[track].current =
      current.isNone ? .none : CompactLayer(encoding: current.spatial, temporal: current.temporal)
    let waits = filters.needsKeyPicture(of: track)
    if waits != tracks[track].isWaiting {
      wait(for: waits ? tracks[track].target.encoding : -1, track, of: source)
    }
    guard before.encoding != tracks[track].current.encoding else { return false }
    noteSwitch(track, at: now)
    return true
  }

  /// Sets a track's target in a scalable stream.
  ///
  /// - Returns: the stream that needs a key picture now; `nil` for none.
  mutating func retargetLayers(_ track: Int, of source: Int, viewer: Int, to layer: CompactLayer) -> Int? {
    let before = tracks[track].target
    guard layer != before, let filters = filters else { return nil }
    let stream = streams.sources[source].encodings.lowerBound
    tracks[track].target = layer
    tracks[track].request = layer.encoding
    if layer == .none {
      wait(for: -1, track, of: source)
      filters.retarget(track, to: .none)
      tracks[track].current = .none
      viewers.stop(stream, to: viewer)
      return nil
    }
    if before == .none, let mode = scalable[source] {
      filters.reset(track, mode: mode.mode, codec: mode.codec)
      viewers.start(stream, to: viewer)
    }
    filters.retarget(track, to: DecodeTarget(spatial: layer.encoding, temporal: layer.temporal))
    let waits = filters.needsKeyPicture(of: track)
    wait(for: waits ? layer.encoding : -1, track, of: source)
    return waits ? stream : nil
  }
}
