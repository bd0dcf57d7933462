import Endpoint
import Ladder
import Plan
package import Quantity
import SimulationKernel
package import Systems

/// Cameras whose video a system's publisher withholds while the uplink is weak.
extension Publishers {
  /// Informs a camera's publisher of the uplink capacity.
  ///
  /// - Returns: the camera and its publisher's events; `nil` if there are none.
  package mutating func followUplink(of number: Int, at now: SimTime) -> (camera: Int, events: [SystemEvent])?
  {
    guard let camera = streams.cameraOf[number], sources[camera].sender.followsUplink,
      sources[camera].capture.isOn || sources[camera].publisher.withholdsVideo
    else { return nil }
    let events = sources[camera].publisher.handle(
      .uplink(states[number].videoBudget, joinedAt: states[number].joinedAt), at: now)
    return events.isEmpty ? nil : (camera, events)
  }

  /// Returns the full rate of a participant's requested encodings, of the sources that are on.
  package func wholeRate(of number: Int) -> BitRate {
    var rate = BitRate.zero
    for source in streams.cameraFirst(of: number) where sources[source].capture.isOn {
      var own = BitRate.zero
      for encoding in sources[source].encodings
      where sources[source].demand.isWanted(encoders[encoding].index) {
        own += encoders[encoding].fullRate
      }
      rate += sources[source].layering.map { min(own, $0.split.usefulMaximum) } ?? own
    }
    return rate
  }
}
