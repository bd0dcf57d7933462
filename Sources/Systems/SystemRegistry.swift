package import Ladder
package import Layout
package import Parameters

/// The systems that a scenario can name, and with them their ladders and grids.
package struct SystemRegistry: Sendable {
  /// In the order in which they are listed; the first is what a scenario has that names none.
  package var systems: [any System.Type]

  /// Makes a registry of at least one system.
  package init(_ systems: [any System.Type]) {
    precondition(!systems.isEmpty, "there is no system to choose from")
    self.systems = systems
  }

  /// What a scenario has that names none, with its defaults.
  package var usual: any System { Self.make(systems[0]) }

  private static func make<S: System>(_ type: S.Type) -> any System { S(S.Parameters()) }

  /// Every system of this package. A new one is added here.
  package static let standard = SystemRegistry([BlueJeans.self, Agora.self, Stream.self, Janus.self])

  package var descriptions: [SystemDescription] { systems.map { $0.description } }
  package var ladders: [NamedLadder] { NamedLadder.common + descriptions.flatMap(\.ladders) }
  package var grids: [Grid] { descriptions.flatMap(\.grids) }

  /// The parameters of a system.
  package static func parameters<S: System>(of system: S.Type) -> [ParameterDescription] {
    S.Parameters.descriptions
  }

  /// The system of a name.
  package subscript(name: String) -> (any System.Type)? { systems.first { $0.description.name == name } }
}
