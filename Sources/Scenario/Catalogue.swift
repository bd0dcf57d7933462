package import CongestionControl
package import Network
package import Parameters
package import Systems

/// Everything that scenarios can refer to by name, one registry per kind.
package struct Catalogue: Sendable {
  package var estimators = Registry<Estimator>.estimators
  package var systems = Registry<RegisteredSystem>.systems
  package var disciplines = Registry<RegisteredDiscipline>.disciplines

  package init() {}

  /// All built-in entries.
  package static let standard = Catalogue()
}
