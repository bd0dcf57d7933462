import Allocation
import Ladder
import Quantity
import Systems

/// An encoding with one temporal layer: its rate [bit/s] and height [px].
struct IncomingEncoding {
  var rate: Int64
  var height: Int

  static let nothing = IncomingEncoding(rate: 0, height: 180)
  static func kilobits(_ rate: Int64, _ height: Int) -> IncomingEncoding {
    IncomingEncoding(rate: rate * 1000, height: height)
  }
}

/// A sender's video as requested by a viewer.
func sender(
  _ encodings: [IncomingEncoding], asked lines: Int?, forwarded: Int? = nil, spoke rank: Int? = nil,
  visibility: Visibility = .onScreen
) -> MeasuredSubscription {
  let layers = encodings.enumerated().map { index, encoding in
    Layer(
      id: LayerID(encoding: index, temporal: 0),
      format: VideoFormat(
        Resolution(width: encoding.height * 16 / 9, height: encoding.height), framesPerSecond: 30),
      bitrate: BitRate(bitsPerSecond: encoding.rate))
  }
  var wish = Subscription(
    source: 0, requested: VideoFormat(.p720, framesPerSecond: 30), offers: layers, ladder: layers,
    visibility: visibility)
  wish.demand.maximumLines = lines
  wish.demand.speechRank = rank
  return MeasuredSubscription(
    wish: wish, layers: layers, current: forwarded.map { LayerID(encoding: $0, temporal: 0) })
}

/// A viewer's state; rates in bit/s.
func signalState(
  _ senders: [MeasuredSubscription], target: Int64, minimum: Int64? = nil, drain: Int64 = 0,
  most: Int64? = 100_000_000,
  speakerLines: Int? = nil
) -> AllocationState {
  var demand = ViewerDemand()
  demand.minimumTarget = minimum.map { BitRate(bitsPerSecond: $0) }
  demand.queueDrain = BitRate(bitsPerSecond: drain)
  demand.maximumRate = most.map { BitRate(bitsPerSecond: $0) }
  demand.speakerLines = speakerLines
  return AllocationState(budget: BitRate(bitsPerSecond: target), subscriptions: senders, demand: demand)
}

/// Returns the encodings, or `-` for none.
func sentEncodings(_ outcome: AllocationOutcome) -> String {
  outcome.decisions.map { $0.layer.map { "\($0.encoding)" } ?? "-" }.joined(separator: " ")
}
