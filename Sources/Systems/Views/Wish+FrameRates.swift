package import Allocation

extension [Wish] {
  /// Subscriptions limited to the requested frame rates: base layers of a higher rate are thinned.
  package var keepingFrameRates: [Wish] {
    map { wish in
      var wish = wish
      wish.keepFrameRate()
      return wish
    }
  }
}
