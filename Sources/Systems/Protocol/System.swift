package import Allocation
package import Ladder
package import Layout
package import Parameters
package import Quantity

/// One vendor's client, SFU and publisher, with the values of their parameters.
///
/// A meeting asks nothing else about whose rules it runs under. Everything below is a value: time, chance and queues
/// are the meeting's.
package protocol System: Sendable {
  /// What can be set, each with its default.
  associatedtype Parameters: Parameterized

  static var description: SystemDescription { get }

  init(_ parameters: Parameters)

  /// The rules by which the SFU shares a viewer's budget.
  var policy: any AllocationPolicy { get }
  /// The most video that a client accepts, whatever its link carries.
  var receiveCap: BitRate { get }
  /// The most video that a participant sends, all encodings together.
  var sendCap: BitRate { get }
  /// Whether a wanted stream that is given nothing stays in the client's list as a paused one.
  var keepsStarvedStreams: Bool { get }
  /// The ladder of a source for which the scenario names none.
  func ladder(of kind: SourceKind, capture: VideoFormat) -> Ladder
  /// What a source's publisher, and the SFU towards it, do of themselves.
  func publisher() -> any Publisher
  /// The client of one viewer.
  func client(_ setup: ClientSetup) -> any Client
  /// Of more senders than a viewer may receive, those that it does: some of `order`, which is random for the viewer;
  /// `nil` where there is no such limit.
  func received(from order: [Int], viewerSends: Bool) -> [Int]?
}

extension System {
  package var name: String { Self.description.name }
  package var receiveCap: BitRate { .unlimited }
  package var sendCap: BitRate { .unlimited }
  package var keepsStarvedStreams: Bool { true }
  package func publisher() -> any Publisher { OnDemandPublisher() }
  package func received(from order: [Int], viewerSends: Bool) -> [Int]? { nil }
}

/// Where the frames of a source come from, as far as its ladder goes.
package enum SourceKind: Sendable { case camera, screen }

/// What a scenario's author is told about a system.
package struct SystemDescription: Sendable {
  /// The word in scenarios.
  package var name: String
  package var summary: String
  /// Documents and code that its rules come from, and what is our model.
  package var source: String
  /// Ladders and grids that come with it, by their words in scenarios.
  package var ladders: [NamedLadder]
  package var grids: [Grid]
  /// Whether its clients can override what their tiles ask for.
  package var hasOverrides: Bool

  package init(
    name: String, summary: String, source: String, ladders: [NamedLadder] = [], grids: [Grid] = [],
    hasOverrides: Bool = false
  ) {
    self.name = name
    self.summary = summary
    self.source = source
    self.ladders = ladders
    self.grids = grids
    self.hasOverrides = hasOverrides
  }
}
