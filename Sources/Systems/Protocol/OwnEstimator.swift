/// Bandwidth estimation by a system's server as deployed, by the estimators' names in scenarios.
package struct OwnEstimator: Sendable {
  /// Estimator of downlinks if a scenario names none.
  package var name: String
  /// Other estimators that the server's operator can choose.
  package var options: [String]
  /// Documents or code that show this, and differences from the estimator of that name.
  package var source: String

  package init(_ name: String, options: [String] = [], source: String) {
    self.name = name
    self.options = options
    self.source = source
  }

  /// Estimator of all clients, which are built on libwebrtc.
  package static let uplinks = "gcc"

  /// Estimator of a server that is not public.
  package static let unpublished = OwnEstimator("gcc", source: "our model: the server is not public")

  /// Checks whether an estimator is available on the server.
  package func includes(_ name: String) -> Bool { name == self.name || options.contains(name) }
}
