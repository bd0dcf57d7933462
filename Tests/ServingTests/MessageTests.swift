import Allocation
import Endpoint
import Ladder
import Plan
import Quantity
import Serving
import Systems
import TestSupport
import Testing

private let p = ServingBench.p
private let v = ServingBench.v

@Suite("Messages to the SFU")
struct MessageTests {
  /// Returns the messages in flight on a path: `demand` with the encodings that are forwarded, and `track` with a
  /// limitation.
  private func messages(on path: Int, _ net: inout Connections) -> [String] {
    var messages: [String] = []
    while let message = net.signalling.receive(on: path, net.links) {
      switch message {
      case .demand(_, let demand): messages.append("demand \(demand.forwarded.rawValue)")
      case .track(_, let isGiven, let limitation):
        messages.append("track \(isGiven ? "given" : "ended") \(limitation?.rawValue ?? "-")")
      default: messages.append("other")
      }
    }
    return messages
  }

  /// Returns the SFU's records for the tables: the encodings decided, or the end of a subscription.
  private func records(_ bench: inout ServingBench) -> [String] {
    defer { bench.sfu.records = [] }
    return bench.sfu.records.map { record in
      switch record {
      case .decisions(let decided, let viewer, let budget):
        let layers = decided.map { $0.grant.layer.map { "\($0.id.encoding)" } ?? "-" }
        return "\(viewer): \(layers.joined(separator: " ")) of \(budget.total)"
      case .end(let source, let viewer, let previous, _):
        return "\(viewer): \(source) ends after \(previous.map { "\($0.encoding)" } ?? "-")"
      case .event(let event, let viewer): return "\(viewer): \(event.name)"
      }
    }
  }

  /// 500 kbps carry b but not c. An unchanged request changes nothing; one without the source ends its subscription.
  @Test func subscriptionsAreDecidedWhenTheyArrive() throws {
    var bench = try ServingBench()
    let seed = RunSeed(seed: 1, repetition: 0)
    var net = Connections(
      Endpoints(bench.plan, seed: seed), PathLinks(bench.plan, seed: seed),
      Signalling(paths: 6, sharesLinks: false, bench.sfu.directory))
    bench.sfu.participants[v].isConnected = true
    bench.sfu.allocator.budgets[v].downlink = VideoBudget(estimate: .kilobits(500))
    let request = SubscriptionRequest(wishes: [bench.wish()], demand: ViewerDemand())

    bench.learn(.subscriptions(request), from: v, &net)
    let decided = records(&bench)
    #expect(decided.count == 1 && decided.first?.hasPrefix("1: 1 of ") == true)
    let asked = messages(on: Path.down(p), &net)
    #expect(asked == ["demand 2"])
    let given = messages(on: Path.down(v), &net)
    #expect(given == ["track given bandwidth"])

    bench.learn(.subscriptions(request), from: v, &net)
    _ = records(&bench)
    let again = messages(on: Path.down(p), &net) + messages(on: Path.down(v), &net)
    #expect(again == [])

    let nothing = SubscriptionRequest(wishes: [], demand: ViewerDemand())
    bench.learn(.subscriptions(nothing), from: v, &net)
    let last = records(&bench)
    #expect(last.contains("1: 0 ends after 1"))
    let ended = messages(on: Path.down(p), &net)
    #expect(ended == ["demand 0"])
  }
}
