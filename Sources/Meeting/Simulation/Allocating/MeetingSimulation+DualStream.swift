import Allocation
import Ladder
import SimulationKernel

/// Agora's dual stream at its senders.
extension MeetingSimulation {
  /// Sets what a source sends by itself: the high stream always, the low one when it is on.
  mutating func refreshDualStream(of source: Int) {
    guard case .agora(let parameters) = plan.policy else { return }
    if sources[source].dualStream.mode != parameters.dualStream {
      sources[source].dualStream = DualStreamSender(parameters.dualStream)
    }
    let high: UInt32 = 1 << (sources[source].encodings - 1)
    sources[source].alwaysSent = high | (sources[source].dualStream.sendsLow ? 1 : 0)
  }

  func isSendingLow(_ source: Int) -> Bool { sources[source].dualStream.sendsLow }

  /// The layers that viewers may take. While the low stream is off that is the high one, or what the uplink leaves of
  /// it: our model lets the low encoding stand for a high stream that degrades below 60 % of its rate.
  func offers(of source: Int) -> [Layer] {
    guard sources[source].isCapturing else { return [] }
    return isSendingLow(source) ? sources[source].offers : Array(sources[source].offers.suffix(1))
  }

  /// The senders learn who asks for their low streams. Whoever sends something is a host, the rest is audience.
  ///
  /// - Returns: whether a low stream begins, so that there is more to choose from.
  mutating func askForLowStreams(_ wishes: [Wish], by viewer: Int, kernel: inout Kernel) -> Bool {
    guard case .agora = plan.policy else { return false }
    let isHost = plan.participants[viewer].publishesVideo || plan.participants[viewer].publishesAudio
    var begins = false
    for wish in wishes where wish.wantsLowStream {
      guard sources[wish.source].dualStream.receiverAsksForLow(isHost: isHost) else { continue }
      begins = true
      refreshDualStream(of: wish.source)
      refreshSending(source: wish.source)
    }
    // Others may have asked in vain.
    if begins { markViewersDirty(kernel: &kernel) }
    return begins
  }
}
