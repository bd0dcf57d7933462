package import Ladder
package import Quantity

/// A meeting as GSO-Simulcast's controller sees it. Sources are counted over all publishers in their order.
package struct GSOProblem: Hashable, Sendable {
  package var publishers: [Publisher]
  package var subscribers: [Subscriber]

  package init(publishers: [Publisher], subscribers: [Subscriber]) {
    self.publishers = publishers
    self.subscribers = subscribers
  }

  /// A client that sends; its camera and its screen share are publishers of their own behind one uplink.
  package struct Publisher: Hashable, Sendable {
    package var uplink: BitRate
    /// By source: its levels.
    package var sources: [[QualityLevel]]

    package init(uplink: BitRate, sources: [[QualityLevel]]) {
      self.uplink = uplink
      self.sources = sources
    }
  }

  package struct Subscriber: Hashable, Sendable {
    package var downlink: BitRate
    package var subscriptions: [Subscription]

    package init(downlink: BitRate, subscriptions: [Subscription]) {
      self.downlink = downlink
      self.subscriptions = subscriptions
    }
  }

  /// A source as a subscriber asks for it. A second subscription to the same source is the paper's virtual publisher.
  package struct Subscription: Hashable, Sendable {
    package var source: Int
    /// Largest size; sizes compare by their lines.
    package var limit: Resolution
    /// Factor of the QoE [1/1000], 1 to ``maximumWeight``.
    package var weight: Int

    package static let maximumWeight = 1_000_000

    package init(source: Int, upTo limit: Resolution, weight: Int = 1000) {
      self.source = source
      self.limit = limit
      self.weight = weight
    }
  }
}

/// What the controller orders. Levels are indices in their source's list.
package struct GSOSolution: Hashable, Sendable {
  package struct Choice: Hashable, Sendable {
    /// What the subscriber would take of all levels within its request.
    package var ideal: Int?
    /// The same of the levels that the reduction has left.
    package var available: Int?
    /// What its downlink admits.
    package var chosen: Int?
    /// Whether the chosen size is smaller than the ideal one, and no larger downlink would help: the publisher's uplink
    /// carries no larger size beside all that others take of it.
    package var isStoppedByUplink = false
    /// What remains beside the others who ask for the same size.
    package var merged: Int?
    /// What remains when the uplink is reduced.
    package var ordered: Int?
    /// Further downlink that the next level needs; zero where the downlink isn't the limit.
    package var missing = BitRate.zero
  }

  /// By subscriber, then by subscription.
  package var choices: [[Choice]]
  /// By source, then by size from the smallest: the level that is sent.
  package var orders: [[Int?]]
  /// The least downlink of the subscriber that was named, above its own, at which a choice differs; `nil` for none.
  package var nextDownlink: BitRate?
  /// How often the three steps ran.
  package var rounds: Int
}
