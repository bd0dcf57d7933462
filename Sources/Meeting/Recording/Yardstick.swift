import Allocation
import Ladder
import Quantity
import Serving

/// Compares each viewer's picture with the best that its link, its estimate and its server's budget would have allowed.
///
/// It is evaluated at the end of every interval, over the layers that the viewer's sources then offered, at the offered
/// rates. Decided and forwarded layers count at those rates too, and a layer that is not offered counts as the highest
/// offered one below it [our model]. Decoded video counts with the interval's score in `streams.csv`.
struct Yardstick {
  /// A viewer in an interval.
  struct Moment {
    var capacity: BitRate
    var estimate: BitRate
    var budget: RateLimit
    var length: SimDuration
  }

  /// State of a subscription at the end of an interval.
  struct SeenTile: Equatable {
    var wish: Subscription
    /// Decided layer; `nil` for none.
    var decided: Layer?
    /// Forwarded layer; `nil` for none.
    var forwarded: Layer?
  }

  /// Key that changes whenever a subscription does.
  struct Key: Equatable {
    var track: Int
    /// Value of ``SubscriptionTable/revisions``.
    var revision: UInt32
    /// Size on the viewer's screen; `nil` if the app does not state it.
    var tile: Resolution?
    var forwarded: CompactLayer
  }

  /// Result of the last evaluation of a subscription, kept because most do not change between intervals.
  private struct Look {
    var key: Key
    var subscription: SeenTile
    var options: [TileOption] = []
    /// Utility of the decided layer [millionths].
    var decided: Int64 = 0
    /// Utility of the forwarded layer [millionths].
    var forwarded: Int64 = 0
    /// Score of the decoded video in the interval; `nil` for none.
    var score: Double?
    let isReceivable: Bool
    let weight: Double

    init(_ subscription: SeenTile, _ key: Key, score: Double?) {
      self.key = key
      self.subscription = subscription
      self.score = score
      isReceivable = subscription.wish.isReceivable
      weight = subscription.wish.weight
    }
  }

  private struct Seat {
    var meter = UtilityMeter()
    var recovery = RecoveryMeter()
    /// Switch meters by source.
    var switches: [Int: SwitchMeter] = [:]
    var memo = TileUtilityMemo()
    /// Results by the tile's index in the interval.
    var looks: [Look] = []
    /// Number of tiles in the interval so far.
    var count = 0
    /// Set if the problem no longer matches the results.
    var isStale = true
    var problem = AllocationProblem([])
    /// Last computed optima of the problem.
    var optima: [(budget: Int64, utility: Int64)] = []
  }

  let isOn: Bool
  /// Seats by participant.
  private var seats: [Seat]

  init(isOn: Bool, participants: Int) {
    self.isOn = isOn
    seats = Array(repeating: Seat(), count: isOn ? participants : 0)
  }

  /// Number of layers of a source that a memo has room for.
  private static let layerRoom = 16

  /// Adds a viewer's next tile in the interval that ends now, if it is unchanged since the previous interval.
  ///
  /// - Returns: `true` if it was added; otherwise ``add(_:_:score:of:at:)`` must follow.
  mutating func add(_ key: Key, score: Double?, of viewer: Int) -> Bool {
    let place = seats[viewer].count
    guard place < seats[viewer].looks.count, seats[viewer].looks[place].key == key else { return false }
    seats[viewer].looks[place].score = score
    seats[viewer].count += 1
    return true
  }

  /// Adds a viewer's next tile in the interval that ends now.
  mutating func add(
    _ subscription: SeenTile, _ key: Key, score: Double?, of viewer: Int, at now: SimTime
  ) {
    let place = seats[viewer].count
    let known = place < seats[viewer].looks.count
    seats[viewer].count += 1
    if known, seats[viewer].looks[place].subscription == subscription {
      seats[viewer].looks[place].key = key
      seats[viewer].looks[place].score = score
      return
    }
    let wish = subscription.wish
    var look = Look(subscription, key, score: score)
    look.options = wish.options(
      of: Array(wish.offers.prefix(Self.layerRoom)), staysWithinRequest: false, &seats[viewer].memo,
      from: wish.source * Self.layerRoom)
    look.decided = Self.utility(of: subscription.decided, for: wish)
    look.forwarded = Self.utility(of: subscription.forwarded, for: wish)
    if known {
      seats[viewer].isStale =
        seats[viewer].isStale || seats[viewer].looks[place].options != look.options
      seats[viewer].looks[place] = look
    } else {
      seats[viewer].isStale = true
      seats[viewer].looks.append(look)
    }
    noteSwitch(to: subscription.forwarded?.id, of: wish, viewer, at: now)
  }

  /// Evaluates a viewer's interval that ends now, after its tiles have been added.
  mutating func note(_ moment: Moment, of viewer: Int, at now: SimTime) {
    solve(for: viewer)
    guard !seats[viewer].looks.isEmpty else { return }
    var course = UtilityCourse()
    for look in seats[viewer].looks.indices where seats[viewer].looks[look].isReceivable {
      course.decided += seats[viewer].looks[look].decided
      course.forwarded += seats[viewer].looks[look].forwarded
      course.decoded += TileUtility.millionths(
        score: seats[viewer].looks[look].score, weight: seats[viewer].looks[look].weight)
    }
    course.atCapacity = optimum(within: RateLimit(moment.capacity), of: viewer)
    course.atEstimate = optimum(within: RateLimit(moment.estimate), of: viewer)
    course.atBudget = optimum(within: moment.budget, of: viewer)
    course.hull = max(
      course.atCapacity, seats[viewer].problem.hullUtility(within: moment.capacity.bitsPerSecond))
    seats[viewer].meter.add(course, for: moment.length)
    seats[viewer].recovery.note(
      capacity: moment.capacity.bitsPerSecond, utility: course.decoded, optimum: course.atCapacity, at: now)
  }

  /// Completes the tiles of a viewer's interval, and updates the problem.
  private mutating func solve(for viewer: Int) {
    let gone = seats[viewer].looks.count - seats[viewer].count
    seats[viewer].count = 0
    seats[viewer].looks.removeLast(gone)
    guard seats[viewer].isStale || gone > 0 else { return }
    seats[viewer].isStale = false
    seats[viewer].problem = AllocationProblem(seats[viewer].looks.map(\.options))
    seats[viewer].optima = []
  }

  private static func utility(of layer: Layer?, for wish: Subscription) -> Int64 {
    guard let layer, let offered = wish.offered(upTo: layer.id) else { return 0 }
    return TileUtility.millionths(of: offered, in: wish.judgedSize, weight: wish.weight)
  }

  private mutating func noteSwitch(to layer: LayerID?, of wish: Subscription, _ viewer: Int, at now: SimTime)
  {
    if wish.isReceivable {
      seats[viewer].switches[wish.source, default: SwitchMeter()].note(layer, at: now)
    } else {
      seats[viewer].switches[wish.source]?.hide(at: now)
    }
  }

  private mutating func optimum(within budget: RateLimit, of viewer: Int) -> Int64 {
    // Without a budget, everything fits.
    let bits = max(0, budget.rate?.bitsPerSecond ?? .max)
    if let known = seats[viewer].optima.first(where: { $0.budget == bits }) { return known.utility }
    let utility = seats[viewer].problem.optimum(within: bits).utility
    if seats[viewer].optima.count == 4 { seats[viewer].optima.removeFirst() }
    seats[viewer].optima.append((bits, utility))
    return utility
  }

  // MARK: Results

  func gap(of viewer: Int) -> GapParts? { isOn ? seats[viewer].meter.gap : nil }

  /// Returns the mean and the longest recovery time; `nil` without a recovery.
  func recovery(of viewer: Int) -> (mean: SimDuration, longest: SimDuration)? {
    guard isOn, let mean = seats[viewer].recovery.mean else { return nil }
    return (mean, seats[viewer].recovery.longest)
  }

  /// Returns the switches of a viewer's tiles per minute that a tile was on the screen; `nil` if none was.
  func switchesPerMinute(of viewer: Int, at now: SimTime) -> Double? {
    guard isOn else { return nil }
    return seats[viewer].switches.keys.sorted().compactMap { seats[viewer].switches[$0] }.perMinute(at: now)
  }

  /// Fairness among the viewers.
  var fairness: MeetingFairness {
    MeetingFairness(seats.map { seat in seat.meter.gap.map { ($0.utility, $0.optimum) } ?? (0, 0) })
  }
}
