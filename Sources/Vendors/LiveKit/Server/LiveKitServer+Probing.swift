import CongestionControl
import Quantity
import Systems

/// Probes: repeated packets on top of the media, while tracks are deficient.
extension LiveKitServer {
  /// Starts a probe, if one is allowed, for the next layer of the track that is furthest from its subscribed layer.
  mutating func beginProbe(at now: SimTime) {
    guard probe == nil, sender?.mayProbe ?? detector.allowsProbe(at: now) else { return }
    let tracks = tracks
    guard let step = neediestFirst().compactMap({ tracks[$0].nextStep }).first else { return }
    let extra = max(
      Int64(Double(step) * parameters.probing.overage), parameters.probing.least.bitsPerSecond)
    let usage = usage
    let duration = sender?.probeDuration ?? detector.probeDuration
    let cluster = ServerProbe(
      usage: BitRate(bitsPerSecond: usage), desired: BitRate(bitsPerSecond: usage + extra),
      duration: duration, bursts: parameters.probing.bursts, sentBytes: sentBytes, at: now)
    probe = (cluster, true)
    burstAt = now
    if sender == nil { detector.begin(cluster) } else { sender?.beginProbe() }
    events.append(SystemEvent(name: "probe", detail: "begins: \(cluster.desired) for \(duration)"))
  }

  /// Ends the bursts of a probe; its estimates are still awaited.
  mutating func stopProbe(at now: SimTime) {
    guard probe?.isSending == true else { return }
    probe?.isSending = false
    burstAt = nil
    if sender == nil { detector.endCluster(at: now) } else { sender?.commands.append(.endProbe) }
  }

  mutating func takeBurst(at now: SimTime) -> Int {
    guard let cluster = probe?.cluster, probe?.isSending == true else {
      burstAt = nil
      return 0
    }
    guard !cluster.isComplete(sentBytes: sentBytes, at: now) else {
      stopProbe(at: now)
      return 0
    }
    burstAt = now + parameters.probing.bursts.interval
    return probe?.cluster.takeBurst(at: now) ?? 0
  }

  package mutating func noteProbe(bytes: Int) { probe?.cluster.note(bytes: bytes) }
}

extension ServerTrack {
  /// Additional rate of the next layer above the target [bit/s]; `nil` for a track that is still waiting for its target
  /// or has no such layer.
  fileprivate var nextStep: Int64? {
    guard isDeficient, let maximum, target == nil || target == current else { return nil }
    let has = rate(target)
    let above = layersAbove(target, upTo: maximum)
    return above.lazy.map { rate($0) }.first { $0 >= has }.map { $0 - has }
  }
}
