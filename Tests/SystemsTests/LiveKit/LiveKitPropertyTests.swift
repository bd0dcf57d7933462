import Allocation
import Ladder
import Quantity
import Systems
import TestSupport
import Testing
import Vendors

@Suite("LiveKit's allocation of a capacity among random tracks")
struct LiveKitPropertyTests {
  private static let rates = [7500, 15_000, 30_000]

  private static func rule(allowsPause: Bool) -> LiveKitRule {
    var parameters = LiveKitServerParameters()
    parameters.allowsPause = allowsPause
    return LiveKitRule(parameters)
  }

  /// A camera with one to three encodings, some layers of which do not arrive.
  private static func source(_ number: Int, _ chance: inout SplitMix) -> MeasuredSubscription {
    var layers: [Layer] = []
    for encoding in 0..<chance.within(1...3) {
      var rate = 0
      for temporal in 0..<3 {
        rate += chance.within(1...20) << encoding
        layers.append(
          Layer(
            id: LayerID(encoding: encoding, temporal: temporal),
            format: VideoFormat(
              Resolution(width: 320 << encoding, height: 180 << encoding),
              milliFramesPerSecond: rates[temporal]),
            bitrate: BitRate(bitsPerSecond: chance.below(5) == 0 ? 0 : Int64(rate))))
      }
    }
    let lines = 180 << chance.below(3)
    var wish = Subscription(
      source: number,
      requested: VideoFormat(
        Resolution(width: lines * 16 / 9, height: lines), milliFramesPerSecond: rates[chance.below(3)]),
      offers: layers, ladder: layers, visibility: chance.below(8) == 0 ? .offScreen : .onScreen,
      absence: chance.below(8) == 0 ? .muted : nil)
    wish.numericPriority = chance.within(1...3)
    return MeasuredSubscription(wish: wish, layers: layers)
  }

  private static func layers(_ rule: LiveKitRule, _ budget: Int64, _ sources: [MeasuredSubscription])
    -> [LayerID?]
  {
    let state = AllocationState(budget: BitRate(bitsPerSecond: budget), subscriptions: sources)
    return rule.decide(state).decisions.map(\.layer)
  }

  /// A plain version of the walk: by encoding, then by temporal layer, each track in its order.
  private static func reference(_ budget: Int64, _ sources: [MeasuredSubscription], allowsPause: Bool)
    -> [LayerID?]
  {
    let limits = sources.map { ($0.wish.bestWithinRequest ?? $0.layers[0]).id }
    func place(_ id: LayerID) -> Int { id.encoding * 10 + id.temporal }
    let order = sources.indices.filter {
      sources[$0].wish.absence == nil && sources[$0].wish.visibility == .onScreen
    }
    .sorted { a, b in
      let (one, other) = (sources[a].wish.numericPriority ?? 0, sources[b].wish.numericPriority ?? 0)
      return (-one, -place(limits[a]), a) < (-other, -place(limits[b]), b)
    }
    var taken = sources.map { _ in LayerID?.none }
    guard budget > 0 || !allowsPause else { return taken }
    var left = budget
    for encoding in 0..<3 {
      for temporal in 0..<3 {
        let layer = LayerID(encoding: encoding, temporal: temporal)
        for track in order where place(layer) <= place(limits[track]) {
          let rate = sources[track].rate(of: layer).bitsPerSecond
          let held = sources[track].rate(of: taken[track]).bitsPerSecond
          guard rate > 0, rate <= left + held || !allowsPause && taken[track] == nil else { continue }
          taken[track] = layer
          left = max(0, left - (rate - held))
        }
      }
    }
    return taken
  }

  /// The capacity is kept if tracks may be paused; otherwise it is exceeded by lowest layers at most. Tracks that are
  /// off stay off, and no layer is above the subscription.
  @Test(arguments: [true, false])
  func tenThousandStates(allowsPause: Bool) {
    var chance = SplitMix(seed: allowsPause ? 1 : 2)
    let rule = Self.rule(allowsPause: allowsPause)
    var paused = 0
    for _ in 0..<10_000 {
      let sources = (0..<chance.within(1...5)).map { Self.source($0, &chance) }
      let budget = Int64(chance.below(400))
      let given = Self.layers(rule, budget, sources)
      #expect(given == Self.reference(budget, sources, allowsPause: allowsPause))
      var sum: Int64 = 0
      var lowest: Int64 = 0
      for (source, layer) in zip(sources, given) {
        sum += source.rate(of: layer).bitsPerSecond
        lowest += source.layers.first { $0.bitrate > .zero }?.bitrate.bitsPerSecond ?? 0
        guard let layer else {
          paused += 1
          continue
        }
        #expect(source.wish.absence == nil && source.wish.visibility == .onScreen)
        #expect(layer.encoding <= (source.wish.bestWithinRequest ?? source.layers[0]).id.encoding)
      }
      #expect(sum <= budget + (allowsPause ? 0 : lowest))
    }
    #expect(paused > 1000)
  }

  /// Tracks of different priorities are served alike in any order of the file.
  @Test func theOrderOfTheFileMattersForTiesOnly() {
    var chance = SplitMix(seed: 3)
    let rule = Self.rule(allowsPause: true)
    for _ in 0..<10_000 {
      var sources = (0..<4).map { Self.source($0, &chance) }
      for place in sources.indices { sources[place].wish.numericPriority = place + 1 }
      let budget = Int64(chance.below(400))
      let forwards = Self.layers(rule, budget, sources)
      #expect(Self.layers(rule, budget, sources.reversed()) == forwards.reversed())
    }
  }
}
