import Allocation

extension [Wish] {
  /// The same subscriptions, none of which gets more frames than it asks for: base layers of a higher rate are thinned.
  var keepingFrameRates: [Wish] {
    map { wish in
      var wish = wish
      wish.keepFrameRate()
      return wish
    }
  }
}
