import CrossTraffic
import Network
import Plan
import Quantity

/// A part of a call between changes of its links or of its cross traffic.
struct Segment: Equatable, Sendable {
  /// Start and end in whole seconds.
  var from: Int
  var to: Int
  /// Capacity of the narrowest link [kbps], ignoring traces.
  var kilobits: Double
  /// Number of other flows.
  var flows: Int

  var length: Int { to - from }
}

extension Segment {
  /// Minimum ratio between two capacities that counts as a rise or a drop.
  private static let largeStep = 2.0

  /// Checks whether the call has much more room than in the preceding segment: twice the capacity, or fewer flows.
  func isRise(from before: Segment) -> Bool {
    flows < before.flows || flows == before.flows && kilobits >= Self.largeStep * before.kilobits
  }

  /// Checks whether the call has much less room than in the preceding segment: half the capacity, or more flows.
  func isDrop(from before: Segment) -> Bool {
    flows > before.flows || flows == before.flows && kilobits * Self.largeStep <= before.kilobits
  }

  /// Returns the segments of a planned call, in order; a change is dated to the nearest whole second.
  static func all(of plan: MeetingPlan, seconds: Int) -> [Segment] {
    var times: Set<Int> = [0]
    func note(_ time: SimTime) { times.insert(Int(time.sinceStart.seconds.rounded())) }
    for link in plan.links {
      steps(of: link.parameters).forEach { note($0.at) }
      link.parameters.changes.forEach { note($0.at) }
      link.parameters.outages.forEach { note($0.upperBound) }
    }
    for flow in plan.crossTraffic {
      for period in flow.periods {
        note(period.lowerBound)
        note(period.upperBound)
      }
    }
    let starts = times.filter { $0 < seconds }.sorted()
    return zip(starts, starts.dropFirst() + [seconds]).map { from, to in
      let now = SimTime.zero + .seconds(Int64(from)) + .milliseconds(500)
      return Segment(
        from: from, to: to, kilobits: narrowest(plan, at: now),
        flows: plan.crossTraffic.count { $0.periods.contains { $0.contains(now) } })
    }
  }

  private static func steps(of link: LinkParameters) -> [CapacityStep] {
    switch link.capacity.base {
    case .constant, .trace: link.capacity.changes
    case .steps(let steps): steps + link.capacity.changes
    }
  }

  private static func narrowest(_ plan: MeetingPlan, at now: SimTime) -> Double {
    let rates = plan.links.compactMap { link -> BitRate? in
      steps(of: link.parameters).last { $0.at <= now }?.rate ?? link.parameters.capacity.constantRate
    }
    return Double(rates.min()?.bitsPerSecond ?? 0) / 1000
  }
}

extension MeetingPlan {
  /// Indicates a capacity that follows a trace and so never settles.
  var hasTrace: Bool {
    links.contains { if case .trace = $0.parameters.capacity.base { true } else { false } }
  }
}
