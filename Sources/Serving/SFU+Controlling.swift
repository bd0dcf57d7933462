import Allocation
package import Endpoint
import Ladder
import Plan
import Quantity
package import SimulationKernel
import Systems

/// A controller that decides for the whole meeting: its input, and the execution of its orders.
extension SFU {
  /// Handles a viewer's subscriptions that have reached the controller.
  mutating func control(
    _ viewer: Int, _ wanted: [Subscription], _ demand: ViewerDemand, _ net: inout Connections,
    kernel: inout Kernel
  ) {
    guard let wishes = controller?.subscribe(viewer, to: wanted, demand, at: kernel.now) else { return }
    let isWished = wished(wishes)
    for source in allocator.streams.sources.indices where !isWished[source] {
      unsubscribe(viewer, from: source, &net, kernel: &kernel)
    }
    allocator.noteDesires(wishes, of: viewer)
    tellDemands(&net, kernel: &kernel)
  }

  /// Reports the estimate of every link to the controller, and has it decide if a decision is due.
  package mutating func followController(_ net: inout Connections, kernel: inout Kernel) {
    let now = kernel.now
    var uplinks: [(participant: Int, uplink: BitRate, sources: [Int])] = []
    for number in participants.indices where participants[number].isConnected {
      if participants[number].isViewer {
        let budget = allocator.spendable(by: number).rate ?? .zero
        controller?.receive(budget, of: .down(participant: number), at: now)
      }
      let sources = allocator.streams.cameraFirst(of: number).filter { directory.sources[$0].isCapturing }
      guard !sources.isEmpty else { continue }
      let uplink = controller?.uplinks[number] ?? .zero
      controller?.receive(uplink, of: .up(participant: number), at: now)
      uplinks.append((number, uplink, sources))
    }
    guard controller?.isDue(at: now) == true else { return }
    let budgets = participants.indices.map { allocator.spendable(by: $0).rate ?? .zero }
    let decided = controller?.decide(publishers: uplinks, budgets: budgets, at: now) ?? []
    for (viewer, wishes, ordered, rules) in decided where participants[viewer].isConnected {
      var grants = ordered
      allocator.beginAllocation(of: viewer, at: now)
      allocator.noteCap(in: &grants, of: viewer)
      allocator.note(grants, for: wishes, of: viewer)
      apply(grants, by: rules, to: wishes, viewer: viewer, &net, kernel: &kernel)
    }
    tellDemands(&net, kernel: &kernel)
  }
}
