/// libwebrtc's unit tests of the receive-side estimator, as a whole and in parts.
enum ReceiverCases {
  static let all =
    ReceivedStreamCases.all + CapacityFallCases.all + ReceivedProbeCases.all + GroupingCases.all
    + OveruseCases.all
    + ReceiveRateControlCases.all
}
