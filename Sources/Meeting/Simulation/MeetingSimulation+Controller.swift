import Allocation
import Endpoint
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Systems
import Viewing

/// A controller that decides for the whole meeting: its input, and the execution of its orders.
extension MeetingSimulation {
  /// Handles a viewer's subscriptions that have reached the controller.
  mutating func control(_ viewer: Int, _ wanted: [Wish], _ demand: ViewerDemand, kernel: inout Kernel) {
    guard let wishes = sfu.controller?.subscribe(viewer, to: wanted, demand, at: kernel.now) else { return }
    var isWished = [Bool](repeating: false, count: streams.sourceCount)
    for wish in wishes { isWished[wish.source] = true }
    for source in streams.sources.indices where !isWished[source] {
      unsubscribe(viewer, from: source, kernel: &kernel)
    }
    sfu.allocator.noteDesires(wishes, of: viewer)
    for source in streams.sources.indices { tellDemand(for: source, kernel: &kernel) }
  }

  /// Reports every link to the controller, and lets it decide if it is due.
  mutating func followController(kernel: inout Kernel) {
    let now = kernel.now
    var uplinks: [(participant: Int, uplink: BitRate, sources: [Int])] = []
    for number in people.indices where people.isJoined(number) {
      if viewers.isViewer[number] {
        let budget = sfu.allocator.spendable(by: number).rate ?? .zero
        sfu.controller?.receive(budget, of: .down(participant: number), at: now)
      }
      let sources = streams.cameraFirst(of: number).filter { sfu.directory.sources[$0].isCapturing }
      guard !sources.isEmpty else { continue }
      let uplink = sfu.controller?.uplinks[number] ?? .zero
      sfu.controller?.receive(uplink, of: .up(participant: number), at: now)
      uplinks.append((number, uplink, sources))
    }
    guard sfu.controller?.isDue(at: now) == true else { return }
    let budgets = people.indices.map { sfu.allocator.spendable(by: $0).rate ?? .zero }
    let decided = sfu.controller?.decide(publishers: uplinks, budgets: budgets, at: now) ?? []
    for (viewer, wishes, decisions) in decided where people.isJoined(viewer) {
      sfu.allocator.beginAllocation(of: viewer, at: now)
      sfu.allocator.note(decisions.map(\.grant), for: wishes, of: viewer)
      apply(decisions, to: wishes, viewer: viewer, kernel: &kernel)
    }
    for source in streams.sources.indices { tellDemand(for: source, kernel: &kernel) }
  }
}
