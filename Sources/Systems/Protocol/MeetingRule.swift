package import Allocation
package import Ladder
package import Quantity

/// How a central controller shares all links of a meeting out at once: what each viewer receives, and at which rates each
/// publisher encodes. A pure function of what the controller knows.
///
/// Where a ``ServerRule`` chooses among layers that arrive, a meeting's rule orders them.
package protocol MeetingRule: Sendable {
  /// The levels of a source of which nothing else is said.
  func levels(of kind: SourceKind, capture: VideoFormat) -> [QualityLevel]
  /// The levels of a source with a ladder of its own.
  func levels(of ladder: Ladder) -> [QualityLevel]
  /// Decides on all viewers and publishers.
  ///
  /// - Parameter viewer: index in `state.viewers` of the one whose margin is asked for; `nil` for no margin.
  func decide(_ state: MeetingAllocationState, marginOf viewer: Int?) -> MeetingAllocationOutcome
}

/// What a controller knows when it shares a meeting's links out.
package struct MeetingAllocationState: Hashable, Sendable {
  /// In the order of the participants.
  package var publishers: [MeetingPublisher]
  package var viewers: [MeetingViewer]

  package init(publishers: [MeetingPublisher], viewers: [MeetingViewer]) {
    self.publishers = publishers
    self.viewers = viewers
  }
}

/// A participant who publishes.
package struct MeetingPublisher: Hashable, Sendable {
  /// Index in the meeting.
  package var participant: Int
  /// What the uplink's estimate leaves for video.
  package var uplink: BitRate
  /// The uplink at which a stream was lowered last, as long as that is remembered.
  package var heldAt: BitRate?
  /// In the order of the meeting's sources.
  package var sources: [MeetingSource]

  package init(participant: Int, uplink: BitRate, heldAt: BitRate? = nil, sources: [MeetingSource]) {
    self.participant = participant
    self.uplink = uplink
    self.heldAt = heldAt
    self.sources = sources
  }
}

/// A source whose levels a controller orders.
package struct MeetingSource: Hashable, Sendable {
  /// Index in the meeting.
  package var source: Int
  package var levels: [QualityLevel]
  /// By encoding, that is by size from the smallest: the rates that were ordered last; zero for none, empty before.
  package var lastRates: [BitRate]

  package init(source: Int, levels: [QualityLevel], lastRates: [BitRate] = []) {
    self.source = source
    self.levels = levels
    self.lastRates = lastRates
  }
}

/// A participant who subscribes.
package struct MeetingViewer: Hashable, Sendable {
  /// Index in the meeting.
  package var participant: Int
  /// The downlink's budget and the subscriptions; a source may have two, one large and one small.
  package var allocation: AllocationState
  /// The budget at which a stream was lowered last, as long as that is remembered.
  package var heldAt: BitRate?
  /// In the order of the subscriptions: what was given last; empty before.
  package var lastRates: [BitRate]

  package init(
    participant: Int, allocation: AllocationState, heldAt: BitRate? = nil, lastRates: [BitRate] = []
  ) {
    self.participant = participant
    self.allocation = allocation
    self.heldAt = heldAt
    self.lastRates = lastRates
  }
}

/// What a rule decides on a meeting.
package struct MeetingAllocationOutcome: Hashable, Sendable {
  /// In the order of the viewers, then of their subscriptions. Encodings count by size, from the smallest.
  package var viewers: [[MeetingDecision]]
  /// In the order of the publishers, then of their sources.
  package var publishers: [[EncodingOrder]]
  /// How much more budget of the viewer that was named may change anything.
  package var margin: BudgetMargin

  package init(viewers: [[MeetingDecision]], publishers: [[EncodingOrder]], margin: BudgetMargin) {
    self.viewers = viewers
    self.publishers = publishers
    self.margin = margin
  }
}

/// What a rule decides on one subscription. Its hindrance may be `senderUplink` too.
package struct MeetingDecision: Hashable, Sendable {
  package var decision: SourceDecision
  /// The rate at which the encoding is ordered; zero for nothing.
  package var bitrate: BitRate
  /// Index of the level; `nil` for nothing.
  package var level: Int?

  package init(_ decision: SourceDecision, bitrate: BitRate, level: Int?) {
    self.decision = decision
    self.bitrate = bitrate
    self.level = level
  }
}

/// What a publisher is to send of one source.
package struct EncodingOrder: Hashable, Sendable {
  /// By encoding: its rate; zero for off.
  package var rates: [BitRate]
  /// Whether the uplink has lowered one that was on.
  package var isDowngrade: Bool

  package init(rates: [BitRate], isDowngrade: Bool) {
    self.rates = rates
    self.isDowngrade = isDowngrade
  }
}

/// A link of a participant to the server.
package enum MeetingLink: Hashable, Sendable {
  case up(participant: Int)
  case down(participant: Int)
}

/// When a controller decides, and what it remembers between decisions; changed subscriptions make it decide too.
///
/// A state machine without clock, one for a meeting.
package protocol MeetingSchedule: Sendable {
  /// Handles an estimate of what a link carries of video.
  mutating func receive(_ estimate: BitRate, of link: MeetingLink, at now: SimTime)
  /// Handles a change of subscriptions or sources.
  mutating func noteChange(at now: SimTime)
  /// Notes that the controller has decided.
  mutating func noteDecision(
    _ state: MeetingAllocationState, _ outcome: MeetingAllocationOutcome, at now: SimTime)
  /// When the controller decides; `nil` for not before something is handled.
  var dueAt: SimTime? { get }
  /// Adds what the schedule remembers to what the rule is given.
  func complete(_ state: inout MeetingAllocationState)
}
