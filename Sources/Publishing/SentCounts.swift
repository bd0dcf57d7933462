import Endpoint
import Ladder
import Media
package import Quantity
import SimulationKernel
import Systems

/// Counters of an encoding over the current interval (W3C webrtc-stats, `RTCOutboundRtpStreamStats`).
package struct SentCounts: BitwiseCopyable {
  package var frames: UInt32 = 0
  package var keyFrames: UInt32 = 0
  /// Number of the last frame's picture size.
  package var size: UInt16 = 0
  /// RTP headers and payload of new media that has left the pacer [byte].
  package var bytes: Int64 = 0
  /// Picture loss indications received.
  package var pictureLossIndications: UInt32 = 0
  /// NACK packets received.
  package var negativeAcknowledgements: UInt32 = 0
  /// Packets sent again.
  package var retransmitted: UInt32 = 0
}

/// State of the encodings as their sender sees it.
extension Publishers {
  /// Returns an encoding's counters since the last call.
  package mutating func takeCounts(of encoding: Int) -> SentCounts {
    defer { encoders[encoding].output.counts = SentCounts() }
    return encoders[encoding].output.counts
  }

  /// Checks whether the SFU requests an encoding, as far as the publisher knows, or would if no link were short.
  package func isRequested(_ encoding: Int) -> Bool {
    let source = encoders[encoding].source
    let demand = sources[source].sender.requested
    return demand.forwarded.subtracting(sources[source].unfilled).union(demand.desired)
      .contains(encoders[encoding].index)
  }

  /// Checks whether an encoding is switched on, whether or not the uplink carries it (W3C `active`).
  package func isActive(_ encoding: Int) -> Bool {
    let source = encoders[encoding].source
    return sources[source].capture.isOn && sources[source].demand.isWanted(encoders[encoding].index)
  }

  /// Checks whether only viewers' downlinks keep an encoding off: the uplink carries it, its app has not switched it
  /// off, and nobody asks for it.
  package func isWithheldByViewers(_ encoding: Int) -> Bool {
    let source = sources[encoders[encoding].source]
    let isUnsent = !source.demand.sent.union(source.sender.off).contains(encoders[encoding].index)
    return isUnsent && encoders[encoding].scale > 0
  }

  /// Returns the target of an encoding that is sent, at most what its picture size allows; zero for any other.
  package func sentTarget(of encoding: Int) -> BitRate {
    guard encoders[encoding].isSending else { return .zero }
    return encoders[encoding].model.greatestRate.confining(encoders[encoding].target)
  }

  /// Checks whether an estimate keeps an encoding off, smaller or slower than it is set to be.
  package func isLimitedByBandwidth(_ encoding: Int) -> Bool {
    let source = encoders[encoding].source
    guard isActive(encoding) else { return sources[source].publisher.withholdsVideo && isRequested(encoding) }
    return encoders[encoding].scale == 0 || encoders[encoding].isReduced
  }
}
