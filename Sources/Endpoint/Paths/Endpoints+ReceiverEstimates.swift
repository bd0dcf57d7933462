package import Network
package import Quantity
package import SimulationKernel

/// Estimates that receivers report (REMB, draft-alvestrand-rmcat-remb-03).
extension Endpoints {
  /// Handles a packet of video or padding at the end of a downlink whose receiver estimates its capacity.
  package mutating func estimate(
    from packet: Packet, of source: Int?, by participant: Int, links: inout PathLinks, kernel: inout Kernel
  ) {
    if receivers[participant].receive(packet, of: source, at: kernel.now) {
      report(by: participant, links: &links, kernel: &kernel)
    }
  }

  /// Repeats the last estimate after an RTCP packet of a stream.
  ///
  /// - Parameter source: source of the stream; `nil` for a report on all.
  package mutating func repeatEstimate(
    with source: Int?, by participant: Int, links: inout PathLinks, kernel: inout Kernel
  ) {
    guard rules.receivesEstimates(on: Path.down(participant)),
      source == nil || source == receivers[participant].reportingSource
    else {
      return
    }
    report(by: participant, links: &links, kernel: &kernel)
  }

  private mutating func report(by participant: Int, links: inout PathLinks, kernel: inout Kernel) {
    guard let estimate = receivers[participant].reported else { return }
    sendControl(
      .receiverEstimate(estimate, at: kernel.now), against: Path.down(participant), links: &links,
      kernel: &kernel)
  }

  /// Handles an estimate that has reached the sender of a path.
  package mutating func receiveEstimate(_ packet: Packet, on path: Int, at now: SimTime) -> BitRate {
    let estimate = packet.receiverEstimate
    controllers.receive(estimate: estimate, on: path, at: now)
    return estimate
  }
}
