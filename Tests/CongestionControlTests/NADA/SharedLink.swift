import CongestionControl
import Quantity

/// Senders that use their full targets over one FIFO link with a queue limit and a fixed delay; feedback every 50 ms,
/// delayed by 50 ms.
struct SharedLink {
  private struct Flow {
    var controller: NADAController
    var start: SimTime
    var nextSend: SimTime
    var nextFeedback: SimTime
    var nextProcess: SimTime
    var sequence: Int64 = 0
    /// In sequence order; the link preserves order, so a loss is known once a later packet has arrived.
    var pending: [PacketResult] = []
    var onTheWay: [(at: SimTime, results: [PacketResult])] = []
    var bytes: Int64 = 0
  }

  static let packetSize: Int32 = 1200
  let delay = SimDuration.milliseconds(50)
  let limit = SimDuration.milliseconds(300)
  /// Capacity from each time onward.
  var steps: [(from: SimTime, rate: BitRate)]
  private var flows: [Flow]
  private var busyUntil = SimTime.zero
  private(set) var now = SimTime.zero
  /// Queuing time of each packet since the last reset.
  private(set) var waits: [SimDuration] = []
  private(set) var drops = 0

  init(_ steps: [(from: SimTime, rate: BitRate)], starts: [SimTime], parameters: [NADAParameters] = []) {
    self.steps = steps
    flows = starts.enumerated().map { index, start in
      let own = index < parameters.count ? parameters[index] : NADAParameters()
      let controller = NADAController(parameters: own, constraints: RateConstraints(), at: start)
      return Flow(
        controller: controller, start: start, nextSend: start, nextFeedback: start + .milliseconds(50),
        nextProcess: start)
    }
  }

  var rates: [BitRate] { flows.map(\.controller.target.rate) }
  /// Bytes received, per flow.
  var received: [Int64] { flows.map(\.bytes) }

  /// Runs for a duration and returns each flow's mean received rate in it [bit/s]; waits and drops are reset at its
  /// start.
  mutating func measure(for duration: SimDuration) -> [Double] {
    waits.removeAll()
    drops = 0
    let before = received
    run(until: now + duration)
    return zip(received, before).map { Double($0 - $1) * 8 / duration.seconds }
  }

  /// Returns the quantile of the queuing times [ms].
  func wait(quantile: Double) -> Double {
    let sorted = waits.sorted()
    guard !sorted.isEmpty else { return 0 }
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * quantile))].seconds * 1e3
  }

  mutating func run(until end: SimTime) {
    while true {
      var at = Deadline.never
      var next = 0
      for index in flows.indices {
        let flow = flows[index]
        let own = min(
          Deadline(min(flow.nextSend, flow.nextFeedback, flow.nextProcess)),
          flow.onTheWay.first.map { Deadline($0.at) } ?? .never)
        if own < at {
          at = own
          next = index
        }
      }
      guard let time = at.time, time <= end else { break }
      now = time
      step(next)
    }
    now = end
  }

  private mutating func step(_ index: Int) {
    if let first = flows[index].onTheWay.first, first.at == now {
      flows[index].controller.receive(first.results, at: now)
      flows[index].onTheWay.removeFirst()
    } else if flows[index].nextProcess == now {
      flows[index].controller.process(at: now)
      flows[index].nextProcess += .milliseconds(25)
    } else if flows[index].nextFeedback == now {
      report(index)
      flows[index].nextFeedback += .milliseconds(50)
    } else {
      send(index)
    }
  }

  private mutating func report(_ index: Int) {
    guard let last = flows[index].pending.lastIndex(where: { $0.receivedAt.map { $0 <= now } ?? false })
    else {
      return
    }
    flows[index].onTheWay.append((now + delay, Array(flows[index].pending[...last])))
    flows[index].pending.removeSubrange(...last)
  }

  private mutating func send(_ index: Int) {
    let packet = SentPacket(sequence: flows[index].sequence, sentAt: now, size: Self.packetSize)
    flows[index].sequence += 1
    flows[index].controller.send(packet)
    let bits = Int64(Self.packetSize) * 8
    flows[index].nextSend =
      now + SimDuration(nanoseconds: bits * 1_000_000_000 / flows[index].controller.target.rate.bitsPerSecond)
    let start = max(now, busyUntil)
    guard start - now <= limit, let step = steps.last(where: { $0.from <= start }) else {
      drops += 1
      flows[index].pending.append(PacketResult(packet: packet, receivedAt: nil))
      return
    }
    waits.append(start - now)
    busyUntil = start + SimDuration(nanoseconds: bits * 1_000_000_000 / step.rate.bitsPerSecond)
    flows[index].bytes += Int64(Self.packetSize)
    flows[index].pending.append(PacketResult(packet: packet, receivedAt: busyUntil + delay))
  }
}

func seconds(_ value: Double) -> SimTime { SimTime(nanoseconds: Int64((value * 1e9).rounded())) }
