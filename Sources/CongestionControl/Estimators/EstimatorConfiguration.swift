package import Quantity

/// An estimator by name, with its parameters: makes the controllers of a meeting.
package struct EstimatorConfiguration: Sendable {
  package let name: String
  /// Whether packets are numbered, paced and reported; without, controllers are told the capacity.
  package let usesFeedback: Bool
  /// Packet headers relative to video payload.
  package let headerShare: Double
  private let make: @Sendable (Int) -> any PathControllers

  package init<Controller: RateController & ~Copyable>(
    _ name: String, _ controller: Controller.Type, _ parameters: Controller.Parameters
  ) {
    self.name = name
    usesFeedback = Controller.usesFeedback
    headerShare = parameters.headerShare
    make = { ControllerTable<Controller>(parameters, paths: $0) }
  }

  /// Makes a controller for each path.
  package func makeControllers(paths: Int) -> any PathControllers { make(paths) }

  /// How often controllers are to be processed, as in libwebrtc (`api/transport/goog_cc_factory.cc`).
  package static let processInterval = SimDuration.milliseconds(25)
}
