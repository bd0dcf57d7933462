package import CongestionControl
package import Network
package import Parameters
import Systems
package import Vendors

/// Registries of everything that scenarios can refer to by name, one per kind.
package struct Catalogue: Sendable {
  package var estimators = Registry<Estimator>.estimators
  package var systems = Registry<RegisteredSystem>.systems
  package var disciplines = Registry<RegisteredDiscipline>.disciplines

  package init() {}

  /// Catalogue of all built-in entries.
  package static let standard = Catalogue()

  /// Name of the system of a scenario that names none.
  package static var defaultPolicy: String { standard.systems.standard.name }
}
