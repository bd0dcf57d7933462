import CongestionControl
import Quantity
import Statistics

/// One sender, a single-server link with a drop-tail queue, a receiver that reports every 50 ms, and a return path.
///
/// Steps of 1 ms. The source makes 30 frames/s at the target; the pacer sends bursts of up to 40 ms, and probes at
/// their own rate with padding to fill them, as libwebrtc's does.
struct ClosedLoop: ~Copyable {
  struct Link {
    var capacity = RateLimit.unlimited
    var delay = SimDuration.zero
    var returnDelay = SimDuration.zero
    var loss = 0.0
    /// Capacity of the queue [bytes].
    var queue = Int64.max
  }

  enum Reports { case transport, receiver }

  private struct Arrival {
    var sequence: Int64
    var at: SimTime
  }

  private struct Message {
    var at: SimTime
    var results: [PacketResult]
    var lost: Int
    var expected: Int
  }

  var controller: GoogleCongestionControl
  var link: Link
  /// Rate of the application; `nil` for the target.
  var sourceRate: BitRate?
  /// Offset of the receiver's clock from the sender's.
  let receiverClockOffset: SimDuration
  private(set) var now = SimTime.zero
  private(set) var delivered = Int64(0)
  private(set) var probed: [ProbeCluster] = []
  /// Longest wait in the queue since it was last read.
  private var longestWait = SimDuration.zero

  private let reports: Reports
  /// How long before whole intervals the receiver reports [ms].
  private let phase: Int64
  private var random = RandomStream(seed: 7, name: "closed loop")
  private var sent: [SentPacket] = []
  private var queue: [Int32] = []
  private var queueHead = 0
  private var queuedBytes = Int64(0)
  private var nextFrame = SimTime.zero
  private var carry = 0.0
  private var debt = 0.0
  private var isDraining = false
  private var paddingDebt = 0.0
  private var probe: (cluster: ProbeCluster, startedAt: SimTime?, bytes: Int64, packets: Int32)?
  private var freeAt = SimTime.zero
  private var arrivals: [Arrival] = []
  private var arrivalHead = 0
  private var lastArrival = SimTime.zero
  private var reported = Int64(0)
  private var messages: [Message] = []

  init(
    _ controller: consuming GoogleCongestionControl, link: Link, reports: Reports = .transport,
    receiverClockOffset: SimDuration = .zero, phase: Int64 = 0
  ) {
    self.controller = controller
    self.link = link
    self.reports = reports
    self.receiverClockOffset = receiverClockOffset
    self.phase = phase
  }

  var target: BitRate { controller.target.rate }
  var kilobits: Int64 { controller.target.rate.bitsPerSecond / 1000 }

  mutating func takeLongestWait() -> SimDuration {
    defer { longestWait = .zero }
    return longestWait
  }

  mutating func run(for duration: SimDuration) {
    let end = now + duration
    while now < end { step() }
  }

  private mutating func step() {
    let milliseconds = now.nanoseconds / 1_000_000
    deliverMessages()
    if milliseconds % 25 == 0 { controller.process(at: now) }
    while let cluster = controller.takeProbe() {
      probed.append(cluster)
      if probe == nil { probe = (cluster, nil, 0, 0) } else { waitingProbes.append(cluster) }
    }
    makeFrames()
    pace()
    let interval: Int64 = reports == .transport ? 50 : 1000
    if (milliseconds + phase) % interval == 0 { report() }
    now += .milliseconds(1)
  }

  private var waitingProbes: [ProbeCluster] = []

  private mutating func makeFrames() {
    guard now >= nextFrame else { return }
    nextFrame += .microseconds(33_333)
    let rate = sourceRate ?? controller.target.rate
    guard queuedBytes <= rate.bytes(in: .seconds(2)) else { return }
    carry += Double(rate.bitsPerSecond) / 240
    let packets = max(1, (carry / 1200).rounded(.up))
    let size = Int32((carry / packets).rounded(.down))
    for _ in 0..<Int(packets) { queue.append(size) }
    queuedBytes += Int64(size) * Int64(packets)
    carry -= Double(size) * packets
  }

  private mutating func pace() {
    let target = controller.target
    let draining = BitRate(bitsPerSecond: queuedBytes * 4)
    let rate = Double(max(target.pacing.rate ?? draining, draining).bitsPerSecond) / 8e3
    debt = max(0, debt - rate)
    paddingDebt = max(0, paddingDebt - Double(target.padding.bitsPerSecond) / 8e3)
    if probe != nil, !queue.isEmpty || probe?.startedAt != nil {
      sendProbe()
      return
    }
    // A burst continues up to the maximum debt; the next one waits until the debt is drained.
    if debt <= 0 { isDraining = false }
    while queueHead < queue.count, !isDraining {
      sendMedia(cluster: -1)
      isDraining = debt >= rate * 40
    }
    while queueHead == queue.count, target.padding > .zero, paddingDebt <= 0, debt <= 0 {
      transmit(size: 240, cluster: -1)
    }
    if queueHead == queue.count {
      queue.removeAll(keepingCapacity: true)
      queueHead = 0
    }
  }

  private mutating func sendProbe() {
    while var current = probe {
      let start = current.startedAt ?? now
      current.startedAt = start
      let due =
        start
        + SimDuration(
          nanoseconds: Int64(Double(current.bytes) * 8e9 / Double(current.cluster.rate.bitsPerSecond)))
      guard due <= now else { return }
      var burst = max(1, current.cluster.rate.bytes(in: .milliseconds(2)))
      while burst > 0 {
        let size: Int32
        if queueHead < queue.count {
          size = queue[queueHead]
          sendMedia(cluster: current.cluster.id)
        } else {
          size = Int32(min(1200, max(200, burst)))
          transmit(size: size, cluster: current.cluster.id)
        }
        burst -= Int64(size)
        current.bytes += Int64(size)
        current.packets += 1
      }
      let needed = current.cluster.rate.bytes(in: current.cluster.minimumDuration)
      if current.bytes >= needed, current.packets >= current.cluster.minimumPackets {
        probe = waitingProbes.isEmpty ? nil : (waitingProbes.removeFirst(), now, 0, 0)
      } else {
        probe = current
      }
    }
  }

  private mutating func sendMedia(cluster: Int32) {
    let size = queue[queueHead]
    queueHead += 1
    queuedBytes -= Int64(size)
    transmit(size: size, cluster: cluster)
  }

  private mutating func transmit(size: Int32, cluster: Int32) {
    let packet = SentPacket(
      sequence: Int64(sent.count), sentAt: now, size: size, probeCluster: cluster)
    sent.append(packet)
    // libwebrtc tells its controller only about packets that feedback will report.
    if reports == .transport { controller.send(packet) }
    debt += Double(size)
    paddingDebt += Double(size)

    let begin = max(now, freeAt)
    let wait = begin - now
    if let capacity = link.capacity.rate, link.queue != .max,
      capacity.bytes(in: wait) + Int64(size) > link.queue
    {
      return
    }
    longestWait = max(longestWait, wait)
    let service =
      link.capacity.rate.map {
        SimDuration(nanoseconds: Int64(Double(size) * 8e9 / Double($0.bitsPerSecond)))
      } ?? .zero
    freeAt = begin + service
    if link.loss > 0, random.uniform() < link.loss { return }
    lastArrival = max(lastArrival, freeAt + link.delay)
    arrivals.append(Arrival(sequence: packet.sequence, at: lastArrival))
  }

  private mutating func report() {
    var results: [PacketResult] = []
    let first = reported
    var received = 0
    while arrivalHead < arrivals.count, arrivals[arrivalHead].at <= now {
      let arrival = arrivals[arrivalHead]
      while reported < arrival.sequence {
        results.append(PacketResult(packet: sent[Int(reported)], receivedAt: nil))
        reported += 1
      }
      let at = arrival.at + receiverClockOffset
      results.append(PacketResult(packet: sent[Int(reported)], receivedAt: at))
      delivered += Int64(sent[Int(reported)].size)
      reported += 1
      received += 1
      arrivalHead += 1
    }
    guard !results.isEmpty else { return }
    let expected = Int(reported - first)
    messages.append(
      Message(at: now + link.returnDelay, results: results, lost: expected - received, expected: expected))
  }

  private mutating func deliverMessages() {
    while let message = messages.first, message.at <= now {
      messages.removeFirst()
      switch reports {
      case .transport: controller.receive(message.results, at: now)
      case .receiver:
        controller.receive(
          lost: message.lost, of: message.expected, roundTrip: link.delay + link.returnDelay, at: now)
      }
    }
  }
}

/// Constraints in kilobits per second.
func constraints(start: Int64, minimum: Int64 = 5, maximum: Int64? = nil) -> RateConstraints {
  var constraints = RateConstraints()
  constraints.start = .kilobits(start)
  constraints.minimum = .kilobits(minimum)
  if let maximum { constraints.maximum = .kilobits(maximum) }
  return constraints
}
