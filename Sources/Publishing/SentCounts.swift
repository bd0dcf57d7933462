import Endpoint
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

  /// Checks whether the SFU requests an encoding, as far as the publisher knows, or would if the uplink carried it.
  package func isRequested(_ encoding: Int) -> Bool {
    let demand = sources[encoders[encoding].source].sender.requested
    return isWanted(encoding, beside: demand.forwarded, of: demand)
  }

  /// Checks whether an encoding is switched on, whether or not the uplink carries it (W3C `active`).
  package func isActive(_ encoding: Int) -> Bool {
    let source = encoders[encoding].source
    let demand = sources[source].demand
    return sources[source].capture.isOn && isWanted(encoding, beside: demand.sent, of: demand)
  }

  /// Checks whether an encoding is one of those given, or viewers would get it if the uplink carried it: an encoding
  /// that only their downlinks withhold is not wanted.
  private func isWanted(_ encoding: Int, beside wanted: UInt32, of demand: EncodingDemand) -> Bool {
    let withheld = encoders[encoding].scale == 0 ? demand.desired : 0
    return (wanted | withheld) >> encoders[encoding].index & 1 == 1
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
