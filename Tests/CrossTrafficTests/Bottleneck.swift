import CrossTraffic
import Quantity
import Statistics

/// A FIFO queue.
private struct Line<Element> {
  private var elements: [Element] = []
  private var head = 0

  var first: Element? { head < elements.count ? elements[head] : nil }
  mutating func append(_ element: Element) { elements.append(element) }

  mutating func removeFirst() -> Element {
    defer { head += 1 }
    return elements[head]
  }
}

/// The interface that the bottleneck needs of a source of segments.
protocol SegmentSource {
  var deadline: Deadline { get }
  mutating func start(at now: SimTime)
  mutating func acknowledge(_ ack: TCPAcknowledgement, at now: SimTime)
  mutating func timeout(at now: SimTime)
  mutating func next(at now: SimTime) -> TCPSegment?
}

extension TCPSender: SegmentSource {}

/// Flows through one server with a FIFO queue: segments wait, are served and travel for 50 ms; acknowledgements only
/// travel for 50 ms. A segment that would wait longer than the limit is dropped.
struct Bottleneck<Source: SegmentSource> {
  var rate = BitRate.megabits(2)
  var limit = SimDuration.milliseconds(300)
  var delay = SimDuration.milliseconds(50)
  /// Times at which everything sent is lost.
  var outage: Range<SimTime>?
  /// Share of segments lost, each independently.
  var loss = 0.0
  private var losses = RandomStream(seed: 1, name: "bottleneck/loss")
  private(set) var sources: [Source]
  private(set) var receivers: [TCPReceiver]
  private(set) var starts: [Deadline]
  private(set) var now = SimTime.zero
  /// Number of segments dropped.
  private(set) var drops = 0
  /// Everything that was sent, flow and number in order, folded into one value.
  private(set) var fingerprint: UInt64 = 0xcbf2_9ce4_8422_2325
  private var busyUntil = SimTime.zero
  private var data = Line<(at: SimTime, flow: Int, segment: TCPSegment)>()
  private var acks = Line<(at: SimTime, flow: Int, ack: TCPAcknowledgement)>()

  init(_ sources: [Source], parameters: TCPParameters = .init(), starts: [SimTime]? = nil) {
    self.sources = sources
    receivers = sources.map { _ in TCPReceiver(parameters: parameters) }
    self.starts = (starts ?? sources.map { _ in .zero }).map(Deadline.init)
  }

  mutating func run(until end: SimTime) {
    while let at = nextEvent(), at <= end { step(at: at) }
    now = end
  }

  private func nextEvent() -> SimTime? {
    var at = [data.first?.at, acks.first?.at].compactMap(\.self).min().map(Deadline.init) ?? .never
    for flow in sources.indices {
      at = min(at, sources[flow].deadline, receivers[flow].deadline, starts[flow])
    }
    return at.time
  }

  private mutating func step(at time: SimTime) {
    now = time
    if let head = data.first, head.at == time {
      let (_, flow, segment) = data.removeFirst()
      if let ack = receivers[flow].receive(segment, at: time) { acks.append((time + delay, flow, ack)) }
      return
    }
    if let head = acks.first, head.at == time {
      let (_, flow, ack) = acks.removeFirst()
      sources[flow].acknowledge(ack, at: time)
      send(flow)
      return
    }
    for flow in sources.indices {
      if starts[flow] == Deadline(time) {
        starts[flow] = .never
        sources[flow].start(at: time)
        send(flow)
      } else if receivers[flow].deadline == Deadline(time) {
        if let ack = receivers[flow].timeout(at: time) { acks.append((time + delay, flow, ack)) }
      } else if sources[flow].deadline == Deadline(time) {
        sources[flow].timeout(at: time)
        send(flow)
      }
    }
  }

  private mutating func send(_ flow: Int) {
    while let segment = sources[flow].next(at: now) {
      fingerprint = (fingerprint ^ UInt64(segment.number << 8 + Int64(flow))) &* 0x100_0000_01b3
      fingerprint = (fingerprint ^ UInt64(now.nanoseconds)) &* 0x100_0000_01b3
      let start = max(now, busyUntil)
      let isLost = loss > 0 && losses.uniform() < loss
      guard start - now <= limit, outage?.contains(now) != true, !isLost else {
        drops += 1
        continue
      }
      let bits = Int64(segment.size) * 8
      busyUntil = start + SimDuration(nanoseconds: bits * 1_000_000_000 / rate.bitsPerSecond)
      data.append((busyUntil + delay, flow, segment))
    }
  }
}

func seconds(_ value: Double) -> SimTime { SimTime(nanoseconds: Int64((value * 1e9).rounded())) }
