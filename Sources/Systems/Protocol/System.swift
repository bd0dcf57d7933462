package import Allocation
package import Ladder
package import Layout
package import Parameters
package import Quantity

/// One vendor's client, SFU and publisher, with their parameters.
///
/// This is the meeting's only interface to a vendor. Everything here is a value; time, randomness and queues belong to
/// the meeting.
package protocol System: Sendable {
  associatedtype Parameters: Parameterized

  static var description: SystemDescription { get }

  init(_ parameters: Parameters)

  /// Part of the SFU that decides.
  var decider: Decider { get }
  /// Constants and options in which systems differ.
  var traits: SystemTraits { get }
  /// Returns the default ladder of a source in a meeting with a number of clients.
  func ladder(of kind: SourceKind, capture: VideoFormat, clients: Int) -> Ladder
  /// Creates the publisher of a source.
  func publisher() -> any Publisher
  /// Creates the client of a viewer.
  func client(_ setup: ClientSetup) -> any Client
}

extension System {
  package var traits: SystemTraits { SystemTraits() }
  package func ladder(of kind: SourceKind, capture: VideoFormat, clients: Int) -> Ladder {
    switch kind {
    case .camera: .libwebrtcVP8(capture: capture)
    case .screen: .single(capture: capture)
    }
  }
  package func publisher() -> any Publisher { StatedPublisher() }
}

extension System {
  package var name: String { Self.description.name }
  /// Policy that allocates a viewer's video budget; where another part decides, this is that part's decision on ample
  /// links.
  package var policy: any AllocationPolicy { decider.policy }

  /// Returns the parameters with which clients send a source as a scalable stream of a codec; `nil` if the SFU forwards
  /// none.
  package func scalableSending(
    of kind: SourceKind, codec: VideoCodec, capture: VideoFormat
  ) -> ScalableSending? {
    Self.description.scalableSending?(kind, codec, capture)
  }
}

/// Kind of a source, which determines its default ladder.
package enum SourceKind: Sendable { case camera, screen }

extension ScalableSending {
  /// Returns the usual stream of a source: three spatial layers for cameras, which by default depend on each other only
  /// in key pictures, and one for screen shares; always three temporal layers.
  package static func usual(
    _ codec: VideoCodec, of kind: SourceKind, prediction: ScalabilityMode.Prediction = .keyPictures,
    maximum: BitRate? = nil
  ) -> ScalableSending {
    let spatial = kind == .camera ? 3 : 1
    return ScalableSending(
      codec, ScalabilityMode(spatial: spatial, temporal: 3, prediction: prediction), maximum: maximum)
  }
}

/// Description of a system for scenario authors.
package struct SystemDescription: Sendable {
  /// Name in scenarios.
  package var name: String
  package var summary: String
  /// Documents and code behind its rules, and the parts that are our model.
  package var source: String
  /// Defaults of the parameters that every system has.
  package var rates = RateParameters()
  /// Downlink estimation by its server.
  package var estimator: OwnEstimator
  /// Ladders that it defines.
  package var ladders: [NamedLadder]
  /// Grids that it defines.
  package var grids: [Grid]
  /// Built-in layouts that it defines.
  package var layouts: [BuiltInLayout] = []
  /// Returns the parameters of its clients' scalable streams by kind of source, codec and capture; `nil` if its SFU
  /// forwards none.
  package var scalableSending: (@Sendable (SourceKind, VideoCodec, VideoFormat) -> ScalableSending)?
  /// Formats that its clients' stream requests can name; empty if any format is possible.
  package var qualities: [VideoFormat]
  /// Calls of its clients that other systems' lack, as `events.csv` reports them.
  package var calls: [EventDeclaration]
  /// Signals of its clients in the system's own terms.
  package var signals: [SignalDeclaration] = []
  /// Events that its clients, publishers and servers themselves report in `events.csv`.
  package var events: [EventDeclaration] = []
  /// Rules by which tiles are allocated their layers: all that `decisions.csv` can name.
  package var rules: [RuleDescription]
  /// Settings that may give a tile more when the downlink is short, for `explain` to try.
  package var reliefs: [SystemRelief] = []

  package init(
    name: String, summary: String, source: String, estimator: OwnEstimator = .unpublished,
    ladders: [NamedLadder] = [], grids: [Grid] = [], layouts: [BuiltInLayout] = [],
    qualities: [VideoFormat] = [], calls: [EventDeclaration] = [], signals: [SignalDeclaration] = [],
    events: [EventDeclaration] = [], rules: [RuleDescription] = [], reliefs: [SystemRelief] = [],
    scalableSending: (@Sendable (SourceKind, VideoCodec, VideoFormat) -> ScalableSending)? = nil
  ) {
    self.name = name
    self.summary = summary
    self.source = source
    self.estimator = estimator
    self.ladders = ladders
    self.grids = grids
    self.layouts = layouts
    self.qualities = qualities
    self.calls = calls
    self.signals = signals
    self.events = events
    self.rules = rules
    self.reliefs = reliefs
    self.scalableSending = scalableSending
  }

  /// Checks whether a call is among those that the system declares.
  package func has(call name: String) -> Bool { calls.contains { $0.name == name } }
}

/// A setting of a system that may give a tile more when the downlink is short.
package struct SystemRelief: Sendable {
  package enum Effect: Sendable {
    /// Lets the server pause tracks that the budget does not carry.
    case pauses
    /// Changes the amount by which screen shares may exceed the budget.
    case screenShares
    /// Makes senders offer smaller streams, to which receivers can fall back.
    case smallerStreams
  }

  /// The setting as written in a scenario.
  package var text: String
  package var effect: Effect
  /// Returns the system with the setting; `nil` if it has it already.
  package var apply: @Sendable (any System) -> (any System)?

  /// Creates a setting of a system.
  ///
  /// - Parameters:
  ///   - parameters: the system's parameters.
  ///   - change: gives them the setting, or leaves them as they are.
  package init<Own: System>(
    _ text: String, effect: Effect, of parameters: any KeyPath<Own, Own.Parameters> & Sendable,
    _ change: @escaping @Sendable (inout Own.Parameters) -> Void
  ) {
    self.text = text
    self.effect = effect
    apply = { system in
      guard let before = (system as? Own)?[keyPath: parameters] else { return nil }
      var after = before
      change(&after)
      return after == before ? nil : Own(after)
    }
  }
}
