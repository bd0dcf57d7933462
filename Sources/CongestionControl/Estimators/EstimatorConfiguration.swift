package import Quantity

/// Named estimator with its parameters; creates the controllers of a meeting.
package struct EstimatorConfiguration: Sendable {
  package let name: String
  package let traits: EstimatorTraits
  /// Parameters of the receiver's estimator, for ``EstimatorInput/receiverEstimate``.
  package let receiver: ReceiveSideParameters?
  /// Packet headers relative to video payload.
  package let headerShare: Double
  private let make: @Sendable (Int) -> any PathControllers

  package init<Controller: RateController & ~Copyable>(
    _ name: String, _ controller: Controller.Type, _ parameters: Controller.Parameters
  ) {
    self.name = name
    traits = Controller.traits
    receiver = (parameters as? REMBParameters)?.receiver
    headerShare = parameters.headerShare
    make = { ControllerTable<Controller>(parameters, paths: $0) }
  }

  /// Creates one controller per path.
  package func makeControllers(paths: Int) -> any PathControllers { make(paths) }

  /// Interval of the controllers' periodic processing, as in libwebrtc (`api/transport/goog_cc_factory.cc`).
  package static let processInterval = SimDuration.milliseconds(25)
}
