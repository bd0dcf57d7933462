package import Ladder
package import Quantity
import Systems

/// A meeting as GSO-Simulcast's controller sees it. Sources are numbered across all publishers, in order.
package struct GSOProblem: Hashable, Sendable {
  package var publishers: [Publisher]
  package var subscribers: [Subscriber]

  package init(publishers: [Publisher], subscribers: [Subscriber]) {
    self.publishers = publishers
    self.subscribers = subscribers
  }

  /// A client that sends; its camera and its screen share are separate publishers, behind one uplink.
  package struct Publisher: Hashable, Sendable {
    package var uplink: BitRate
    /// Levels by source.
    package var sources: [[QualityLevel]]

    package init(uplink: BitRate, sources: [[QualityLevel]]) {
      self.uplink = uplink
      self.sources = sources
    }
  }

  package struct Subscriber: Hashable, Sendable {
    package var downlink: BitRate
    package var subscriptions: [Demand]

    package init(downlink: BitRate, subscriptions: [Demand]) {
      self.downlink = downlink
      self.subscriptions = subscriptions
    }
  }

  /// A subscriber's request for a source. A second subscription to the same source is the paper's virtual publisher.
  package struct Demand: Hashable, Sendable {
    package var source: Int
    /// Largest size; sizes are compared by their lines.
    package var limit: Resolution
    /// QoE factor [1/1000], 1 to ``maximumWeight``.
    package var weight: Int

    package static let maximumWeight = 1_000_000

    package init(source: Int, upTo limit: Resolution, weight: Int = 1000) {
      self.source = source
      self.limit = limit
      self.weight = weight
    }
  }
}

/// The controller's orders. Levels are indices into their source's list.
package struct GSOSolution: Hashable, Sendable {
  package struct Choice: Hashable, Sendable {
    /// Best level within the request.
    package var ideal: Int?
    /// Best level within the request among those left by the reduction.
    package var available: Int?
    /// Level that the downlink admits.
    package var chosen: Int?
    /// Set if the chosen size is smaller than the ideal one and no larger downlink would help: the publisher's uplink
    /// carries no larger size alongside the streams for the other subscribers.
    package var isStoppedByUplink = false
    /// Level after the merge with other subscriptions for the same size.
    package var merged: Int?
    /// Level after the uplink's reduction.
    package var ordered: Int?
    /// Additional downlink rate that the next level needs; zero if the downlink is not the limit.
    package var missing = BitRate.zero
  }

  /// Choices by subscriber, then by subscription.
  package var choices: [[Choice]]
  /// Levels sent, by source, then by size from the smallest.
  package var orders: [[Int?]]
  /// Lowest downlink of the given subscriber, above its own, at which a choice differs; `nil` for none.
  package var nextDownlink: BitRate?
  /// Number of times the three steps ran.
  package var rounds: Int
}
