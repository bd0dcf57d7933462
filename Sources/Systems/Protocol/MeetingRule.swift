package import Allocation
package import Ladder
package import Quantity

/// A central controller's rule for sharing all links of a meeting at once: layers for each viewer, and encoding rates
/// for each publisher. A pure function of the controller's state.
///
/// A ``ServerRule`` chooses among the layers that arrive; a meeting rule orders them from the publishers.
package protocol MeetingRule: Sendable {
  /// Returns the default levels of a source.
  func levels(of kind: SourceKind, capture: VideoFormat) -> [QualityLevel]
  /// Returns the levels of a source with its own ladder.
  func levels(of ladder: Ladder) -> [QualityLevel]
  /// Decides for all viewers and publishers.
  ///
  /// - Parameter viewer: index in `state.viewers` of the viewer whose margin is to be found; `nil` for no margin.
  func decide(_ state: MeetingAllocationState, marginOf viewer: Int?) -> MeetingAllocationOutcome
}

/// Input of a controller's decision on a meeting.
package struct MeetingAllocationState: Hashable, Sendable {
  /// Publishers in the order of the participants.
  package var publishers: [MeetingPublisher]
  /// Viewers in the order of the participants.
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
  /// Rate that the uplink's estimate leaves for video.
  package var uplink: BitRate
  /// Uplink rate at which a stream was last lowered; `nil` once the hold is released.
  package var heldAt: BitRate?
  /// Sources in the meeting's order.
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
  /// Rates last ordered, by encoding from the smallest size up; zero for an encoding that is off, empty before the
  /// first order.
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
  /// Budget of the downlink and the subscriptions; a source may have two, one large and one small.
  package var allocation: AllocationState
  /// Budget at which a stream was last lowered; `nil` once the hold is released.
  package var heldAt: BitRate?
  /// Rates last allocated, in the order of the subscriptions; empty before the first decision.
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

/// A rule's decisions on a meeting.
package struct MeetingAllocationOutcome: Hashable, Sendable {
  /// Decisions in the order of the viewers, then of their subscriptions. Encodings are numbered by size, from the
  /// smallest.
  package var viewers: [[SourceDecision]]
  /// Orders in the order of the publishers, then of their sources.
  package var publishers: [[EncodingOrder]]
  /// Smallest increase of the given viewer's budget that may change any decision.
  package var margin: BudgetMargin

  package init(viewers: [[SourceDecision]], publishers: [[EncodingOrder]], margin: BudgetMargin) {
    self.viewers = viewers
    self.publishers = publishers
    self.margin = margin
  }
}

/// A controller's order to a publisher for one source.
package struct EncodingOrder: Hashable, Sendable {
  /// Rates by encoding; zero for off.
  package var rates: [BitRate]
  /// Set if the uplink has lowered an encoding that was on.
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

/// A controller: its rule and its initial schedule.
package struct MeetingControl: Sendable {
  package var rule: any MeetingRule
  package var schedule: any MeetingSchedule

  package init(rule: any MeetingRule, schedule: any MeetingSchedule) {
    self.rule = rule
    self.schedule = schedule
  }
}

/// Times of a controller's decisions, and its memory between them; changed subscriptions also trigger a decision.
///
/// A state machine without clock, one per meeting.
package protocol MeetingSchedule: Sendable {
  /// Handles an estimate of a link's capacity for video.
  mutating func receive(_ estimate: BitRate, of link: MeetingLink, at now: SimTime)
  /// Handles a change of subscriptions or sources.
  mutating func noteChange(at now: SimTime)
  /// Records that the controller has decided.
  mutating func noteDecision(
    _ state: MeetingAllocationState, _ outcome: MeetingAllocationOutcome, at now: SimTime)
  /// Time of the controller's next decision; `nil` until an estimate or a change is handled.
  var dueAt: SimTime? { get }
  /// Adds the schedule's memory to the rule's input.
  func complete(_ state: inout MeetingAllocationState)
}
