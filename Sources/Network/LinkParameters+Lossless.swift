import Quantity

extension LinkParameters {
  /// Copy of the link without random loss and jitter at any time; `nil` if it has neither.
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
