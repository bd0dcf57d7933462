import Allocation
package import Endpoint
import Ladder
import Plan
package import Quantity
package import SimulationKernel
import Systems

/// Demand of a source's viewers on its publisher.
extension SFU {
  /// Signals the requested encodings of every source to its publisher, if they have changed.
  mutating func tellDemands(_ net: inout Connections, kernel: inout Kernel) {
    for source in allocator.streams.sources.indices { tellDemand(for: source, &net, kernel: &kernel) }
  }

  /// Signals the requested encodings of a source to its publisher, if they have changed.
  package mutating func tellDemand(for source: Int, _ net: inout Connections, kernel: inout Kernel) {
    let demand = takeDemand(of: source, at: kernel.now)
    if let due = demands.takeDueTime(of: source) {
      kernel.schedule(at: due, tag: MeetingEvent(.encodingPause, source).tag)
    }
    guard let demand else { return }
    let path = Path.down(allocator.streams.sources[source].participant)
    net.send(.demand(source: source, demand), on: path, kernel: &kernel)
  }

  /// Returns the demand to signal to a source's publisher; `nil` if it is unchanged.
  package mutating func takeDemand(of source: Int, at now: SimTime) -> EncodingDemand? {
    let isCapturing = directory.sources[source].isCapturing
    let news = demands.take(demand(for: source), of: source, isCapturing: isCapturing, at: now)
    if let news { forwarder.expectLayers(of: source, news.begun) }
    return news?.demand
  }

  /// Returns the demand of a source's viewers.
  private mutating func demand(for source: Int) -> EncodingDemand {
    let used = forwarder.switching.usedEncodings(of: source)
    let traits = forwarder.traits[source]
    var demand = EncodingDemand(
      forwarded: used.union(traits.alwaysWanted),
      desired: allocator.counts.desired.encodings(of: source, allocator.streams),
      settled: allocator.counts.settled.encodings(of: source, allocator.streams))
    if traits.takesFrames { demand.used = used }
    if traits.followsRequests { demand.lines = allocator.requestedLines(of: source) }
    if let controller { demand.orders = controller.orders[source] }
    if allocator.mergesFeedback || allocator.streams.sources[source].followsReceivers {
      demand.bearable = allocator.bearableRate(of: source)
    }
    return demand
  }
}
