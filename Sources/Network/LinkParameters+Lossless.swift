import Quantity

extension LinkParameters {
  /// The link without random loss and jitter at any time; `nil` where it has neither.
  package var lossless: LinkParameters? {
    var link = self
    link.loss = .zero
    link.burstLoss = nil
    link.jitter = .zero
    link.changes = changes.filter { step in
      switch step.change {
      case .loss, .jitter: false
      default: true
      }
    }
    return link == self ? nil : link
  }
}
