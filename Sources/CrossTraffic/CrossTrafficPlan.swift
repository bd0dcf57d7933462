package import Quantity

/// Traffic that is no meeting's, over one link.
package struct CrossTrafficPlan: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// One flow without an end.
    case tcp(TCPCongestionControl)
    /// Transfers of 30 to 50 kB with pauses of exponential length, 10 s in the mean (RFC 8868 section 4.5).
    case shortTCP(TCPCongestionControl)
    /// Packets of 1500 bytes at a constant rate.
    case constantRate(BitRate)
    /// The same, on and off for exponential times with these means.
    case onOff(BitRate, on: SimDuration, off: SimDuration)
  }

  package var name: String
  /// Number of the link in the meeting's plan.
  package var link: Int
  package var kind: Kind
  /// From the link's end to the sender again, for acknowledgements.
  package var returnDelay: SimDuration
  /// When it runs; each ends before the next begins.
  package var periods: [Range<SimTime>]
  /// Whether a short flow begins with a transfer, not with a pause.
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
