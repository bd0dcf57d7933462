package import Ladder
package import Quantity

/// A key of what a client signals in its system's own words; it feeds the scenario's reader and the schema.
package struct SignalDeclaration: Sendable {
  package var key: String
  package var shape: SignalShape
  /// What it does, with its default.
  package var effect: String
  package var isRequired: Bool
  /// Another key that cannot stand beside it; `nil` for none.
  package var excludes: String?
  /// Whether the timeline can change it.
  package var isChangeable: Bool
  /// A value, as written in a scenario with a participant `ann`; `nil` where any that the shape allows shows enough.
  package var sample: String?

  package init(
    _ key: String, _ shape: SignalShape, _ effect: String, isRequired: Bool = false, excludes: String? = nil,
    isChangeable: Bool = true, sample: String? = nil
  ) {
    self.key = key
    self.shape = shape
    self.effect = effect
    self.isRequired = isRequired
    self.excludes = excludes
    self.isChangeable = isChangeable
    self.sample = sample
  }
}

/// How a signal is written.
package indirect enum SignalShape: Sendable {
  case integer(ClosedRange<Int>)
  case flag
  case rate
  case size
  case word([String])
  /// A source: a participant's id for its camera, `ID/screen` for its screen share.
  case source
  /// A list.
  case list(SignalShape)
  /// A mapping from sources.
  case bySource(SignalShape)
  /// A mapping with keys of its own.
  case fields([SignalDeclaration])
}

/// A source as signals name it. Participants are indices.
package struct SignalledSource: Hashable, Sendable {
  package var participant: Int
  package var isScreen: Bool

  package init(participant: Int, isScreen: Bool = false) {
    self.participant = participant
    self.isScreen = isScreen
  }
}

/// What a client signals, in the shape that its system declares.
package indirect enum SignalValue: Hashable, Sendable {
  case integer(Int)
  case flag(Bool)
  case rate(BitRate)
  case size(Resolution)
  case word(String)
  case source(SignalledSource)
  case list([SignalValue])
  case bySource([BySource])
  case fields(ViewSignals)

  package struct BySource: Hashable, Sendable {
    package var source: SignalledSource
    package var value: SignalValue

    package init(_ source: SignalledSource, _ value: SignalValue) {
      self.source = source
      self.value = value
    }
  }
}
