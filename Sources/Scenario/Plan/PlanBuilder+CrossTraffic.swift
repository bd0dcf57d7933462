import CrossTraffic
import Network
import Plan
import Quantity
import YAML

/// Reading of cross traffic: flows over a link, and the timeline entries that start and stop them.
extension PlanBuilder {
  /// Reads `cross-traffic:`, a list of flows.
  func readCrossTraffic(_ fields: Fields) {
    for node in fields.list("cross-traffic") ?? [] {
      guard let entry = Fields(node, "cross traffic", reading) else {
        faults.note(nil)
        continue
      }
      defer { entry.finish() }
      guard let nameNode = entry.require("name", example: "bulk"),
        let name = entry.text(of: nameNode, "name"),
        let link = crossLink(entry), let kind = crossKind(entry)
      else {
        faults.note(mappedName(node))
        entry.stop()
        continue
      }
      guard PlanBuilder.isIdentifier(name), flowNumbers[name] == nil else {
        entry.report(
          nameNode,
          "name: '\(name)' is already used or has characters other than letters, digits, '_', '-' and '.'")
        entry.stop()
        continue
      }
      let delay = entry.duration("return-delay", atMost: .seconds(60))
      let start = entry.duration("start") ?? .zero
      let stop = entry.duration("stop")
      let count = entry.integer("count", in: 1...1_000) ?? 1
      let busy = entry.integer("busy", in: 0...1_000) ?? 0
      if let stop, stop <= start { entry.report(nil, "stop: \(stop) is not after start (\(start))") }
      let end = SimTime.zero + (stop ?? duration + .seconds(1))
      guard crossTraffic.count + count <= Self.flowLimit else {
        return entry.report(nil, "there are more than \(Self.flowLimit) flows of cross traffic")
      }
      for number in 1...count {
        var flow = CrossTrafficPlan(
          name: count > 1 ? "\(name)-\(number)" : name, link: link, kind: kind,
          returnDelay: delay ?? links[link].parameters.propagationDelay,
          periods: SimTime.zero + start < end ? [SimTime.zero + start..<end] : [])
        flow.startsBusy = number <= busy
        if flowNumbers[flow.name] == nil { flowNumbers[flow.name] = crossTraffic.count }
        crossTraffic.append(flow)
      }
    }
  }

  private func mappedName(_ node: Node) -> String? {
    guard case .mapping(let entry) = node else { return nil }
    return entry.first { $0.key.string == "name" }?.value.string
  }

  private func crossLink(_ entry: Fields) -> Int? {
    entry.require("link", example: "viewer/down").flatMap { linkNumber($0, entry) }
  }

  private func crossKind(_ entry: Fields) -> CrossTrafficPlan.Kind? {
    guard let node = entry.require("kind", example: "tcp"), let text = entry.text(of: node, "kind") else {
      return nil
    }
    let control = entry.choice("congestion-control", TCPCongestionControl.self) ?? .cubic
    switch text {
    case "tcp": return .tcp(control)
    case "short-tcp": return .shortTCP(control)
    case "constant":
      guard entry.require("rate", example: "500 kbps") != nil, let rate = entry.rate("rate") else {
        return nil
      }
      return .constantRate(rate)
    case "on-off":
      guard entry.require("rate", example: "500 kbps") != nil, let rate = entry.rate("rate") else {
        return nil
      }
      let on = entry.duration("on") ?? .seconds(1)
      return .onOff(rate, on: on, off: entry.duration("off") ?? on)
    default:
      entry.report(
        node, "kind: '\(text)' is not one of tcp, short-tcp, constant, on-off")
      return nil
    }
  }

  /// Reads `{at: …, start-traffic: NAME}` and `{at: …, stop-traffic: NAME}`.
  ///
  /// - Returns: `true` if the entry is one of these.
  func readTrafficSwitch(_ fields: Fields, at: SimTime) -> Bool {
    for (key, starts) in [("start-traffic", true), ("stop-traffic", false)] {
      guard let node = fields.take(key) else { continue }
      guard let name = fields.text(of: node, key) else { return true }
      guard let flow = flowNumbers[name] else {
        if faults.explain(name) { return true }
        let known = crossTraffic.prefix(Suggestion.limit).map(\.name)
        fields.report(
          node, "\(key): there is no cross traffic '\(name)': \(Suggestion.text(for: name, among: known))")
        return true
      }
      trafficSwitches.append((flow, at, starts))
      return true
    }
    return false
  }

  /// Replaces the active periods of flows that the timeline starts or stops.
  func applyTrafficSwitches() {
    let byFlow = Dictionary(grouping: trafficSwitches, by: \.flow)
    for flow in crossTraffic.indices {
      let switches = (byFlow[flow] ?? []).sorted { $0.at < $1.at }
      guard let first = switches.first else { continue }
      let end = SimTime.zero + duration + .seconds(1)
      var periods: [Range<SimTime>] = []
      // If the first entry stops the flow, it runs from its own start until then.
      var began = first.starts ? nil : crossTraffic[flow].periods.first?.lowerBound
      for one in switches {
        if one.starts {
          began = began ?? one.at
        } else if let start = began {
          if start < one.at { periods.append(start..<one.at) }
          began = nil
        }
      }
      if let start = began, start < end { periods.append(start..<end) }
      crossTraffic[flow].periods = periods
    }
  }
}
