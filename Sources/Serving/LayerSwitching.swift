import Endpoint
package import Ladder
package import Plan
package import Quantity
package import SimulationKernel
package import Systems

/// The layers forwarded to the viewers: the decisions on tracks, and the switches that carry them out at key frames.
package struct LayerSwitching: ~Copyable {
  let streams: StreamNumbering
  let rules: ForwardingRules
  /// Mode and codec of each source with several spatial layers; `nil` for any other.
  let scalable: [(mode: ScalabilityMode, codec: VideoCodec)?]
  /// Highest temporal layer, by encoding.
  private let topTemporal: [Int8]
  /// Forwarded tracks.
  package internal(set) var tracks: Table<ForwardedTrack>
  /// Viewers that each encoding is forwarded to.
  package internal(set) var viewers: EncodingViewers
  /// Number of tracks that wait for a key frame of each encoding.
  private(set) var waiting: Table<Int32>
  /// Time at which each track's last key frame group began, where key frames come in groups.
  private var keyFrameGroups: Table<LastTime>
  /// Time at which each track last fell back to a lower encoding, where it can.
  var fallenBackAt: Table<LastTime>
  /// Number of tracks of each source on a replacement encoding, where encodings are replaced.
  var substitutes: [Int]
  /// Filters of tracks of scalable sources; `nil` in a meeting without them.
  let filters: (any LayerFilters)?
  /// Tracks that have switched encodings since last taken, where the SFU measures.
  private var switched: [Int] = []

  /// - Parameters:
  ///   - scalable: mode and codec of each source with several spatial layers; `nil` for any other.
  ///   - topTemporal: highest temporal layer of each encoding.
  package init(
    _ rules: ForwardingRules, _ streams: StreamNumbering,
    scalable: [(mode: ScalabilityMode, codec: VideoCodec)?], topTemporal: [Int8]
  ) {
    self.streams = streams
    self.rules = rules
    self.scalable = scalable
    self.topTemporal = topTemporal
    let count = streams.trackCount
    tracks = Table(repeating: ForwardedTrack(), count: count)
    viewers = EncodingViewers(encodings: streams.encodings.count, participants: streams.participantCount)
    waiting = Table(repeating: 0, count: streams.encodings.count)
    keyFrameGroups = Table(repeating: .never, count: rules.hasKeyFrameGroups ? count : 0)
    fallenBackAt = Table(repeating: .never, count: rules.fallback != nil ? count : 0)
    substitutes = streams.sources.map { _ in 0 }
    filters = streams.hasScalableSources ? rules.layerFilter?.filters(tracks: count) : nil
  }

  /// Sets a viewer's target layer of a source. Temporal layers change immediately; a different encoding, or a different
  /// selection of base-layer frames, begins with the next key frame, and until then the old one continues.
  ///
  /// - Parameters:
  ///   - encoding: encoding whose key frame is requested; `nil` for the layer's own.
  ///   - stops: `true` if nothing is forwarded while waiting for a lower encoding.
  /// - Returns: an encoding whose key frame is needed now; `nil` for none.
  package mutating func retarget(
    viewer: Int, source: Int, to layer: CompactLayer, asking encoding: Int? = nil, stops: Bool = false,
    at now: SimTime
  ) -> Int? {
    let track = streams.track(viewer: viewer, source: source)
    if streams.sources[source].isScalable {
      return retargetLayers(track, of: source, viewer: viewer, to: layer)
    }
    tracks[track].isShort = stops
    let request = encoding.map { Int8($0) } ?? layer.encoding
    guard layer != tracks[track].target || request != tracks[track].request else { return nil }
    let first = streams.sources[source].encodings.lowerBound
    wait(for: -1, track, of: source)
    tracks[track].target = layer
    tracks[track].request = request
    if request <= tracks[track].substitute { setSubstitute(-1, of: track, source) }
    let current = tracks[track].current
    if layer == .none {
      if current.encoding >= 0 { viewers.stop(first + Int(current.encoding), to: viewer) }
      tracks[track].current = .none
      return nil
    }
    let awaited = tracks[track].substitute >= 0 ? tracks[track].substitute : request
    guard awaited != current.encoding || layer.thinning != current.thinning else {
      tracks[track].current.temporal = layer.temporal
      return nil
    }
    wait(for: awaited, track, of: source)
    if rules.whileWaiting == .target, current.encoding > layer.encoding {
      viewers.stop(first + Int(current.encoding), to: viewer)
      viewers.start(first + Int(layer.encoding), to: viewer)
      tracks[track].current = layer
      if rules.fallback != nil { fallenBackAt[track] = LastTime(now) }
      return first + Int(awaited)
    }
    tracks[track].current.temporal = temporalLayerWhileWaiting(track, of: source, stops: stops)
    return first + Int(awaited)
  }

  /// Makes a track wait for an encoding's key frame; -1 for none.
  package mutating func wait(for encoding: Int8, _ track: Int, of source: Int) {
    if tracks[track].isWaiting {
      waiting[streams.stream(of: Int(tracks[track].awaited), in: source)] -= 1
    }
    if encoding >= 0 { waiting[streams.stream(of: Int(encoding), in: source)] += 1 }
    tracks[track].awaited = encoding
  }

  private func temporalLayerWhileWaiting(_ track: Int, of source: Int, stops: Bool) -> Int8 {
    let current = tracks[track].current
    let aim = tracks[track].aim
    if current.encoding == aim { return min(current.temporal, tracks[track].target.temporal) }
    guard current.encoding >= 0 else { return CompactLayer.none.temporal }
    if current.encoding > aim {
      if stops { return CompactLayer.none.temporal }
      if rules.whileWaiting == .baseLayer { return 0 }
    }
    switch rules.switching {
    case .target: return current.temporal
    case .stepwise, .stepwiseFromAny: return tracks[track].target.temporal
    case .groups:
      return topTemporal[streams.sources[source].encodings.lowerBound + Int(current.encoding)]
    }
  }

  /// Returns the encodings of a source that are forwarded or awaited.
  package func usedEncodings(of source: Int) -> EncodingSet {
    var used: EncodingSet = []
    for encoding in streams.sources[source].encodings
    where viewers.count(of: encoding) > 0 || waiting[encoding] > 0 {
      used.insert(EncodingSet(streams.encodings[encoding].index))
    }
    return used
  }

  /// Returns the number of video streams being forwarded to a viewer.
  package func streamCount(to viewer: Int) -> Int {
    let first = streams.track(viewer: viewer, source: 0)
    return streams.sources.indices.count { tracks[first + $0].current.encoding >= 0 }
  }

  /// Returns the tracks that have changed to another encoding since the last call.
  package mutating func takeSwitched() -> [Int] {
    defer { switched.removeAll(keepingCapacity: true) }
    return switched
  }

  // MARK: Key frames

  /// Switches every viewer whose rule allows it at the start of an encoding's key frame.
  ///
  /// - Returns: `true` if a viewer switched.
  package mutating func switchAtKeyFrame(of number: Int, at now: SimTime) -> Bool {
    guard waiting[number] > 0 || rules.switchesUnasked else { return false }
    let source = streams.encodings[number].source
    let first = streams.sources[source].encodings.lowerBound
    let index = Int8(streams.encodings[number].index)
    var hasSwitched = false
    for viewer in 0..<streams.participantCount {
      let track = streams.track(viewer: viewer, source: source)
      guard takesKeyFrame(track, of: index, at: now) else { continue }
      hasSwitched = true
      let previous = Int(tracks[track].current.encoding)
      if previous >= 0 { viewers.stop(first + previous, to: viewer) }
      viewers.start(number, to: viewer)
      tracks[track].current = CompactLayer(
        encoding: index, temporal: tracks[track].target.temporal, thinning: tracks[track].target.thinning)
      if tracks[track].awaited == index {
        wait(for: -1, track, of: source)
      } else if rules.hasKeyFrameGroups, index != tracks[track].target.encoding {
        wait(for: tracks[track].target.encoding, track, of: source)
        tracks[track].current.temporal = temporalLayerWhileWaiting(track, of: source, stops: false)
      }
      noteSwitch(track, at: now)
    }
    return hasSwitched
  }

  /// Checks whether a track switches to an encoding at its key frame.
  private mutating func takesKeyFrame(_ track: Int, of encoding: Int8, at now: SimTime) -> Bool {
    let current = tracks[track].current.encoding
    let aim = tracks[track].aim
    guard aim >= 0 else { return false }
    // A requested key frame is used even if a higher encoding became available before it arrived.
    let isAwaited = tracks[track].awaited == encoding
    guard encoding != current || isAwaited else {
      _ = isFirstOfGroup(track, at: now)
      return false
    }
    switch rules.switching {
    case .target: return isAwaited && aim == encoding
    case .stepwiseFromAny where current < 0: return true
    case .stepwise, .stepwiseFromAny:
      return isAwaited
        || (aim > current ? encoding > current && encoding <= aim : encoding < current && encoding >= aim)
    case .groups:
      let isFirst = isFirstOfGroup(track, at: now)
      return encoding <= aim && (isFirst || encoding > current || aim < current)
    }
  }

  /// Checks whether a key frame begins a group for a track, where key frames come in groups.
  private mutating func isFirstOfGroup(_ track: Int, at now: SimTime) -> Bool {
    guard case .groups(let length) = rules.switching,
      keyFrameGroups[track].isOlder(than: length, at: now)
    else { return false }
    keyFrameGroups[track] = LastTime(now)
    return true
  }

  /// Begins a track's new encoding with its next packet.
  mutating func noteSwitch(_ track: Int, at now: SimTime) {
    if tracks[track].beganAt == nil { tracks[track].beganAt = now }
    tracks[track].firstSequence = tracks[track].sequence
    if rules.measuresLayers { switched.append(track) }
  }
}
