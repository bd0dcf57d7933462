import Quantity
import SimulationKernel
import Statistics
import Testing

@Suite("The event queue")
struct EventQueueTests {
  private struct Pending {
    var time: Int64
    var order: Int
    var tag: UInt32
    var handle: EventHandle
    var isCancelled = false
  }

  @Test func aMillionInsertionsAndCancellationsComeOutInOrder() {
    var queue = EventQueue()
    var draws = RandomStream(seed: 1, name: "queue")
    var pending: [Pending] = []
    // Few distinct times: most events are tied.
    for order in 0..<1_000_000 {
      let time = Int64(draws.index(below: 5_000))
      let tag = UInt32(order & 0xff_ffff)
      let handle = queue.push(at: SimTime(nanoseconds: time), tag: tag)
      pending.append(Pending(time: time, order: order, tag: tag, handle: handle))
      if order % 5 == 4 {
        let victim = draws.index(below: pending.count)
        queue.cancel(pending[victim].handle)
        pending[victim].isCancelled = true
      }
    }
    let expected = pending.filter { !$0.isCancelled }.sorted { ($0.time, $0.order) < ($1.time, $1.order) }
    let count = queue.count
    #expect(count == expected.count)
    for reference in expected {
      guard let event = queue.pop() else {
        Issue.record("the queue is empty too early")
        return
      }
      guard event.time.nanoseconds == reference.time, event.tag == reference.tag else {
        Issue.record("\(event) instead of \(reference)")
        return
      }
    }
    let rest = queue.pop()
    #expect(rest?.tag == nil)
  }

  /// Distance at which events are scheduled ahead [ns].
  enum Delays: CaseIterable {
    case ties, exponential, mostlyShort, clocks, ofAllSizes, oftenNow

    func next(_ draws: inout RandomStream) -> Int64 {
      switch self {
      case .ties: Int64(draws.index(below: 20))
      case .exponential: Int64(draws.exponential(mean: 1e6))
      case .mostlyShort: draws.index(below: 10) == 0 ? 86_400_000_000_000 : Int64(draws.index(below: 1000))
      case .clocks: Int64(draws.index(below: 5)) * 20_000_000
      case .ofAllSizes: 1 << Int64(draws.index(below: 46)) + Int64(draws.index(below: 1000))
      case .oftenNow: draws.index(below: 3) == 0 ? 0 : Int64(draws.index(below: 1_000_000))
      }
    }
  }

  private static func key(_ time: Int64, _ sequence: UInt64) -> UInt128 {
    UInt128(_low: sequence, _high: UInt64(time))
  }

  /// Pushes, some with reserved sequence numbers, pops, some up to a time, and cancellations.
  @Test(arguments: Delays.allCases, [5, 100, 1000])
  func whateverIsDoneFollowsASortedReference(delays: Delays, size: Int) {
    var queue = EventQueue(capacity: 1)
    var draws = RandomStream(seed: 2, name: "queue/\(delays)/\(size)")
    // The next event is last.
    var reference: [(key: UInt128, handle: EventHandle?)] = []
    var reserved: [UInt64] = []
    var count: UInt64 = 0
    var now: Int64 = 0
    for _ in 0..<20_000 {
      switch draws.index(below: 20) {
      case 0:
        reserved.append(queue.reserveSequence())
        count += 1
      case 1:
        let victim = reference.count - 1 - draws.index(below: 50)
        guard victim >= 0, let handle = reference[victim].handle else { continue }
        queue.cancel(handle)
        reference.remove(at: victim)
      case 2..<(reference.count < size ? 12 : 10):
        let time = now + delays.next(&draws)
        var sequence = count
        var handle: EventHandle?
        if let first = reserved.first, draws.index(below: 3) == 0 {
          sequence = reserved.removeFirst()
          queue.push(at: SimTime(nanoseconds: time), sequence: first, tag: UInt32(sequence))
        } else {
          handle = queue.push(at: SimTime(nanoseconds: time), tag: UInt32(sequence))
          count += 1
        }
        let new = Self.key(time, sequence)
        var place = 0..<reference.count
        while !place.isEmpty {
          let middle = place.lowerBound + place.count / 2
          place = reference[middle].key > new ? middle + 1..<place.upperBound : place.lowerBound..<middle
        }
        reference.insert((new, handle), at: place.lowerBound)
      default:
        let end = draws.index(below: 10) == 0 ? now + delays.next(&draws) : .max
        let event = queue.pop(until: SimTime(nanoseconds: end))
        let first = reference.last.flatMap { $0.key < Self.key(end, .max) ? $0.key : nil }
        guard event.map({ Self.key($0.time.nanoseconds, UInt64($0.tag)) }) == first else {
          Issue.record("\(String(describing: event)) at \(now) ns")
          return
        }
        if let event {
          #expect(event.sequence == UInt64(event.tag))
          reference.removeLast()
          now = event.time.nanoseconds
        } else if end != .max {
          now = end
        }
      }
      let pending = queue.count
      #expect(pending == reference.count)
    }
  }

  /// Each event is earlier than the previous one, so the front repeatedly grows long: more than all rungs hold. Other
  /// events lie in between, at the same times and beyond.
  @Test(arguments: [1, 7, 1000] as [Int64])
  func aFloodOfEverEarlierEventsComesOutInOrder(step: Int64) {
    var queue = EventQueue()
    var expected: [UInt128] = []
    var sequence: UInt64 = 0
    func push(_ time: Int64) {
      queue.push(at: SimTime(nanoseconds: time), tag: UInt32(sequence))
      expected.append(Self.key(time, sequence))
      sequence += 1
    }
    for number in (0..<5_000 as Range<Int64>).reversed() {
      push(1 + number * step)
      if number % 70 == 0 { push(1 + number * step) }
      if number % 500 == 0 { push(10_000_000 - number) }
    }
    var seen: [UInt128] = []
    while let event = queue.pop() { seen.append(Self.key(event.time.nanoseconds, UInt64(event.tag))) }
    #expect(seen == expected.sorted())
  }

  /// The front, up to 1004 ns, grows too long and is split into 126 buckets of 8 ns from 1 ns on: the last starts at
  /// 1001 ns, and ends with the front's range, not at 1009 ns.
  @Test func theLastBucketEndsWithItsRange() {
    var queue = EventQueue()
    var times: [Int64] = []
    let steps: [(pushed: [Int64], popped: Int)] = [
      ([0, 1004], 1), ([1006] + Array(1...64), 65), ([1007], 2),
    ]
    for (pushed, popped) in steps {
      for time in pushed { queue.push(at: SimTime(nanoseconds: time), tag: 0) }
      for _ in 0..<popped { times.append(queue.pop()?.time.nanoseconds ?? -1) }
    }
    #expect(times == Array(0...64) + [1004, 1006, 1007])
  }

  @Test func eventsForNowRunAfterAllThatWereThereBefore() {
    var queue = EventQueue()
    for tag in 0..<1000 as Range<UInt32> { queue.push(at: SimTime(nanoseconds: 5), tag: tag) }
    for tag in 0..<2000 as Range<UInt32> {
      let event = queue.pop()
      #expect(event?.tag == tag && event?.time == SimTime(nanoseconds: 5))
      if tag < 1000 { queue.push(at: SimTime(nanoseconds: 5), tag: tag + 1000) }
    }
    let count = queue.count
    #expect(count == 0)
  }

  @Test func cancellingWhatHasRunChangesNothing() {
    var queue = EventQueue()
    let first = queue.push(at: SimTime(nanoseconds: 5), tag: 1)
    let second = queue.push(at: SimTime(nanoseconds: 5), tag: 2)
    let popped = queue.pop()
    #expect(popped?.tag == 1)
    queue.cancel(first)
    let one = queue.count
    #expect(one == 1)
    queue.cancel(second)
    queue.cancel(second)
    let none = queue.count
    #expect(none == 0)
    let rest = queue.pop()
    #expect(rest?.tag == nil)
  }
}

@Suite("The kernel")
struct KernelTests {
  private struct Log: EventModel {
    var seen: [(Int64, UInt32)] = []

    mutating func handle(_ event: Event, kernel: inout Kernel) {
      let now = kernel.now
      #expect(now == event.time)
      seen.append((event.time.nanoseconds, event.tag))
      // An event scheduled for now runs after everything already scheduled for now.
      if event.tag == 1 { kernel.schedule(after: .zero, tag: 9) }
      if event.tag == 7 { kernel.stop() }
    }
  }

  @Test func tiesRunInTheOrderOfSchedulingAndTheEndIsIncluded() {
    var kernel = Kernel()
    var log = Log()
    kernel.schedule(at: SimTime(nanoseconds: 10), tag: 1)
    kernel.schedule(at: SimTime(nanoseconds: 10), tag: 2)
    kernel.schedule(at: SimTime(nanoseconds: 3), tag: 3)
    kernel.schedule(at: SimTime(nanoseconds: 11), tag: 4)
    kernel.run(until: SimTime(nanoseconds: 10), model: &log)
    #expect(log.seen.map(\.1) == [3, 1, 2, 9])
    let (now, pending) = (kernel.now, kernel.pending)
    #expect(now == SimTime(nanoseconds: 10))
    #expect(pending == 1)
  }

  @Test func stoppingLeavesTheClockAtTheLastEvent() {
    var kernel = Kernel()
    var log = Log()
    kernel.schedule(at: SimTime(nanoseconds: 5), tag: 7)
    kernel.schedule(at: SimTime(nanoseconds: 6), tag: 8)
    kernel.run(until: SimTime(nanoseconds: 100), model: &log)
    let (now, events) = (kernel.now, kernel.eventCount)
    #expect(now == SimTime(nanoseconds: 5))
    #expect(events == 1)
  }
}
