import Quantity
import SimulationKernel
import Statistics
import Testing

/// A single-server queue on the kernel: tag 0 is an arrival, 1 a departure.
private struct SingleServer: EventModel {
  var interarrival: () -> Double
  var service: () -> Double
  let customers: Int
  var arrived = 0
  var waiting: [SimTime] = []
  var isBusy = false
  var waits = 0.0
  var served = 0

  mutating func handle(_ event: Event, kernel: inout Kernel) {
    if event.tag == 0 {
      arrived += 1
      if arrived < customers { kernel.schedule(after: Self.time(interarrival()), tag: 0) }
      if isBusy { waiting.append(kernel.now) } else { begin(since: kernel.now, &kernel) }
    } else {
      isBusy = false
      if !waiting.isEmpty { begin(since: waiting.removeFirst(), &kernel) }
    }
  }

  private mutating func begin(since arrival: SimTime, _ kernel: inout Kernel) {
    isBusy = true
    served += 1
    // The queue starts empty: the first tenth is left out.
    if served > customers / 10 { waits += (kernel.now - arrival).seconds }
    kernel.schedule(after: Self.time(service()), tag: 1)
  }

  private static func time(_ seconds: Double) -> SimDuration {
    SimDuration(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  var meanWait: Double { waits / Double(customers - customers / 10) }
}

@Suite("Queues with known waiting times")
struct QueueingTheoryTests {
  private func interval(
    _ draws: (Int) -> (interarrival: () -> Double, service: () -> Double)
  ) throws -> ConfidenceInterval {
    let means = (0..<60).map { repetition -> Double in
      let (interarrival, service) = draws(repetition)
      var model = SingleServer(interarrival: interarrival, service: service, customers: 20_000)
      var kernel = Kernel()
      kernel.schedule(at: .zero, tag: 0)
      kernel.run(until: SimTime(nanoseconds: .max / 2), model: &model)
      return model.meanWait
    }
    return try #require(MeanEstimate(values: means, level: 0.99)?.interval)
  }

  private func stream(_ repetition: Int, _ name: String) -> () -> Double {
    var stream = RandomStream(seed: 11, repetition: repetition, name: name)
    return { stream.exponential(mean: 1) }
  }

  @Test func exponentialServiceWaitsAsTheoryHasIt() throws {
    // M/M/1 at load 0.7: Wq = rho / (1 - rho) = 2.3333
    let interval = try interval { repetition in
      let arrivals = stream(repetition, "arrivals")
      return ({ arrivals() / 0.7 }, stream(repetition, "services"))
    }
    #expect(interval.contains(0.7 / 0.3), "\(interval)")
    #expect(interval.high - interval.low < 0.2)
  }

  @Test func constantServiceWaitsHalfAsLong() throws {
    // M/D/1 at load 0.7: Wq = rho / (2 (1 - rho)) = 1.1667
    let interval = try interval { repetition in
      let arrivals = stream(repetition, "arrivals")
      return ({ arrivals() / 0.7 }, { 1 })
    }
    #expect(interval.contains(0.7 / 0.6), "\(interval)")
  }

  @Test func theReferenceGeneratorGivesTheSameTheory() throws {
    let interval = try interval { repetition in
      let arrivals = ReferenceGenerator(seed: UInt(1000 + repetition))
      let services = ReferenceGenerator(seed: UInt(9000 + repetition))
      return ({ arrivals.exponential(mean: 1 / 0.7) }, { services.exponential(mean: 1) })
    }
    #expect(interval.contains(0.7 / 0.3), "\(interval)")
  }
}
