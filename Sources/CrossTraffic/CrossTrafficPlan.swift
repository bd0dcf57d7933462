package import Quantity

/// Cross traffic over one link.
package struct CrossTrafficPlan: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// One long-lived flow.
    case tcp(TCPCongestionControl)
    /// Transfers of 30 to 50 kB separated by exponential pauses with a mean of 10 s (RFC 8868 section 4.5).
    case shortTCP(TCPCongestionControl)
    /// 1500-byte packets at a constant rate.
    case constantRate(BitRate)
    /// Constant rate with exponential on and off periods of these means.
    case onOff(BitRate, on: SimDuration, off: SimDuration)
  }

  package var name: String
  /// Index of the link in the meeting plan.
  package var link: Int
  package var kind: Kind
  /// Delay of the acknowledgement path, from the link's far end back to the sender.
  package var returnDelay: SimDuration
  /// Active periods, disjoint and in order.
  package var periods: [Range<SimTime>]
  /// Makes a short flow start with a transfer instead of a pause.
  package var startsBusy = false

  package init(
    name: String, link: Int, kind: Kind, returnDelay: SimDuration, periods: [Range<SimTime>]
  ) {
    self.name = name
    self.link = link
    self.kind = kind
    self.returnDelay = returnDelay
    self.periods = periods
  }
}
