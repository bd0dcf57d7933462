import Allocation
import Ladder
import Quantity
import Systems
import Vendors

/// Upstream's test ladder: 180, 360 and 720 lines at 7.5, 15 and 30 frames per second, at 150, 500 and 2000 kbps with
/// 33 and 66 % for the lower layers (jitsi-videobridge, BitrateControllerTest.kt).
let testLadder = ladder([(180, 150_000), (360, 500_000), (720, 2_000_000)])

func layer(_ encoding: Int, _ temporal: Int, lines: Int, fps: Double, _ rate: Int64) -> Layer {
  Layer(
    id: LayerID(encoding: encoding, temporal: temporal),
    format: VideoFormat(
      Resolution(width: lines * 16 / 9, height: lines), milliFramesPerSecond: Int(fps * 1000)),
    bitrate: BitRate(bitsPerSecond: rate))
}

func ladder(_ encodings: [(lines: Int, rate: Int64)]) -> [Layer] {
  encodings.enumerated().flatMap { index, encoding in
    [(7.5, Int64(33)), (15, 66), (30, 100)].enumerated().map { temporal, own in
      layer(index, temporal, lines: encoding.lines, fps: own.0, encoding.rate * own.1 / 100)
    }
  }
}

/// A source as requested by a receiver.
struct Asked {
  var lines: Int? = 180
  var isOnStage = false
  var place: Int?
  var speech: Int?
  var isScreen = false
  var absence: Limitation?
  var layers = testLadder

  static func stage(_ lines: Int? = 720, isScreen: Bool = false) -> Asked {
    Asked(lines: lines, isOnStage: true, place: 0, isScreen: isScreen)
  }
}

func state(_ budget: Int64, _ asked: [Asked], lastN: Int? = nil) -> AllocationState {
  let subscriptions = asked.enumerated().map { number, asked in
    let top = asked.layers.last?.format ?? VideoFormat(.p720, framesPerSecond: 30)
    var wish = Subscription(source: number, requested: top, offers: asked.layers, absence: asked.absence)
    wish.isScreenShare = asked.isScreen
    wish.demand.isOnStage = asked.isOnStage
    wish.demand.place = asked.place
    wish.demand.maximumLines = asked.lines
    wish.demand.speechRank = asked.speech
    return MeasuredSubscription(wish: wish, layers: asked.layers)
  }
  var demand = ViewerDemand()
  demand.sourceLimit = lastN
  return AllocationState(
    budget: BitRate(bitsPerSecond: budget), subscriptions: subscriptions, demand: demand)
}

/// Returns the granted layers, such as `h30` for 720 lines at 30 frames per second, or `-` for none.
func text(_ outcome: AllocationOutcome) -> String {
  outcome.decisions.map { decision in
    guard let id = decision.layer else { return "-" }
    return ["l", "s", "h"][id.encoding] + ["7", "15", "30"][id.temporal]
  }.joined(separator: " ")
}

/// Returns each budget at which the allocation changes, found by the margin, and the allocation there.
func changes(
  _ asked: [Asked], lastN: Int? = nil, _ parameters: JitsiParameters = JitsiParameters()
) -> [(budget: Int64, given: String)] {
  var changes: [(budget: Int64, given: String)] = []
  var budget: Int64? = 0
  while let present = budget {
    let outcome = JitsiRule(parameters).decide(state(present, asked, lastN: lastN))
    if text(outcome) != changes.last?.given { changes.append((present, text(outcome))) }
    budget = outcome.margin.rise.map { present + $0 }
  }
  return changes
}
