import Allocation
import CongestionControl
import Endpoint
import Metrics
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Systems
import Viewing

/// Effects of the controllers' estimates on publishers' rates and viewers' budgets.
extension MeetingSimulation {
  /// Passes every estimate on, and reallocates where one has changed enough.
  mutating func followEstimates(kernel: inout Kernel) {
    let now = kernel.now
    sfu.voices.noteSpeakers(sfu.directory, at: now)
    for number in people.indices where people.isJoined(number) {
      observeCapacity(of: number, at: now)
      if let camera = streams.cameraOf[number] { followPushedRate(of: camera, kernel: &kernel) }
      fitUplink(of: number, kernel: &kernel)
      updateUplinkDemand(of: number, at: now)
      guard viewers.isViewer[number] else { continue }
      let reserve = sfu.voices.reserve(for: number, sfu.directory, at: now)
      updateDownlinkDemand(of: number, reserve: reserve, at: now)
      let path = Path.down(number)
      let budget = endpoints.videoBudget(of: path, voices: reserve, at: now)
      sfu.allocator.followEstimate(of: number, within: budget, voices: reserve, &endpoints, at: now)
      if streams.hasFollowingSenders {
        for source in sfu.allocator.followReceivers(of: number, within: budget) {
          tellDemand(for: source, kernel: &kernel)
        }
      }
      if let available = budget.available.rate {
        reportDownlink(to: number, budget: available, repairs: budget.repairs, kernel: &kernel)
      }
      guard !sfu.servers.serves(number) else {
        // Receivers' own estimates arrive by themselves; others are handled as if they were such.
        if !endpoints.receivesEstimates(on: path), !endpoints.isAllocatorDriven(path) {
          reportEstimate(capacity(for: number, within: budget, at: now), to: number, kernel: &kernel)
        }
        continue
      }
      if sfu.controller == nil, sfu.allocator.budgets[number].isDue(by: sfu.allocator.reallocation, at: now) {
        allocate(viewer: number, kernel: &kernel)
      }
    }
    if sfu.controller != nil { followController(kernel: &kernel) }
  }

  /// Returns the capacity of a viewer's downlink for its server: the estimate, voices included, since real estimates
  /// settle where both fit. From an estimator that knows the capacity, voices and headers are subtracted [our model].
  private mutating func capacity(for viewer: Int, within budget: VideoBudget, at now: SimTime) -> VideoBudget
  {
    let path = Path.down(viewer)
    let isBudget = endpoints.observesCapacity(of: path) || sfu.forwarder.rules.reservesVoices
    var capacity = isBudget ? budget : VideoBudget(estimate: endpoints.estimate(path))
    if sfu.forwarder.rules.reservesRepairs, capacity.repairs == .zero, let available = capacity.available.rate
    {
      capacity.repairs = endpoints.repairRate(on: path, within: available, at: now)
    }
    return capacity
  }

  /// Performs the controllers' periodic work, every 25 ms as in libwebrtc (`api/transport/goog_cc_factory.cc`).
  mutating func control(kernel: inout Kernel) {
    endpoints.scheduleControl(kernel: &kernel)
    for participant in people.indices where people.isJoined(participant) {
      for path in Path.up(participant)...Path.down(participant) where links.exists(path) {
        endpoints.process(path, kernel: &kernel)
        if Path.isUp(path) { followUplink(of: participant, kernel: &kernel) }
      }
    }
  }

  /// Follows a new target of an uplink's controller.
  mutating func followUplink(of number: Int, kernel: inout Kernel) {
    guard publishers.mustFollowUplink(of: number, endpoints) else { return }
    fitUplink(of: number, kernel: &kernel)
  }

  mutating func fitUplink(of number: Int, kernel: inout Kernel) {
    for source in publishers.fitUplink(of: number, &endpoints, at: kernel.now) {
      announceSource(source, kernel: &kernel)
    }
    if let budget = publishers.takeUplinkReport(of: number) {
      signalling.send(.uplink(budget), on: Path.up(number), &links, kernel: &kernel)
    }
    guard let change = publishers.followUplink(of: number, at: kernel.now) else { return }
    for event in change.events {
      recording.record(
        EventRow(participant: number, event: event.name, detail: event.detail, result: "ok"),
        at: kernel.now)
    }
    publishers.refreshCapture(change.camera, endpoints, links, kernel: &kernel)
    announceSource(change.camera, kernel: &kernel)
  }

  /// Informs controllers without feedback of their paths' capacities.
  private mutating func observeCapacity(of number: Int, at now: SimTime) {
    for path in [Path.up(number), Path.down(number)] where endpoints.observesCapacity(of: path) {
      endpoints.observe(path, capacity: links.fairCapacity(of: path, at: now), at: now)
    }
  }

  private mutating func updateUplinkDemand(of number: Int, at now: SimTime) {
    let path = Path.up(number)
    guard endpoints.usesFeedback(on: path) else { return }
    let demand = publishers.demand(of: number, headerShare: endpoints.headerShare(of: path))
    endpoints.setDemand(demand, on: path, at: now)
  }

  private mutating func updateDownlinkDemand(of number: Int, reserve: BitRate, at now: SimTime) {
    let path = Path.down(number)
    let isByReceiver = endpoints.receivesEstimates(on: path)
    guard endpoints.usesFeedback(on: path) || isByReceiver else { return }
    var demand = sfu.allocator.demand(
      of: number, voices: reserve, headerShare: endpoints.headerShare(of: path))
    if sfu.servers.serves(number) || isByReceiver {
      let rules = sfu.forwarder.rules
      sfu.allocator.limitPadding(
        of: &demand, for: number, to: isByReceiver ? rules.receiverPadding : rules.padding,
        estimate: endpoints.estimate(path))
    }
    endpoints.setDemand(demand, on: path, at: now)
  }
}
