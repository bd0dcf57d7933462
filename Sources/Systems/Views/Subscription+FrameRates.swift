package import Allocation

extension [Subscription] {
  /// Subscriptions limited to the requested frame rates: base layers of a higher rate are thinned.
  package var keepingFrameRates: [Subscription] {
    map { wish in
      var wish = wish
      wish.keepFrameRate()
      return wish
    }
  }
}
