package import CongestionControl
package import Network
package import Parameters

/// What scenarios can name, each kind with a registry of its own.
package struct Catalogue: Sendable {
  package var estimators = Registry<Estimator>.estimators
  package var disciplines = Registry<RegisteredDiscipline>.disciplines

  package init() {}

  /// What meetsim comes with.
  package static let standard = Catalogue()
}
