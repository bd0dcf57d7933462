import Allocation
import JSON
import Meeting
import Metrics
import Quantity

/// Steps from a link's capacity to the rate by which a viewer's streams fall short of it or exceed it [bit/s].
struct Waterfall {
  struct Step: Equatable {
    enum Kind: String {
      /// Rate left after the preceding steps.
      case subtotal
      /// Rate that a step adds or subtracts.
      case change
    }
    let kind: Kind
    let label: String
    let rate: BitRate
  }

  /// Empty if nothing was known about the downlink.
  private(set) var steps: [Step] = []

  /// - Parameters:
  ///   - estimate: estimate at the moment, if the budget's is an older or a held one.
  ///   - hold: reason why the budget is not that of the estimate.
  ///   - changeThreshold: share by which an estimate has to change before the server acts on it; `nil` for any change.
  ///   - clientCap: the viewer's own limit on what it receives.
  ///   - tiles: the viewer's subscriptions by rank.
  ///   - own: index of the tile among them; `nil` if it is not subscribed to.
  init(
    link: (name: String, capacity: BitRate)?, estimate: BitRate? = nil, hold: MomentState.Hold? = nil,
    changeThreshold: Fraction? = nil, budget: VideoBudget, clientCap: RateLimit,
    tiles: [ReplayedDecision.Tile], own: Int?
  ) {
    guard let known = budget.estimate, let available = budget.available.rate, let total = budget.total.rate
    else { return }
    if let link {
      add(.subtotal, "capacity of \(link.name)", link.capacity)
      let difference = (estimate ?? known) - link.capacity
      if difference != .zero {
        add(.change, difference < .zero ? "not in the estimate" : "estimated beyond the capacity", difference)
      }
    }
    add(.subtotal, "estimate", estimate ?? known)
    if let estimate, estimate != known {
      let difference = Self.difference(hold, changeThreshold)
      add(.change, difference, known - estimate)
    }
    let reserves = [
      ("voices", budget.voices), ("padding", budget.padding), ("RTP headers", budget.headers),
      ("retransmissions", budget.repairs),
    ]
    for (label, rate) in reserves where rate > .zero { add(.change, label, .zero - rate) }
    if total < available {
      let whose = budget.cap == clientCap ? "the viewer's cap" : "the server's own limit"
      add(.change, "above \(whose)", total - available)
    }
    add(.subtotal, "budget of the videos", total)
    addStreams(tiles, own: own, within: total)
  }

  private static func difference(_ hold: MomentState.Hold?, _ changeThreshold: Fraction?) -> String {
    if let changeThreshold { return "not acted on: the change is not above \(percent(changeThreshold))" }
    return switch hold {
    case .dip: "held through the dip"
    case .settled: "held by the server"
    case nil: "not yet in the server's budget"
    }
  }

  private mutating func addStreams(_ tiles: [ReplayedDecision.Tile], own: Int?, within total: BitRate) {
    let place = tiles.firstIndex { $0.source == own } ?? tiles.endIndex
    var left = total
    for tile in tiles[..<place] where tile.taken > .zero {
      left -= tile.taken
      add(.change, "\(tile.rank). \(tile.name) \(tile.text)", .zero - tile.taken)
    }
    guard place < tiles.endIndex else { return addRest([], left) }
    if place > tiles.startIndex { add(.subtotal, "left for \(tiles[place].name)", left) }
    left -= tiles[place].taken
    // A server that goes by measured rates may give a layer of which nothing has arrived yet.
    let isUnmeasured = tiles[place].given != nil && tiles[place].taken == .zero
    add(
      .change,
      "\(tiles[place].rank). \(tiles[place].name) \(tiles[place].text)"
        + (isUnmeasured ? ", not measured yet" : ""),
      .zero - tiles[place].taken)
    let after = tiles[(place + 1)...].filter { $0.taken > .zero }
    addRest(after, after.reduce(left) { $0 - $1.taken })
  }

  private mutating func addRest(_ after: [ReplayedDecision.Tile], _ left: BitRate) {
    if let only = after.first, after.count == 1 {
      add(.change, "\(only.rank). \(only.name) \(only.text)", .zero - only.taken)
    } else if !after.isEmpty {
      add(.change, "\(after.count) more after it", .zero - after.reduce(.zero) { $0 + $1.taken })
    }
    add(.subtotal, left < .zero ? "given beyond the budget" : "left over", left)
  }

  private mutating func add(_ kind: Step.Kind, _ label: String, _ rate: BitRate) {
    steps.append(Step(kind: kind, label: label, rate: rate))
  }

  /// Lines of limited width with the rates in kbit/s, exact to the bit; long names are shortened in the middle.
  var lines: [String] {
    guard !steps.isEmpty else { return ["the estimate has no limit"] }
    let rates = steps.map { Self.kilobits($0.rate, signed: $0.kind == .change) }
    let width = rates.map(\.count).max() ?? 0
    return zip(steps, rates).map { step, rate in
      let padded = String(repeating: " ", count: width - rate.count) + rate
      let head = "\(padded) kbps  " + (step.kind == .subtotal ? "" : "  ")
      let room = max(Terminal.width - head.count, 24)
      guard step.label.count > room else { return head + step.label }
      return head + step.label.prefix(room - 12) + "…" + step.label.suffix(11)
    }
  }

  var json: JSONValue {
    .list(
      steps.map {
        .object([
          ("kind", .text($0.kind.rawValue)), ("label", .text($0.label)),
          ("rate_bps", .integer($0.rate.bitsPerSecond)),
        ])
      })
  }

  /// Formats a share with at most two decimals.
  static func percent(_ share: Fraction) -> String { "\((share.value * 1e4).rounded() / 1e2) %" }

  /// Formats a rate in kbit/s; three decimals make it exact to the bit.
  static func kilobits(_ rate: BitRate, signed: Bool = false) -> String {
    let bits = rate.bitsPerSecond.magnitude
    let fraction = String(bits % 1000 + 1000).dropFirst()
    let sign = rate < .zero ? "-" : signed ? "+" : ""
    return "\(sign)\(bits / 1000).\(fraction)"
  }
}
