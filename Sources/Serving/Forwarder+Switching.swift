import Endpoint
import Plan
package import Quantity
import SimulationKernel
import Systems

/// Application of decisions to the forwarded layers.
extension Forwarder {
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
      if current.encoding >= 0 { stopForwarding(first + Int(current.encoding), to: viewer) }
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
      stopForwarding(first + Int(current.encoding), to: viewer)
      startForwarding(first + Int(layer.encoding), to: viewer)
      tracks[track].current = layer
      if rules.fallback != nil { switching.fallenBackAt[track] = LastTime(now) }
      return first + Int(awaited)
    }
    tracks[track].current.temporal = temporalLayerWhileWaiting(track, of: source, stops: stops)
    return first + Int(awaited)
  }

  /// Makes a track wait for an encoding's key frame; -1 for none.
  package mutating func wait(for encoding: Int8, _ track: Int, of source: Int) {
    if tracks[track].isWaiting {
      ingress[streams.stream(of: Int(tracks[track].awaited), in: source)].waiting -= 1
    }
    if encoding >= 0 { ingress[streams.stream(of: Int(encoding), in: source)].waiting += 1 }
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
      return ingress[streams.sources[source].encodings.lowerBound + Int(current.encoding)].topTemporal
    }
  }

  // MARK: Key frames

  /// Handles the start of an encoding's key frame, at which every viewer whose rule allows it switches.
  ///
  /// - Returns: `true` if a viewer switched.
  mutating func noteKeyFrame(
    of number: Int, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) -> Bool {
    ingress[number].requests.isPending = false
    guard ingress[number].waiting > 0 || rules.switchesUnasked, completeSwitches(to: number, at: kernel.now)
    else { return false }
    guard case .groups(let length) = rules.switching else { return true }
    // The target's own key frame usually belongs to the group; it is requested if it has not arrived with the group.
    for encoding in streams.sources[Int(ingress[number].source)].encodings where ingress[encoding].waiting > 0
    {
      checkKeyFrame(of: encoding, after: length, kernel: &kernel)
    }
    return true
  }

  private mutating func completeSwitches(to number: Int, at now: SimTime) -> Bool {
    let source = Int(ingress[number].source)
    let first = streams.sources[source].encodings.lowerBound
    let index = ingress[number].index
    var hasSwitched = false
    for viewer in 0..<streams.participantCount {
      let track = streams.track(viewer: viewer, source: source)
      guard takesKeyFrame(track, of: index, at: now) else { continue }
      hasSwitched = true
      let previous = Int(tracks[track].current.encoding)
      if previous >= 0 { stopForwarding(first + previous, to: viewer) }
      startForwarding(number, to: viewer)
      if tracks[track].beganAt == nil { tracks[track].beganAt = now }
      tracks[track].firstSequence = tracks[track].sequence
      tracks[track].current = CompactLayer(
        encoding: index, temporal: tracks[track].target.temporal, thinning: tracks[track].target.thinning)
      if tracks[track].awaited == index {
        wait(for: -1, track, of: source)
      } else if rules.hasKeyFrameGroups, index != tracks[track].target.encoding {
        wait(for: tracks[track].target.encoding, track, of: source)
        tracks[track].current.temporal = temporalLayerWhileWaiting(track, of: source, stops: false)
      }
      if meter.isOn { switched.append(track) }
    }
    return hasSwitched
  }

  /// Returns the tracks that have changed to another encoding since the last call.
  package mutating func takeSwitched() -> [Int] {
    defer { switched.removeAll(keepingCapacity: true) }
    return switched
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
      switching.keyFrameGroups[track].isOlder(than: length, at: now)
    else { return false }
    switching.keyFrameGroups[track] = LastTime(now)
    return true
  }
}
