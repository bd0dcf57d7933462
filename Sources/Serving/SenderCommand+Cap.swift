import CongestionControl
import Quantity

extension SenderCommand {
  /// Copy whose bound on an estimate, probes included, stays within what the viewer's client accepts (mediasoup's
  /// `setMaxOutgoingBitrate`).
  func within(_ cap: RateLimit) -> SenderCommand {
    guard case .bound(let minimum, let maximum) = self else { return self }
    return .bound(minimum: minimum, maximum: min(maximum, cap))
  }
}
