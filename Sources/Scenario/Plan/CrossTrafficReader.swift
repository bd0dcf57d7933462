import CrossTraffic
import Network
import Plan
import Quantity
import YAML

/// Flows of a draft.
struct TrafficDrafts {
  private(set) var flows: [CrossTrafficPlan] = []
  /// Index of each flow, by name.
  private(set) var numbers: [String: Int] = [:]
  /// Timeline entries that start and stop flows.
  var switches: [(flow: Int, at: SimTime, starts: Bool)] = []

  mutating func add(_ flow: CrossTrafficPlan) {
    if numbers[flow.name] == nil { numbers[flow.name] = flows.count }
    flows.append(flow)
  }

  /// Replaces the active periods of flows that the timeline starts or stops.
  mutating func applySwitches(until end: SimTime) {
    for (flow, switches) in Dictionary(grouping: switches, by: \.flow).sorted(by: { $0.key < $1.key }) {
      let ordered = switches.sorted { $0.at < $1.at }
      var periods: [Range<SimTime>] = []
      // If the first entry stops the flow, it runs from its own start until then.
      var began = ordered[0].starts ? nil : flows[flow].periods.first?.lowerBound
      for one in ordered {
        if one.starts {
          began = began ?? one.at
        } else if let start = began {
          if start < one.at { periods.append(start..<one.at) }
          began = nil
        }
      }
      if let start = began, start < end { periods.append(start..<end) }
      flows[flow].periods = periods
    }
  }
}

/// Turns cross traffic into flows over a link.
struct CrossTrafficReader: PlanReader {
  let draft: MeetingDraft

  /// Maximum number of flows, which have 16-bit numbers.
  private static let limit = 10_000

  /// Reads an entry of `cross-traffic`.
  func readFlows(_ node: Node) {
    guard let fields = Fields(node, "cross traffic", reading) else { return draft.faults.note(nil) }
    var values = fields.read(CrossTrafficSection.self, only: CrossTrafficSection.common)
    fields.read(into: &values, only: values.kind?.own)
    let own = Entry(values: values, fields: fields)
    let kind = kind(own)
    fields.finish()
    guard let link = link(own.link), let name = own.name, let kind else {
      return draft.faults.note(fields["name"]?.string)
    }
    guard Identifier.isValid(name.text), draft.traffic.numbers[name.text] == nil else {
      return name.report(
        "'\(name.text)' is already used or has characters other than letters, digits, '_', '-' and '.'")
    }
    let start = own.start ?? .zero
    if let stop = own.stop, stop <= start { own.report("stop: \(stop) is not after start (\(start))") }
    let period = (SimTime.zero + start, SimTime.zero + (own.stop ?? draft.duration + .seconds(1)))
    let count = own.count ?? 1
    guard draft.traffic.flows.count + count <= Self.limit else {
      return own.report("there are more than \(Self.limit) flows of cross traffic")
    }
    for number in 1...count {
      var flow = CrossTrafficPlan(
        name: count > 1 ? "\(name.text)-\(number)" : name.text, link: link, kind: kind,
        returnDelay: own.returnDelay ?? draft.links.plans[link].parameters.propagationDelay,
        periods: period.0 < period.1 ? [period.0..<period.1] : [])
      flow.startsBusy = number <= own.busy ?? 0
      draft.traffic.add(flow)
    }
  }

  private func kind(_ own: Entry<CrossTrafficSection>) -> CrossTrafficPlan.Kind? {
    guard let kind = own.kind else { return nil }
    if kind.own.contains("rate") { _ = own.fields.require("rate", example: "500 kbps") }
    switch kind {
    case .tcp: return .tcp(own.control)
    case .shortTCP: return .shortTCP(own.control)
    case .constant: return own.rate.map { .constantRate($0) }
    case .onOff:
      let on = own.on ?? .seconds(1)
      return own.rate.map { .onOff($0, on: on, off: own.off ?? on) }
    }
  }

  /// Returns the index of a flow; `nil`, with an error reported, if there is none.
  func flow(_ name: Name) -> Int? {
    if let flow = draft.traffic.numbers[name.text] { return flow }
    if draft.faults.explain(name.text) { return nil }
    let known = draft.traffic.flows.prefix(Suggestion.limit).map(\.name)
    name.report("there is no cross traffic '\(name.text)': \(Suggestion.text(for: name.text, among: known))")
    return nil
  }
}
