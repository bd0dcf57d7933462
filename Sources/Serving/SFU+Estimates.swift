import Allocation
import CongestionControl
package import Endpoint
import Plan
import Quantity
package import SimulationKernel
import Systems

/// Effects of downlink estimates on budgets and decisions.
extension SFU {
  /// Follows the estimate of a viewer's downlink, and reallocates if it has changed enough.
  package mutating func followDownlink(of viewer: Int, _ net: inout Connections, kernel: inout Kernel) {
    guard participants[viewer].isViewer else { return }
    let now = kernel.now
    guard !peers.isConnected(viewer) else {
      return net.endpoints.setDemand(SenderDemand(), on: Path.down(viewer), at: now)
    }
    let reserve = voices.reserve(for: viewer, directory, at: now)
    updateDemand(of: viewer, reserve: reserve, &net, at: now)
    let path = Path.down(viewer)
    let budget = net.endpoints.videoBudget(of: path, voices: reserve, at: now)
    allocator.followEstimate(of: viewer, within: budget, voices: reserve, &net.endpoints, at: now)
    if allocator.streams.hasFollowingSenders {
      for source in allocator.followReceivers(of: viewer, within: budget) {
        tellDemand(for: source, &net, kernel: &kernel)
      }
    }
    if let available = budget.available.rate {
      reportDownlink(to: viewer, budget: available, repairs: budget.repairs, &net, kernel: &kernel)
    }
    guard !servers.serves(viewer) else {
      // Receivers' estimates arrive on their own; other estimates are handled as if they did.
      if !net.endpoints.rules.receivesEstimates(on: path), !net.endpoints.rules.isAllocatorDriven(path) {
        reportEstimate(
          capacity(for: viewer, within: budget, &net, at: now), to: viewer, &net, kernel: &kernel)
      }
      return
    }
    if controller == nil, allocator.budgets[viewer].isDue(by: allocator.reallocation, at: now) {
      allocate(viewer: viewer, &net, kernel: &kernel)
    }
  }

  /// Returns the capacity of a viewer's downlink as its server sees it: the estimate including voices, since real
  /// estimates settle where both fit. With an estimator that knows the capacity, voices and headers are subtracted [our
  /// model].
  private func capacity(
    for viewer: Int, within budget: VideoBudget, _ net: inout Connections, at now: SimTime
  ) -> VideoBudget {
    let path = Path.down(viewer)
    let isBudget = net.endpoints.observesCapacity(of: path) || forwarder.rules.reservesVoices
    var capacity = isBudget ? budget : VideoBudget(estimate: net.endpoints.estimate(path))
    if forwarder.rules.reservesRepairs, capacity.repairs == .zero, let available = capacity.available.rate {
      capacity.repairs = net.endpoints.repairRate(on: path, within: available, at: now)
    }
    return capacity
  }

  private mutating func updateDemand(
    of viewer: Int, reserve: BitRate, _ net: inout Connections, at now: SimTime
  ) {
    let path = Path.down(viewer)
    let isByReceiver = net.endpoints.rules.receivesEstimates(on: path)
    guard net.endpoints.rules.usesFeedback(on: path) || isByReceiver else { return }
    var demand = allocator.demand(
      of: viewer, voices: reserve, headerShare: net.endpoints.headerShare(of: path))
    // Servers and controllers keep within their budgets.
    if controller != nil || servers.serves(viewer) { demand.isBeyondTarget = false }
    if servers.serves(viewer) || isByReceiver {
      let rules = forwarder.rules
      allocator.limitPadding(
        of: &demand, for: viewer, to: isByReceiver ? rules.receiverPadding : rules.padding,
        estimate: net.endpoints.estimate(path))
    }
    net.endpoints.setDemand(demand, on: path, at: now)
  }

  /// Sends the SFU's report on a downlink to its viewer, if the client uses it.
  private func reportDownlink(
    to viewer: Int, budget: BitRate, repairs: BitRate, _ net: inout Connections, kernel: inout Kernel
  ) {
    guard participants[viewer].followsDownlink else { return }
    let path = Path.down(viewer)
    let downlink = Downlink(
      budget: budget, repairs: repairs, signs: net.endpoints.takeSigns(on: path, at: kernel.now))
    net.send(.downlink(downlink), on: path, kernel: &kernel)
  }
}
