import Quantity

extension SimTime {
  /// Time since the start to the millisecond, for sentences [s].
  var secondsText: String { (self - SimTime.zero).secondsText }
}

extension SimDuration {
  /// Length to the millisecond, for sentences [s].
  var secondsText: String {
    let thousandths = nanoseconds / 1_000_000
    return "\(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())"
  }
}
