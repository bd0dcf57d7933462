/// Statistics objects derived from an RTC event log: one sample per second with any events.
///
/// The estimate is the smaller of the loss-based and delay-based ones, like libwebrtc's target. Arrivals and losses
/// come from transport-wide feedback, as counters of a receiver; without it, losses come from receiver reports. Round
/// trips are the shortest in each second: from a packet to the feedback on it, or from receiver reports.
struct EventLogStatistics {
  /// Counters of a stream, including its retransmissions.
  private struct Counters {
    var sent = (bytes: 0.0, packets: 0.0)
    var received = (bytes: 0.0, packets: 0.0, lost: 0.0)
    /// Loss in the last receiver report.
    var reported: Double?
    var hasChanged = false
    var out: StatsObject
    var into: StatsObject
    var report: StatsObject
  }

  /// A packet whose sequence number may still appear in feedback.
  private struct Flight {
    var packet: Int32
    var isLost = false
  }

  private static let slots = 1 << 16

  private let log: EventLog
  private let bytes: [UInt8]
  /// Order of all events: by time, kind (packets, RTCP, estimates) and index.
  private let order: [(time: Double, kind: Int8, place: Int32)]
  private var counters: [UInt32: Counters] = [:]
  private var pair = StatsObject(id: "pair", type: "candidate-pair")
  /// Packets by transport-wide sequence number.
  private var flights = [Flight?](repeating: nil, count: slots)
  /// Times at which sender reports were sent, by NTP time.
  private var reports: [UInt32: Double] = [:]
  private var lossBased: Double?
  private var delayBased: Double?
  private var roundTrip: Double?
  private(set) var hasFeedback = false

  init(_ log: EventLog, _ bytes: [UInt8]) {
    self.log = log
    self.bytes = bytes
    var order: [(time: Double, kind: Int8, place: Int32)] = []
    order.reserveCapacity(log.events)
    for (place, one) in log.packets.enumerated() { order.append((one.time, 0, Int32(place))) }
    for (place, one) in log.controls.enumerated() { order.append((one.time, 1, Int32(place))) }
    for (place, one) in log.estimates.enumerated() { order.append((one.time, 2, Int32(place))) }
    order.sort { ($0.time, $0.kind, $0.place) < ($1.time, $1.kind, $1.place) }
    self.order = order
    for ssrc in Set(log.streams.values.map(\.media)).sorted() {
      guard let stream = log.streams[ssrc] else { continue }
      counters[ssrc] = Self.counters(ssrc, stream)
    }
  }

  private static func counters(_ ssrc: UInt32, _ stream: EventLog.Stream) -> Counters {
    func object(_ type: String) -> StatsObject {
      var object = StatsObject(id: "\(type)-\(ssrc)", type: type)
      let texts = [
        "kind": stream.isVideo ? "video" : "audio", "ssrc": "\(ssrc)",
        "mediaSourceId": "source-\(stream.group)",
      ]
      for (name, text) in texts {
        object.members[name] = StatsSeries(times: [0], values: [.text(text)])
      }
      return object
    }
    return Counters(
      out: object("outbound-rtp"), into: object("inbound-rtp"), report: object("remote-inbound-rtp"))
  }

  /// Returns the connections: the sender's, and the receiver's as far as feedback reveals it.
  mutating func connections() -> [StatsConnection] {
    var place = 0
    let origin = order.first?.time ?? 0
    while place < order.count {
      let second = ((order[place].time - origin) / 1000).rounded(.down)
      let end = origin + (second + 1) * 1000
      while place < order.count, order[place].time < end {
        add(order[place])
        place += 1
      }
      sample(at: log.epoch + end)
    }
    let all = counters.keys.sorted().compactMap { counters[$0] }
    var found = [StatsConnection(name: "sender", objects: [pair] + all.flatMap { [$0.out, $0.report] })]
    if hasFeedback { found.append(StatsConnection(name: "feedback", objects: all.map(\.into))) }
    return found
  }

  // MARK: Events

  private mutating func add(_ event: (time: Double, kind: Int8, place: Int32)) {
    let place = Int(event.place)
    switch event.kind {
    case 0: send(place)
    case 1: control(log.controls[place])
    default:
      let estimate = log.estimates[place]
      if estimate.isDelayBased { delayBased = estimate.rate } else { lossBased = estimate.rate }
    }
  }

  private mutating func send(_ place: Int) {
    let packet = log.packets[place]
    if let sequence = packet.sequence { flights[Int(sequence)] = Flight(packet: Int32(place)) }
    guard let media = log.streams[packet.ssrc]?.media else { return }
    counters[media]?.sent.bytes += Double(packet.bytes)
    counters[media]?.sent.packets += 1
    counters[media]?.hasChanged = true
  }

  private mutating func control(_ control: EventLog.Control) {
    let feedback = FeedbackPacket(bytes[control.range])
    guard control.isReceived else {
      if let sent = feedback.sent { reports[sent] = control.time }
      return
    }
    var newest: Double?
    for (sequence, isReceived) in feedback.arrivals {
      guard var flight = flights[Int(sequence)] else { continue }
      let packet = log.packets[Int(flight.packet)]
      guard isReceived || !flight.isLost else { continue }
      hasFeedback = true
      if isReceived { newest = max(newest ?? packet.time, packet.time) }
      if let media = log.streams[packet.ssrc]?.media {
        if isReceived {
          counters[media]?.received.bytes += Double(packet.bytes)
          counters[media]?.received.packets += 1
          if flight.isLost { counters[media]?.received.lost -= 1 }
        } else {
          counters[media]?.received.lost += 1
        }
        counters[media]?.hasChanged = true
      }
      flight.isLost = true
      flights[Int(sequence)] = isReceived ? nil : flight
    }
    if let newest { measure(control.time - newest) }
    for report in feedback.reports {
      counters[report.ssrc]?.reported = Double(report.lost)
      counters[report.ssrc]?.hasChanged = true
      if report.lastReport != 0, let sent = reports[report.lastReport] {
        measure(control.time - sent - Double(report.delay) / 65.536)
      }
    }
  }

  private mutating func measure(_ trip: Double) {
    if trip > 0 { roundTrip = min(roundTrip ?? trip, trip) }
  }

  // MARK: Samples

  private mutating func sample(at time: Double) {
    func append(_ value: Double, _ name: String, _ object: inout StatsObject) {
      object.members[name, default: StatsSeries()].append(.number(value), at: time)
    }
    if let rate = [lossBased, delayBased].compactMap({ $0 }).min() {
      append(rate, "availableOutgoingBitrate", &pair)
    }
    if let trip = roundTrip { append(trip / 1000, "currentRoundTripTime", &pair) }
    roundTrip = nil
    for ssrc in counters.keys where counters[ssrc]?.hasChanged == true {
      guard var one = counters[ssrc] else { continue }
      one.hasChanged = false
      append(one.sent.bytes, "bytesSent", &one.out)
      append(one.sent.packets, "packetsSent", &one.out)
      append(one.received.bytes, "bytesReceived", &one.into)
      append(one.received.packets, "packetsReceived", &one.into)
      append(one.received.lost, "packetsLost", &one.into)
      if let lost = one.reported { append(lost, "packetsLost", &one.report) }
      counters[ssrc] = one
    }
  }
}
