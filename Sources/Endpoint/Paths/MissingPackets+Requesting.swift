import Network
package import Quantity
package import SimulationKernel
package import Transport

extension MissingPackets {
  /// Requests those that are due, of a stream that comes on a path, from its sender.
  ///
  /// - Parameter known: round trip that the requesting end knows; `nil` for none.
  /// - Returns: number of requests.
  package mutating func request(
    of stream: Int, against path: Int, roundTrip known: SimDuration?, _ net: inout Connections,
    kernel: inout Kernel
  ) -> UInt32 {
    let wait = (known ?? RepairTiming.unknownRoundTrip).nanoseconds
    var count: UInt32 = 0
    while let request = takeRequest(at: kernel.now.nanoseconds, roundTrip: wait) {
      count += 1
      net.endpoints.sendControl(
        .negativeAcknowledgement(
          stream: stream, sequence: request.sequence, following: request.following, at: kernel.now),
        against: path, links: &net.links, kernel: &kernel)
    }
    return count
  }
}
