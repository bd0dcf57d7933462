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
    // Few distinct times: most events are tied with others.
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

  @Test func interleavedPushesAndPopsFollowASortedReference() {
    var queue = EventQueue()
    var draws = RandomStream(seed: 2, name: "queue")
    var reference: [(time: Int64, order: Int)] = []
    var order = 0
    var now: Int64 = 0
    for _ in 0..<100_000 {
      if reference.isEmpty || draws.index(below: 2) == 0 {
        let time = now + Int64(draws.index(below: 20))
        queue.push(at: SimTime(nanoseconds: time), tag: UInt32(order))
        let place = reference.firstIndex { $0.time > time } ?? reference.count
        reference.insert((time, order), at: place)
        order += 1
      } else {
        guard let event = queue.pop() else {
          Issue.record("the queue is empty too early")
          return
        }
        let first = reference.removeFirst()
        #expect(event.time.nanoseconds == first.time && event.tag == UInt32(first.order))
        now = first.time
      }
    }
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
      // An event scheduled for now runs after everything that was scheduled for now before.
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
