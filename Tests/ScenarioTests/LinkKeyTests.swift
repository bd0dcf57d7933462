import Network
import Plan
import Quantity
import Scenario
import TestSupport
import Testing

@Suite("Keys of links")
struct LinkKeyTests {
  /// Returns the uplink of a participant whose link has these keys.
  private func link(_ keys: String) throws -> LinkParameters {
    let text = """
      name: t
      duration: 10s
      links: {a: {capacity: 1 Mbps, \(keys)}}
      participants:
        - {id: ann, up: a}
      """
    let scenario = try ScenarioReader.read(bytes: Array(text.utf8), file: "t.yaml", directory: "")
    return try #require(scenario.plan.links.first { $0.name == "ann/up" }).parameters
  }

  @Test func aQueueMayBeALimitOrADisciplineWithParameters() throws {
    #expect(try link("queue: 40 packets").queueLimit == .packets(40))
    let tail = try link("queue: {limit: 50 kB}")
    #expect(tail.queueLimit == .bytes(ByteCount(50_000)) && tail.discipline == .dropTail)
    #expect(try link("queue: {discipline: codel}").discipline == .codel())

    let codel = try link("queue: {discipline: codel, limit: 1 s, target: 10 ms, interval: 200 ms}")
    var expected = CoDelParameters()
    expected.target = .milliseconds(10)
    expected.interval = .milliseconds(200)
    #expect(codel.discipline == .codel(expected) && codel.queueLimit == .duration(.seconds(1)))

    var fair = FQCoDelParameters()
    fair.codel = expected
    fair.queues = 64
    fair.quantum = ByteCount(300)
    let keys = "queue: {discipline: fq-codel, target: 10 ms, interval: 200 ms, queues: 64, quantum: 300 B}"
    #expect(try link(keys).discipline == .fqCodel(fair))

    var pie = PIEParameters()
    pie.target = .milliseconds(20)
    pie.update = .milliseconds(30)
    pie.burst = .milliseconds(100)
    pie.alpha = 0.25
    pie.beta = 2.5
    let pieKeys = "target: 20 ms, update: 30 ms, burst: 100 ms, alpha: 0.25, beta: 2.5"
    #expect(try link("queue: {discipline: pie, \(pieKeys)}").discipline == .pie(pie))
  }

  private func scenario(_ link: String) throws -> LoadedScenario {
    let text = """
      name: t
      duration: 10s
      participants:
        - {id: ann, up: \(link), publish: audio-only}
      """
    return try ScenarioReader.read(
      bytes: Array(text.utf8), file: "t.yaml", directory: Repository.root + "/Tests/ScenarioTests/Broken/")
  }

  /// `0,1000` and `1,2000`: kbps as stated; GB/s with a warning.
  @Test func columnsOfATraceAreStatedBesideIt() throws {
    let stated = try scenario("{trace: traces/headless.csv, columns: {unit: kbps, time-unit: s}}")
    guard
      case .trace(let trace)? = stated.plan.links.first(where: { $0.name == "ann/up" })?.parameters.capacity
        .base
    else {
      Issue.record("no trace")
      return
    }
    #expect(trace.summary.mean == .kilobits(1500) && trace.period == .seconds(2))
    #expect(!stated.warnings.contains { $0.message.hasPrefix("trace") })
    let large = try scenario("{trace: traces/headless.csv, columns: {unit: MB/s}}")
    #expect(
      large.warnings.map(\.message).filter { $0.hasPrefix("trace") } == [
        "trace 'traces/headless.csv': its greatest rate is 16000000 kbps: are its rates in another unit?"
      ])
    #expect(throws: ScenarioError.self) {
      try scenario("{trace: traces/headless.csv, columns: {rate: down}}")
    }
  }

  @Test func lossMayBeAShareAMeanWithBurstsOrAChain() throws {
    func share(_ value: Double) throws -> Fraction { try #require(Fraction(value)) }
    let plain = try link("loss: 2 %")
    #expect(try plain.loss == share(0.02) && plain.burstLoss == nil)
    // Without a burst length, losses are independent.
    let mean = try link("loss: {mean: 2 %}")
    #expect(try mean.loss == share(0.02) && mean.burstLoss == nil)
    let bursts = try link("loss: {mean: 20 %, burst: 4}")
    #expect(try bursts.burstLoss == GilbertElliott(mean: share(0.2), burst: 4))
    // r = 1/4, p = r * 0.2 / 0.8.
    #expect(bursts.burstLoss?.toGood.value == 0.25)
    #expect(abs((bursts.burstLoss?.toBad.value ?? 0) - 0.0625) < 1e-12)
    let chain = try link("loss: {p: 1 %, r: 30 %, 1-h: 50 %, 1-k: 0.5 %}").burstLoss
    let expected = try GilbertElliott(
      toBad: share(0.01), toGood: share(0.3), lossWhenBad: share(0.5), lossWhenGood: share(0.005))
    #expect(chain == expected)
    // netem's defaults: r = 1 - p, 1-h = 100 %, 1-k = 0.
    let short = try link("loss: {p: 25 %}").burstLoss
    #expect(short?.toGood.value == 0.75 && short?.lossWhenBad.value == 1 && short?.lossWhenGood == .zero)
  }

  @Test func anOverheadIsASize() throws {
    #expect(try link("overhead: 14 B").overhead == ByteCount(14))
    #expect(try link("delay: 5 ms").overhead == .zero)
  }

  @Test func aBucketIsASize() throws {
    #expect(try link("bucket: 5 kB").bucket == ByteCount(5_000))
    #expect(try link("delay: 5 ms").bucket == nil)
  }
}
