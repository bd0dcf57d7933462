import CongestionControl
import Network
import Quantity
import Statistics
import Transport

/// Closed loop of a sender with Google Congestion Control, a single-server link and a reporting receiver, in steps of
/// half a millisecond.
struct PacedFlow: ~Copyable {
  struct Link {
    var capacity = BitRate.kilobits(1000)
    var oneWay = SimDuration.milliseconds(50)
    /// Maximum queueing delay; packets that would wait longer are dropped. The default is unbounded in practice, like
    /// the queues of libwebrtc's simulated links.
    var queue = SimDuration.seconds(3600)
    var loss = 0.0
    /// Delay of the reverse path; by default the same as that of the forward path.
    var back: SimDuration?

    fileprivate var wayBack: SimDuration { back ?? oneWay }
  }

  /// The receiver's feedback, in addition to a receiver report every second.
  enum Feedback {
    case transportWide
    case none
  }

  /// A receiver report in flight.
  private struct Report {
    var at: SimTime
    var roundTrip: SimDuration
    var lost: Int
    var expected: Int
  }

  /// Bounds of the video rate, within which the source sends 30 frames per second at the target rate.
  var greatestMedia = BitRate.kilobits(1500)
  var leastMedia = BitRate.kilobits(30)
  /// Output of the encoder relative to its target.
  var encoderShare = 1.0
  /// Set while frames are produced.
  var isSending = true
  /// Rate up to which padding is sent.
  var padding = BitRate.zero
  var link = Link()
  var controller: GoogleCongestionControl
  private(set) var now = SimTime.zero

  private var pacer: Pacer
  private var log = SendLog()
  private var arrivals = ArrivalLog()
  private var inFlight = Ring<Flying>(capacity: 64)
  private var messages: [(at: SimTime, message: ArrivalLog.Message)] = []
  private let feedback: Feedback
  private var reports: [Report] = []
  /// Unwrapped transport-wide sequence number of the last packet that arrived.
  private var greatestArrived = 0
  private var nextReceiverReport = SimTime.zero + .seconds(1)
  private var reportedSent = 0
  private var reportedReceived = 0
  private var freeAt: Int64 = 0
  private var nextFrame = SimTime.zero
  private var nextReport = SimTime.zero + .milliseconds(100)
  private var nextProcess = SimTime.zero
  private var results: [PacketResult] = []
  private var losses: RandomStream

  private struct Flying: BitwiseCopyable {
    var at: Int64
    var packet: Packet
  }

  init(
    parameters: GoogleCongestionControlParameters = .init(), feedback: Feedback = .transportWide,
    seed: UInt64 = 1
  ) {
    self.feedback = feedback
    controller = GoogleCongestionControl(parameters: parameters, at: .zero)
    pacer = Pacer(rate: controller.target.pacing.rate ?? .zero)
    losses = RandomStream(seed: seed, name: "loss")
  }

  deinit {
    pacer.deallocate()
    log.deallocate()
    arrivals.deallocate()
    inFlight.deallocate()
  }

  var target: Double { Double(controller.target.rate.bitsPerSecond) / 1000 }

  /// Stalls the link for a while; arriving packets wait.
  mutating func pauseLink(for duration: SimDuration) {
    freeAt = max(freeAt, (now + duration).nanoseconds)
  }

  /// Puts cross traffic into the link's queue.
  mutating func crowd(bytes: Int64) {
    freeAt = max(freeAt, now.nanoseconds) + bytes * 8_000_000_000 / max(link.capacity.bitsPerSecond, 1)
  }

  mutating func run(for duration: SimDuration) {
    let end = now + duration
    while now < end { step() }
  }

  private mutating func step() {
    while let message = messages.first, message.at <= now {
      messages.removeFirst()
      let first = Int(message.message.first)
      log.resolve(
        base: message.message.base, arrivals: arrivals, places: first..<first + Int(message.message.count),
        into: &results)
      controller.receive(results, at: now)
      follow()
    }
    if let report = reports.first, report.at <= now {
      reports.removeFirst()
      controller.receive(lost: report.lost, of: report.expected, roundTrip: report.roundTrip, at: now)
      follow()
    }
    if now >= nextProcess {
      var demand = SenderDemand()
      demand.minimumAllocated = leastMedia
      demand.maximumAllocated = greatestMedia
      demand.maximumPadding = padding
      controller.demand(demand, at: now)
      controller.process(at: now)
      follow()
      nextProcess += EstimatorConfiguration.processInterval
    }
    if now >= nextFrame {
      if isSending { enqueueFrame() }
      nextFrame += SimDuration(nanoseconds: 33_333_333)
    }
    while let departure = pacer.takeNext(at: now) {
      switch departure {
      case .packet(let packet, let probe): transmit(packet, probe)
      case .padding(let bytes, let probe):
        transmit(Packet(sentAt: now, size: UInt16(bytes)), probe)
      }
    }
    while let flying = inFlight.first, flying.at <= now.nanoseconds {
      _ = inFlight.removeFirst()
      arrivals.append(flying.packet.transportSequence, at: SimTime(nanoseconds: flying.at))
      greatestArrived += Int(flying.packet.transportSequence &- UInt16(truncatingIfNeeded: greatestArrived))
    }
    if now >= nextReceiverReport { sendReceiverReport() }
    if feedback == .transportWide, now >= nextReport {
      if let message = arrivals.takeMessage() { messages.append((now + link.wayBack, message)) }
      nextReport += .milliseconds(50)
    }
    now += .microseconds(500)
  }

  /// Schedules a receiver report: the sender's report passes through the queue and is answered immediately.
  private mutating func sendReceiverReport() {
    nextReceiverReport += .seconds(1)
    let wait = SimDuration(nanoseconds: max(freeAt - now.nanoseconds, 0))
    let roundTrip = wait + link.oneWay + link.wayBack
    // Packets in flight are not expected before they can have arrived.
    let expected = arrivals.total == 0 ? 0 : greatestArrived + 1
    let lost = max(expected - arrivals.total - (reportedSent - reportedReceived), 0)
    reports.append(
      Report(at: now + roundTrip, roundTrip: roundTrip, lost: lost, expected: expected - reportedSent))
    reportedSent = expected
    reportedReceived = arrivals.total
  }

  private mutating func follow() {
    pacer.setRates(controller.target, at: now)
    while let cluster = controller.takeProbe() { pacer.probe(cluster) }
  }

  private mutating func enqueueFrame() {
    let rate = min(max(controller.target.rate, leastMedia), greatestMedia).scaled(by: encoderShare)
    var left = Int(rate.bitsPerSecond / 240)
    while left > 0 {
      let size = min(left, 1200)
      pacer.enqueue(Packet(sentAt: now, size: UInt16(size)), .video, at: now)
      left -= size
    }
  }

  private mutating func transmit(_ packet: Packet, _ probe: Int32) {
    var packet = packet
    let sent = log.append(size: Int32(packet.size), probeCluster: probe, at: now)
    packet.transportSequence = UInt16(truncatingIfNeeded: sent.sequence)
    // libwebrtc only reports packets to its controller that feedback will cover.
    if feedback == .transportWide { controller.send(sent) }
    let start = max(freeAt, now.nanoseconds)
    let wait = SimDuration(nanoseconds: start - now.nanoseconds)
    guard wait <= link.queue else { return }
    freeAt =
      start + Int64(Double(packet.size) * 8e9 / Double(max(link.capacity.bitsPerSecond, 1)))
    guard losses.uniform() >= link.loss else { return }
    inFlight.append(Flying(at: freeAt + link.oneWay.nanoseconds, packet: packet))
  }
}
