package import Ladder
package import Layout
package import Parameters
package import Systems

/// A system that scenarios select with `policy`.
package struct RegisteredSystem: RegistryEntry {
  package let description: SystemDescription
  /// The system's own parameters, then those of ``RateParameters`` for which it has no rule of its own.
  package let parameters: [ParameterDescription]
  private let make: @Sendable ([ParameterSetting]) -> any System
  private let rates: RateParameters

  package init<S: System>(_ system: S.Type) {
    description = S.description
    rates = S.description.rates
    let unused = S(S.Parameters()).unusedRateParameters
    parameters = S.Parameters.descriptions + rates.descriptions.filter { !unused.contains($0.key) }
    make = { S(S.Parameters(among: $0)) }
  }

  package var name: String { description.name }
  package var summary: String { description.summary }
  package var source: String { description.source }

  /// Creates the system with the given parameters.
  package func system(_ settings: [ParameterSetting] = []) -> any System { make(settings) }

  /// Returns the rate parameters, which every system has, with the given settings.
  package func rates(_ settings: [ParameterSetting]) -> RateParameters { rates.with(settings) }
}

extension Registry<RegisteredSystem> {
  /// All built-in systems; new ones are added here.
  package static let systems = Registry([
    RegisteredSystem(BlueJeans.self), RegisteredSystem(Agora.self), RegisteredSystem(Stream.self),
    RegisteredSystem(Vonage.self), RegisteredSystem(Janus.self), RegisteredSystem(LiveKit.self),
    RegisteredSystem(Jitsi.self), RegisteredSystem(Mediasoup.self), RegisteredSystem(Signal.self),
    RegisteredSystem(GSO.self),
    RegisteredSystem(Best.self),
  ])

  /// Returns the names of the systems that declare a call.
  package func names(calling name: String) -> [String] {
    entries.filter { $0.description.has(call: name) }.map(\.name)
  }
  /// Calls that only some systems have, once for each of them.
  package var calls: [EventDeclaration] { entries.flatMap(\.description.calls) }
  /// Ladders that scenarios can name: vendor-neutral ones, then each system's.
  package var ladders: [NamedLadder] { NamedLadder.common + entries.flatMap(\.description.ladders) }
  /// Grids that scenarios can name.
  package var grids: [Grid] { entries.flatMap(\.description.grids) }
  /// Built-in layouts that scenarios can name.
  package var layouts: [BuiltInLayout] { entries.flatMap(\.description.layouts) }
  /// Layout of an app whose meeting does not support custom ones: the first with a main stage and other seats.
  package var fallbackLayout: BuiltInLayout? { layouts.first { $0.hasMainStage && $0.maximumSeats > 1 } }
}
