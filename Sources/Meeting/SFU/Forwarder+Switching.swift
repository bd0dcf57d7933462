import SimulationKernel
import Systems

/// From decisions to what is forwarded.
extension Forwarder {
  /// Changes what a viewer is to get of a source. Temporal layers change at once; another encoding, or another choice of
  /// the base layer's frames, begins with the next key frame, and until then the old one continues.
  ///
  /// - Parameters:
  ///   - encoding: whose key frame is asked for; `nil` for the layer's own.
  ///   - stops: whether nothing is forwarded while a lower encoding is waited for.
  /// - Returns: an encoding whose key frame is needed now; `nil` for none.
  mutating func retarget(
    viewer: Int, source: Int, to layer: CompactLayer, asking encoding: Int? = nil, stops: Bool = false
  ) -> Int? {
    let track = streams.track(viewer: viewer, source: source)
    let request = encoding.map { Int8($0) } ?? layer.encoding
    guard layer != tracks[track].target || request != tracks[track].request else { return nil }
    let first = streams.sources[source].encodings.lowerBound
    if tracks[track].isWaiting {
      tracks[track].isWaiting = false
      ingress[first + Int(tracks[track].request)].waiting -= 1
    }
    tracks[track].target = layer
    tracks[track].request = request
    let current = tracks[track].current
    if layer == .none {
      if current.encoding >= 0 { stopForwarding(first + Int(current.encoding), to: viewer) }
      tracks[track].current = .none
      return nil
    }
    guard request != current.encoding || layer.thinning != current.thinning else {
      tracks[track].current.temporal = layer.temporal
      return nil
    }
    tracks[track].isWaiting = true
    ingress[first + Int(request)].waiting += 1
    if rules.whileWaiting == .target, current.encoding > layer.encoding {
      stopForwarding(first + Int(current.encoding), to: viewer)
      startForwarding(first + Int(layer.encoding), to: viewer)
      tracks[track].current = layer
      return first + Int(request)
    }
    tracks[track].current.temporal = temporalLayerWhileWaiting(track, stops: stops)
    return first + Int(request)
  }

  private func temporalLayerWhileWaiting(_ track: Int, stops: Bool) -> Int8 {
    let current = tracks[track].current
    let target = tracks[track].target
    let isOnWayDown = current.encoding > target.encoding
    if current.encoding == target.encoding { return min(current.temporal, target.temporal) }
    guard current.encoding >= 0 else { return CompactLayer.none.temporal }
    if stops && isOnWayDown { return CompactLayer.none.temporal }
    if isOnWayDown && rules.whileWaiting == .baseLayer { return 0 }
    return rules.switchesStepwise ? target.temporal : current.temporal
  }

  /// A key frame of an encoding begins: every viewer that waits for it switches.
  ///
  /// - Returns: whether one did.
  mutating func completeSwitches(to number: Int) -> Bool {
    let source = Int(ingress[number].source)
    let first = streams.sources[source].encodings.lowerBound
    var hasSwitched = false
    for viewer in 0..<streams.participantCount {
      let track = streams.track(viewer: viewer, source: source)
      guard switches(track, to: ingress[number].index) else { continue }
      hasSwitched = true
      if tracks[track].isWaiting, tracks[track].request == ingress[number].index {
        tracks[track].isWaiting = false
        ingress[number].waiting -= 1
      }
      let previous = Int(tracks[track].current.encoding)
      if previous >= 0 { stopForwarding(first + previous, to: viewer) }
      startForwarding(number, to: viewer)
      tracks[track].firstSequence = tracks[track].sequence
      tracks[track].current = CompactLayer(
        encoding: ingress[number].index, temporal: tracks[track].target.temporal,
        thinning: tracks[track].target.thinning)
      if meter.isOn { switched.append(track) }
    }
    return hasSwitched
  }

  /// Tracks that have changed to another encoding since the last call.
  mutating func takeSwitched() -> [Int] {
    defer { switched.removeAll(keepingCapacity: true) }
    return switched
  }

  private func switches(_ track: Int, to encoding: Int8) -> Bool {
    guard rules.switchesStepwise else {
      return tracks[track].isWaiting && tracks[track].target.encoding == encoding
    }
    let current = tracks[track].current.encoding
    let target = tracks[track].target.encoding
    // What is asked for is taken even if something higher was at hand before it came.
    if tracks[track].isWaiting, tracks[track].request == encoding { return true }
    guard target >= 0, encoding != current else { return false }
    return target > current
      ? encoding > current && encoding <= target : encoding < current && encoding >= target
  }
}
