package import CongestionControl
package import Network
package import Parameters
package import Systems

/// What scenarios can name, each kind with a registry of its own.
package struct Catalogue: Sendable {
  package var estimators = Registry<Estimator>.estimators
  package var systems = Registry<RegisteredSystem>.systems
  package var disciplines = Registry<RegisteredDiscipline>.disciplines

  package init() {}

  /// What meetsim comes with.
  package static let standard = Catalogue()
}
