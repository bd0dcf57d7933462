import SimulationKernel

/// From decisions to what is forwarded.
extension Forwarder {
  /// Changes what a viewer is to get of a source. Temporal layers change at once; another encoding begins with its
  /// next key frame, and until then the old one continues.
  ///
  /// - Returns: an encoding whose key frame is needed now; `nil` for none.
  mutating func retarget(viewer: Int, source: Int, to layer: CompactLayer) -> Int? {
    let track = streams.track(viewer: viewer, source: source)
    let old = tracks[track].target
    guard layer != old else { return nil }
    let first = streams.sources[source].encodings.lowerBound
    if tracks[track].isWaiting {
      tracks[track].isWaiting = false
      ingress[first + Int(old.encoding)].waiting -= 1
    }
    tracks[track].target = layer
    let current = tracks[track].current
    if layer == .none {
      if current.encoding >= 0 { stopForwarding(first + Int(current.encoding), to: viewer) }
      tracks[track].current = .none
    } else if layer.encoding == current.encoding {
      tracks[track].current.temporal = layer.temporal
    } else {
      tracks[track].isWaiting = true
      ingress[first + Int(layer.encoding)].waiting += 1
      // Towards a lower encoding only the base layer continues, so that the downlink is relieved before the key frame.
      if current.encoding > layer.encoding { tracks[track].current.temporal = 0 }
      return first + Int(layer.encoding)
    }
    return nil
  }

  /// A key frame of an encoding begins: every viewer that waits for it switches.
  mutating func completeSwitches(to number: Int) {
    let source = Int(ingress[number].source)
    let first = streams.sources[source].encodings.lowerBound
    for viewer in 0..<streams.participantCount {
      let track = streams.track(viewer: viewer, source: source)
      guard tracks[track].isWaiting, tracks[track].target.encoding == ingress[number].index else { continue }
      tracks[track].isWaiting = false
      ingress[number].waiting -= 1
      let previous = Int(tracks[track].current.encoding)
      if previous >= 0 { stopForwarding(first + previous, to: viewer) }
      startForwarding(number, to: viewer)
      tracks[track].current = tracks[track].target
    }
  }
}
