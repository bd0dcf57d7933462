import Media
import Quantity
import Systems
import Vendors

/// Cells that fall short because real systems do as well.
package enum KnownShortfall {
  /// The reasons, as printed below the table.
  static let reasons = [
    """
    filled-1: the oracle's layers take more than 0.85 of the link, and the next lower ones less than the bound. To 0.85
      of what arrives Google Congestion Control goes down with each overuse (libwebrtc aimd_rate_control.cc); for want
      of finer layers Google Meet fills 39 to 70 % of downlinks below 0.8 Mbit/s (MacMillan et al., IMC 2021, 3.1).
    """,
    """
    filled-8: the same beyond 0.67 of the link. With four and with eight tiles a real server fills 0.67 to 0.94 of a
      narrow link (recordings of LiveKit 1.13.5 with Chromium 156). Signal's server fills 0.9 of that: it goes by the lowest
      target of the last 2.5 to 5 s (call.rs), others by the present one.
    """,
    """
    pictures: more pictures than the oracle shows, which has none in a twentieth of the seconds, in fewer bits. It has no
      pacer and no measured round trip: the link of a viewer who begins with more than it carries stays full for longer.
    """,
    """
    fallback: the high stream needs more than 0.85 of the link, to which an overuse takes the estimate, for the time that
      the client waits before it leaves the low one: 1.1 of the need for 500 ms (AgoraFallback; Agora publishes neither).
    """,
    """
    only layer: the source's only encoding takes more than 0.7 of the link. While the estimate stays below 0.95 of that for
      5 s nothing is shown; with nothing lower to offer mediasoup pauses the stream as well (SimulcastConsumer.cpp).
    """,
    """
    overfull: everybody's lowest layer takes more than the link carries, and nobody's is given up, by Agora's client without
      a fallback to audio (AgoraFallback), by LiveKit's server without allow_pause, its default (config.go). So the queue
      stays full in both runs, and chance decides which packets arrive.
    """,
    """
    unchanged: where nothing fits a stream stays at its last layer, at the wanted one before any, and nobody is paused: the
      queue stays full, often with the oracle too (janus-unchanged: Janus' branch bwe-tests,
      janus_videoroom_estimated_bandwidth).
    """,
    """
    knapsack: the greatest total leaves those out by whom it gains least, often with the oracle too, until it changes by
      more than the threshold for upgrades (gso-knapsack: Lin et al., SIGCOMM 2022, section 4; the threshold is our model).
    """,
    """
    congested: everything is sent until the link is found congested, and nothing of a tile while a lower encoding's key
      frame is awaited, with the oracle too (forwarder.go; up to 6 s in recordings of four tiles at 500 kbps).
    """,
    """
    stays congested: while it finds the link congested the server lowers its capacity only when the share that is carried
      falls further and less is carried than it believed, and during a probe not at all. So a full link may lose the same
      share of everything, repairs and key frames too, until chance lets the congestion pass (LiveKit's sendsidebwe and
      streamallocator.go, handleSignalCongestionStateChange). Pictures are missing in such times, and for no longer than the
      bound in others.
    """,
    """
    slow probes: two thirds of a low estimate are delivered, as layers lie apart, and nobody is black for longer than
      the bound. Once the server has found the link congested, in every run, the receiver's estimate rises only while a
      probe lasts and for a second and a round trip after it, by 8 % a second at most, and stands still between the
      probes, of which there is one every 3 s or more: from 150 kbps, to which a full queue takes it, a minute to 1
      Mbit/s (remote_bitrate_estimator_abs_send_time.cc, probe_regulator.go). Holds of each run that delivers too
      little.
    """,
    """
    held: an overuse takes the estimate to 0.85 of what arrives, below the layer that arrives, and on a link that loses 2 %
      the estimate stands still for seconds afterwards (loss_based_bwe_v2.cc). Two thirds of what the voices leave of it
      are delivered.
    """,
    """
    uncounted: the server charges a viewer for the spatial layer that it selects, and sends those below it as well, so that
      the queue stays full even under the oracle, whose estimate is never too high, and is full again and again in the
      system's own runs (Janus' rtp.c; mediasoup's AV1.cpp, which lacks what VP9.cpp has had since pull request 778, beside
      SvcConsumer.cpp, which charges layers of _KEY modes alone, 1036 and 1535).
    """,
    """
    slow return: in a gap everybody's lowest layers do not fit the estimate; a picture that is missing was given nothing for
      want of bandwidth by an estimate below 0.85 of the link; of such an estimate two thirds of what the voices leave are
      delivered, in the seconds in which that carries one lowest layer. Each report of more than 10 % lost takes half of
      that share from the estimator of 2019, as where the whole upper layer is sent until the key picture on the way down
      (VP9.cpp); from 2 % on it stands still, as on links that lose 2 %. It rises by 5 to 8 % a second otherwise, and while
      nothing is sent by probes alone (send_side_bandwidth_estimation.cc, aimd_rate_control.cc).
    """,
    """
    requests: the bridge asks for three key frames of a source for one receiver in 10 s at most (reference.conf,
      keyframe.max-requests), and each change of spatial layer in a _KEY mode takes one, up and down.
    """,
    """
    repairs: pictures are missing while more than a tenth is lost, and for up to the 10 s afterwards in which no key frame
      may be asked for. The bridge gives away the whole estimate, which losses never take below what arrives, and sends
      voices beside it and whatever is asked for again, so that a full link stays full of repairs (NackHandler.kt,
      LossBasedBweV2.kt, BandwidthAllocator.kt; no recording shows for how long).
    """,
    """
    total: where not all frames of everybody's lowest encoding fit, the greatest total has some at 15 frames a second rather
      than everybody at 7.5 (BestRule, by the yardstick's scores).
    """,
    """
    key frames: where not all lowest layers fit, the rate of one that begins has its key frame in it for as long as it is
      measured, no longer fits for that, and gives way to another: half of those that begin or more (BestRule, which is no
      vendor's).
    """,
  ]

  /// Returns the share of a narrow link that real systems fill at least.
  static func filledShare(of cell: LivenessCell) -> Double {
    let share = cell.people > 2 ? 0.67 : 0.85
    return cell.system == .signal ? 0.9 * share : share
  }

  /// Returns why a cell falls short; `nil` if it must not.
  package static func reason(for shortfall: LivenessResult.Shortfall, of result: LivenessResult) -> String? {
    if shortfall == .delivered, isWithinProbedEstimate(result) { return "slow probes" }
    if result.forwardsUncounted, result.oracleIsFull, result.fullShare >= LivenessResult.Bound.fullAtTimes {
      return "uncounted"
    }
    if shortfall == .delivered, result.oraclePictureShare < LivenessResult.Bound.pictureShare,
      result.pictureShare > result.oraclePictureShare + 0.01
    {
      return "pictures"
    }
    if shortfall == .delivered, result.cell.system == .agora, isWithinFallback(result) { return "fallback" }
    if [.agora, .livekit].contains(result.cell.system), result.isFull, result.oracleIsFull,
      result.cell.lowestLayers > Double(result.cell.capacity) * 1000
    {
      return "overfull"
    }
    if result.cell.hasOneEncoding, result.oracleDelivered > 700 * Double(result.cell.capacity) {
      return "only layer"
    }
    switch result.cell.system {
    case .janus where result.isFull: return "unchanged"
    case .gso where shortfall == .gap || shortfall == .picture && !result.lowestLayersFit: return "knapsack"
    case .livekit where shortfall == .gap && result.oracleLongestGap > LivenessResult.Bound.gap:
      return "congested"
    case .livekit
    where result.longestGap > LivenessResult.Bound.gap
      && result.longestUncongestedGap <= LivenessResult.Bound.gap
      && (shortfall == .gap || result.losesPicturesInCongestion):
      return "stays congested"
    case .jitsi where shortfall != .delivered && result.isWithinRequestWindow: return "requests"
    case .jitsi where shortfall == .delivered && result.cell.loss >= 2 && result.deliversLowEstimate:
      return "held"
    case .jitsi where areRepairs(shortfall, of: result): return "repairs"
    case .mediasoup where result.hasLost && isSlowReturn(shortfall, of: result): return "slow return"
    case .best where shortfall == .gap && !result.lowestEncodingsFit: return "total"
    default: break
    }
    if shortfall != .gap, !result.remaining.contains(shortfall) {
      return result.cell.people > 2 ? "filled-8" : "filled-1"
    }
    if shortfall != .gap, result.cell.system == .best, !result.lowestLayersFit,
      result.givesUpWhatBegins
    {
      return "key frames"
    }
    return nil
  }

  /// Returns why a wider link delivers less than a narrower one; `nil` if it must not. A server that does not count the
  /// layers below the selected one selects a higher one on the wider link, which together fit it less: so its link is
  /// full under the oracle, or the oracle's delivers less as well.
  package static func reasonForLess(at wider: LivenessResult, than narrower: LivenessResult) -> String? {
    guard wider.shortfalls.contains(.delivered) else { return nil }
    let alsoWithOracle = wider.forwardsUncounted && wider.oracleDelivered < narrower.oracleDelivered
    return alsoWithOracle || reason(for: .delivered, of: wider) == "uncounted" ? "uncounted" : nil
  }

  /// Indicates whether, in the runs that deliver too little, the server delivers what a receiver's estimate allows if
  /// that rises only during probes.
  private static func isWithinProbedEstimate(_ result: LivenessResult) -> Bool {
    let short = result.belowOracle
    return result.cell.system.estimator == "remb" && short.risesByProbes
      && short.longestGap <= LivenessResult.Bound.gap && short.estimate < short.oracleDelivered
      && short.delivered >= LivenessResult.Bound.deliveredOfEstimate * short.estimate
  }

  /// Indicates whether an estimate lowered by losses explains the shortfall.
  private static func isSlowReturn(_ shortfall: LivenessResult.Shortfall, of result: LivenessResult) -> Bool {
    switch shortfall {
    case .gap: result.longestCarriedGap <= LivenessResult.Bound.gap
    case .picture: result.withholdsPictures
    case .delivered: result.deliversLowEstimate
    }
  }

  /// Indicates whether a link that stays full of repairs explains the shortfall.
  private static func areRepairs(_ shortfall: LivenessResult.Shortfall, of result: LivenessResult) -> Bool {
    switch shortfall {
    case .gap: result.longestCalmGap <= LivenessResult.Bound.gap
    case .picture, .delivered: result.shortfalls.contains(.picture) && result.losesPicturesToLosses
    }
  }

  /// Indicates whether a client that has fallen back waits for an estimate that the link's sawtooth does not sustain.
  private static func isWithinFallback(_ result: LivenessResult) -> Bool {
    let parameters = AgoraParameters()
    let voices = OpusVoice.wireRate.bitsPerSecond * Int64(min(3, result.cell.people - 1))
    let sustained = 0.85 * Double(result.cell.capacity) * 1000 - Double(voices)
    return result.oracleDelivered * parameters.recoveryShare > sustained
  }
}
