package import Ladder
package import Quantity

/// A key of a client's signals in its system's own terms; the scenario reader and the schema are derived from it.
package struct SignalDeclaration: Sendable {
  package var key: String
  package var shape: SignalShape
  /// Effect, with the default.
  package var effect: String
  package var isRequired: Bool
  /// Another key that excludes this one; `nil` for none.
  package var excludes: String?
  /// Set if the timeline can change it.
  package var isChangeable: Bool
  /// Example value, as written in a scenario with a participant `ann`; `nil` if any value of the shape will do.
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

/// Notation of a signal.
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
  /// A mapping with its own keys.
  case fields([SignalDeclaration])
}

/// A source named in signals. Participants are indices.
package struct SignalledSource: Hashable, Sendable {
  package var participant: Int
  package var isScreen: Bool

  package init(participant: Int, isScreen: Bool = false) {
    self.participant = participant
    self.isScreen = isScreen
  }
}

/// In the order of participants, a camera before its screen share: that of sources in a meeting.
extension SignalledSource: Comparable {
  package static func < (a: Self, b: Self) -> Bool {
    (a.participant, a.isScreen ? 1 : 0) < (b.participant, b.isScreen ? 1 : 0)
  }
}

/// A client's signal, in the shape that its system declares.
package indirect enum SignalValue: Hashable, Sendable {
  case integer(Int)
  case flag(Bool)
  case rate(BitRate)
  case size(Resolution)
  case word(String)
  case source(SignalledSource)
  case list([SignalValue])
  /// Values in the order of sources.
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
