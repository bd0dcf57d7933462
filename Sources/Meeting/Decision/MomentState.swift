package import Allocation
import Endpoint
package import Ladder
import Media
import Network
import Plan
import Publishing
package import Quantity
import Serving
import SimulationKernel
package import Systems
import Viewing

/// State of a viewer's downlink and of one of its tiles at a moment, apart from the decision in effect.
package struct MomentState: Sendable {
  package let at: SimTime
  /// Narrowest link of the viewer's downlink, with its capacity; `nil` for a downlink without links.
  package let link: (name: String, capacity: BitRate)?
  /// Time that a packet sent to the viewer now would wait in queues.
  package let queueDelay: SimDuration
  /// Estimate as in `participants.csv`.
  package let estimate: BitRate
  /// Budget for a decision at the moment.
  package let budget: VideoBudget
  /// Set if the tile's media comes straight from the other participant.
  package let isDirect: Bool
  /// Share by which the estimate has to differ from the budget's before the server acts on it; `nil` for a server that
  /// acts on any.
  package let changeThreshold: Fraction?
  /// Reason why the budget is not that of the estimate; `nil` if it is, or if the server has yet to learn the estimate.
  package let hold: Hold?
  /// The viewer's subscriptions by rank, at the rates at which the server would count them; where it measures none, at
  /// those of the last decisions.
  package let tiles: [ReplayedDecision.Tile]
  /// What arrived in the last interval; `nil` before the first.
  package let last: Arrival?
  /// Encodings of the source, from the lowest up.
  package let encodings: [EncodingState]
  /// Rate of the source's encoder that none of its spatial layers can use; `nil` if there is none.
  package let idleRate: IdleRate?
  /// The tile's wait for a key frame; `nil` if it is not waiting.
  package internal(set) var wait: KeyFrameWait?

  /// Indicates that packets wait for the downlink, from 10 ms on [our model].
  package var isDownlinkFull: Bool { queueDelay >= .milliseconds(10) }

  /// Indicates that the estimate differs from the budget's by no more than ``changeThreshold``.
  package var isWithinThreshold: Bool {
    guard let changeThreshold, let acted = budget.estimate else { return false }
    let change = Double((estimate - acted).bitsPerSecond.magnitude)
    return change <= Double(acted.bitsPerSecond) * changeThreshold.value
  }

  /// Share of the budget that the viewer's subscriptions use.
  package var taken: BitRate { tiles.reduce(.zero) { $0 + $1.taken } }

  /// A server's reason to go by another capacity than the estimated one.
  package enum Hold: Equatable, Sendable {
    /// Streams are held at their rate through a dip in the estimate.
    case dip
    /// The server keeps to the capacity that it has settled on until its own rule changes that.
    case settled
  }

  /// What arrived in an interval.
  package struct Arrival: Sendable {
    /// End of the interval.
    package let at: SimTime
    /// Rate of the tile.
    package let rate: BitRate
    /// Percentage of that rate in spatial layers that the shown one is not predicted from.
    package let unusedPercent: Int
    /// Rate of everything on the viewer's downlink, and of the voices in it.
    package let downlink: (total: BitRate, voices: BitRate)
    /// Rates of cross traffic, by link of the plan.
    package let crossRates: [BitRate]
  }

  /// An encoding, and how far it gets toward the server's decision.
  package struct EncodingState: Equatable, Sendable {
    package let name: String
    package let reach: Reach
  }

  /// Farthest point that an encoding reaches.
  package enum Reach: Equatable, Sendable {
    case unwanted
    /// Off at the sender.
    case off
    /// On, but the sender's uplink leaves it no rate, given the estimate and what that leaves for video.
    case withoutRate(estimate: BitRate, videos: BitRate)
    /// On, but granted to no viewer.
    case ungiven
    /// On, but the source's app pushes no frames.
    case unfed
    /// Sent, but no packet has reached the server in the last second, or none ever.
    case lost(hasArrived: Bool)
    /// Arriving at the server, which has not yet detected it as a layer.
    case undetected
    case detected
  }

  /// Wait for the key frame of an encoding.
  package struct KeyFrameWait: Sendable {
    package let encoding: String
    /// Place of the encoding in its source's ladder.
    let place: Int
    /// Time of the server's last request to the sender; `nil` for none.
    package let askedAt: SimTime?
    /// Time at which the last key frame reached the server, if that was after the request; `nil` for none.
    package internal(set) var answeredAt: SimTime?
    package let repetition: Repetition
    /// Encoding that is forwarded until then; `nil` for none.
    package let forwarded: String?
    /// Earliest time at which the server's limits let a pending next request through; with the per-viewer request
    /// limit, if that one applies.
    package let limitedUntil: (at: SimTime, viewerLimit: KeyFrameRequestRule.ViewerLimit?)?

    /// Continuation after the last request while it stays unanswered.
    package enum Repetition: Sendable {
      /// It is repeated until the key frame comes.
      case always
      /// It is repeated once more.
      case once
      /// It was the last, and its answer may still come.
      case last
      /// Neither the server nor the viewer repeats it.
      case never
      /// One has come, and is on its way in the TCP connection to the viewer.
      case held
    }
  }
}
