import Allocation
import Ladder
import Quantity
import Systems
import Vendors

/// A source with the cumulative rates of its layers [bit/s], by encoding; zero for a layer without a rate.
func consumed(
  _ rates: [[Int64]], priority: Int? = nil, ceiling: LayerID? = nil, visibility: Visibility = .onScreen
) -> MeasuredSubscription {
  let layers = rates.enumerated().flatMap { encoding, rates in
    rates.enumerated().map { temporal, rate in
      Layer(
        id: LayerID(encoding: encoding, temporal: temporal),
        format: VideoFormat(
          Resolution(width: 320 << encoding, height: 180 << encoding),
          milliFramesPerSecond: 30_000 >> (rates.count - 1 - temporal)),
        bitrate: BitRate(bitsPerSecond: rate))
    }
  }
  var wish = Subscription(
    source: 0, requested: VideoFormat(.p720, framesPerSecond: 30), offers: layers, ladder: layers,
    visibility: visibility)
  wish.numericPriority = priority
  wish.demand.ceiling = ceiling
  return MeasuredSubscription(wish: wish, layers: layers)
}

/// Returns the layers as `encoding.temporal`, or `-` for none.
func consumedLayers(_ outcome: AllocationOutcome) -> String {
  outcome.decisions.map { decision in
    decision.layer.map { "\($0.encoding).\($0.temporal)" } ?? "-"
  }.joined(separator: " ")
}

extension MediasoupRule {
  func decide(_ subscriptions: [MeasuredSubscription], at budget: Int64) -> AllocationOutcome {
    decide(AllocationState(budget: BitRate(bitsPerSecond: budget), subscriptions: subscriptions))
  }
}
