import Allocation
import Ladder
import Quantity

/// What each viewer saw beside the best that its link, its estimate and its server's budget would have allowed.
///
/// Looked at at the end of every interval, over the layers that the viewer's sources offered then, at the rates that they
/// offered them at; what was decoded is the interval's score in `streams.csv`.
struct Yardstick {
  /// A viewer's interval.
  struct Moment {
    var capacity: BitRate
    var estimate: BitRate
    var budget: BitRate
    var tiles: [Tile]
    var length: SimDuration
  }

  /// One subscription in an interval.
  struct Tile {
    var wish: Wish
    /// Decided, and forwarded; `nil` for nothing.
    var decided: Layer?
    var forwarded: Layer?
    /// Score of what was decoded; `nil` for nothing.
    var score: Double?
  }

  /// What a subscription came to when it was looked at last: most are as they were an interval before.
  private struct Look {
    var wish: Wish
    var decidedLayer: Layer?
    var forwardedLayer: Layer?
    var options: [TileOption] = []
    /// Utilities [millionths].
    var decided: Int64 = 0
    var forwarded: Int64 = 0

    init(_ tile: Tile) {
      wish = tile.wish
      decidedLayer = tile.decided
      forwardedLayer = tile.forwarded
    }

    func isOf(_ tile: Tile) -> Bool {
      decidedLayer == tile.decided && forwardedLayer == tile.forwarded && wish == tile.wish
    }
  }

  private struct Seat {
    var meter = UtilityMeter()
    var recovery = RecoveryMeter()
    /// By source.
    var switches: [Int: SwitchMeter] = [:]
    var memo = TileUtilityMemo()
    /// By place of the tile in the interval.
    var looks: [Look] = []
    var problem = AllocationProblem([])
    /// Optima of the problem that were looked for last.
    var optima: [(budget: Int64, utility: Int64)] = []
  }

  let isOn: Bool
  /// By participant.
  private var seats: [Seat]

  init(isOn: Bool, participants: Int) {
    self.isOn = isOn
    seats = Array(repeating: Seat(), count: isOn ? participants : 0)
  }

  /// Layers of a source that a memo has room for.
  private static let layerRoom = 16

  mutating func note(_ moment: Moment, of viewer: Int, at now: SimTime) {
    look(at: moment.tiles, of: viewer)
    var course = UtilityCourse()
    for (tile, look) in zip(moment.tiles, seats[viewer].looks) {
      noteSwitch(to: tile.forwarded?.id, of: tile.wish, viewer, at: now)
      guard tile.wish.isReceivable else { continue }
      course.decided += look.decided
      course.forwarded += look.forwarded
      course.decoded += TileUtility.millionths(score: tile.score, weight: tile.wish.weight)
    }
    course.atCapacity = optimum(within: moment.capacity, of: viewer)
    course.atEstimate = optimum(within: moment.estimate, of: viewer)
    course.atBudget = optimum(within: moment.budget, of: viewer)
    course.hull = max(
      course.atCapacity, seats[viewer].problem.hullUtility(within: moment.capacity.bitsPerSecond))
    seats[viewer].meter.add(course, for: moment.length)
    seats[viewer].recovery.note(
      capacity: moment.capacity.bitsPerSecond, utility: course.decoded, optimum: course.atCapacity, at: now)
  }

  /// Brings a viewer's looks up to date, and the problem if an option has changed.
  private mutating func look(at tiles: [Tile], of viewer: Int) {
    var isNew = tiles.count != seats[viewer].looks.count
    seats[viewer].looks.removeLast(max(0, seats[viewer].looks.count - tiles.count))
    for (place, tile) in tiles.enumerated() {
      let known = place < seats[viewer].looks.count
      if known, seats[viewer].looks[place].isOf(tile) { continue }
      var look = Look(tile)
      look.options = tile.wish.options(
        of: Array(tile.wish.offers.prefix(Self.layerRoom)), staysWithinRequest: false, &seats[viewer].memo,
        from: tile.wish.source * Self.layerRoom)
      look.decided = Self.utility(of: tile.decided, for: tile.wish)
      look.forwarded = Self.utility(of: tile.forwarded, for: tile.wish)
      if known {
        isNew = isNew || seats[viewer].looks[place].options != look.options
        seats[viewer].looks[place] = look
      } else {
        seats[viewer].looks.append(look)
      }
    }
    guard isNew else { return }
    seats[viewer].problem = AllocationProblem(seats[viewer].looks.map(\.options))
    seats[viewer].optima = []
  }

  private static func utility(of layer: Layer?, for wish: Wish) -> Int64 {
    layer.map { TileUtility.millionths(of: $0, in: wish.judgedSize, weight: wish.weight) } ?? 0
  }

  private mutating func noteSwitch(to layer: LayerID?, of wish: Wish, _ viewer: Int, at now: SimTime) {
    if wish.isReceivable {
      seats[viewer].switches[wish.source, default: SwitchMeter()].note(layer, at: now)
    } else {
      seats[viewer].switches[wish.source]?.hide(at: now)
    }
  }

  private mutating func optimum(within budget: BitRate, of viewer: Int) -> Int64 {
    let bits = max(0, budget.bitsPerSecond)
    if let known = seats[viewer].optima.first(where: { $0.budget == bits }) { return known.utility }
    let utility = seats[viewer].problem.optimum(within: bits).utility
    if seats[viewer].optima.count == 4 { seats[viewer].optima.removeFirst() }
    seats[viewer].optima.append((bits, utility))
    return utility
  }

  // MARK: Results

  func gap(of viewer: Int) -> GapParts? { isOn ? seats[viewer].meter.gap : nil }

  /// Mean and longest recovery; `nil` without one.
  func recovery(of viewer: Int) -> (mean: SimDuration, longest: SimDuration)? {
    guard isOn, let mean = seats[viewer].recovery.mean else { return nil }
    return (mean, seats[viewer].recovery.longest)
  }

  /// Switches of a viewer's tiles for each minute that a tile was on the screen; `nil` without one.
  func switchesPerMinute(of viewer: Int, at now: SimTime) -> Double? {
    guard isOn else { return nil }
    return seats[viewer].switches.keys.sorted().compactMap { seats[viewer].switches[$0] }.perMinute(at: now)
  }

  /// How evenly viewers were served.
  var fairness: MeetingFairness {
    MeetingFairness(seats.map { seat in seat.meter.gap.map { ($0.utility, $0.optimum) } ?? (0, 0) })
  }
}
