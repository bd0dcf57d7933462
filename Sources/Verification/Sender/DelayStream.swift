import CongestionControl
import Quantity

/// The delay-based estimate with the acknowledged rate and probe results, driven by hand without the rest of a
/// controller, as in libwebrtc's unit tests.
struct DelayStream: ~Copyable {
  private var estimator = DelayBasedEstimator()
  private var throughput = ThroughputEstimator()
  private var probes = ProbeResultEstimator()
  private var sequence: Int64 = 0
  private var isFirstUpdate = true
  /// Last estimate [bit/s].
  private(set) var latest: Int64?

  // The link that frames pass through.
  /// Capacity of the link [bit/s].
  var capacity: Int64 = 1_000_000
  private let framesPerSecond: Int64
  private let interval: Int64
  private var now: Int64 = 100_000_000
  private var linkFree: Int64 = 100_000_000

  /// - Parameter framesPerSecond: frame rate of ``sendFrame(at:)``.
  init(framesPerSecond: Int64 = 30, start: BitRate? = nil) {
    interval = Self.rounded(1_000_000, by: framesPerSecond)
    self.framesPerSecond = framesPerSecond
    if let start { estimator.start(at: start) }
  }

  /// Processes a packet, given its times of sending, arrival and feedback [us].
  mutating func receive(
    sent: Int64, received: Int64, reported: Int64? = nil, size: Int32, probe: ProbeCluster? = nil
  ) {
    let result = result(sent: sent, received: received, size: size)
    if let probe { probes.add(result, of: probe) }
    take([result], at: reported ?? received)
  }

  /// Sends a frame at a rate over a link without delay; returns `true` if the estimate fell below that rate.
  mutating func sendFrame(at rate: Int64) -> Bool {
    let bits = Self.rounded(rate, by: framesPerSecond)
    let count = max(Self.rounded(bits, by: 8 * 1200), 1)
    let size = Self.rounded(bits, by: 8 * count)
    var results: [PacketResult] = []
    for _ in 0..<count {
      let service = Self.rounded(8000 * size, by: capacity / 1000)
      linkFree = max(now + service, linkFree + service)
      results.append(result(sent: now, received: linkFree, size: Int32(size)))
    }
    let isUpdated = take(results, at: linkFree)
    now += interval
    defer { if isUpdated { isFirstUpdate = false } }
    return isUpdated && !isFirstUpdate && (latest ?? rate) < rate
  }

  /// Divides, rounding to the nearest integer.
  private static func rounded(_ a: Int64, by b: Int64) -> Int64 { (a + b / 2) / b }

  private mutating func result(sent: Int64, received: Int64, size: Int32) -> PacketResult {
    defer { sequence += 1 }
    let packet = SentPacket(sequence: sequence, sentAt: SimTime(nanoseconds: sent * 1000), size: size)
    return PacketResult(packet: packet, receivedAt: SimTime(nanoseconds: received * 1000))
  }

  @discardableResult
  private mutating func take(_ results: [PacketResult], at reported: Int64) -> Bool {
    throughput.add(results)
    let update = estimator.update(
      results, throughput: throughput.rate, probe: probes.takeResult(),
      at: SimTime(nanoseconds: reported * 1000))
    if let estimate = update.estimate { latest = estimate.bitsPerSecond }
    return update.estimate != nil
  }
}
