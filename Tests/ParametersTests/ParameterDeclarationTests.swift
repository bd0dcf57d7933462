import Parameters
import Quantity
import Testing

/// One parameter of each kind.
private struct ShaperParameters: Parameterized {
  enum Mode: String, CaseIterable { case strict, lenient }

  var cap = RateLimit.unlimited
  var floor = BitRate.kilobits(300)
  var target = SimDuration.milliseconds(5)
  var quantum = ByteCount(1514)
  var loss = Fraction.zero
  var gain = 0.25
  var queues = 8
  var isOn = true
  var mode = Mode.strict
  var takesLow = false

  static let parameters: [ParameterDeclaration<Self>] = [
    .limit("cap", \.cap, unlimited: "none", "most that passes", source: "ours", example: "5 Mbps"),
    .rate("floor", \.floor, "least that passes", source: "ours"),
    .duration(
      "target", \.target, in: .milliseconds(1) ... .seconds(10), "delay aimed at", source: "RFC 8033"),
    .size("quantum", \.quantum, in: .zero...ByteCount(10_000), "bytes in a turn", source: "RFC 8290"),
    .share("loss", \.loss, "share dropped", source: "ours"),
    .number("gain", \.gain, in: 0...10, "weight of the distance", source: "ours"),
    .integer("queues", \.queues, in: 1...64, "number of queues", source: "ours"),
    .flag("on", \.isOn, "whether it shapes", source: "ours"),
    .choice("mode", \.mode, "what becomes of excess", source: "ours"),
    .choice("stream", \.takesLow, of: [("high", false), ("low", true)], "stream taken", source: "ours"),
  ]
}

/// A preset from which other parameters follow.
private struct PresetParameters: Parameterized {
  var isFast = false
  var delay = SimDuration.seconds(1)

  static let parameters: [ParameterDeclaration<Self>] = [
    .init("fast", .flag, "shortens the delay", source: "ours") {
      .flag($0.isFast)
    } set: { value, owner in
      owner.isFast = value == .flag(true)
      owner.delay = owner.isFast ? .milliseconds(10) : .seconds(1)
    },
    .duration("delay", \.delay, "time to an answer", source: "ours"),
  ]
}

@Suite("Parameter declarations")
struct ParameterDeclarationTests {
  @Test func sizesAreInKilobytesWhereTheseAreWhole() {
    let sizes = [0, 999, 1000, 1500, 20_000].map { ParameterValue.size(ByteCount($0)).description }
    #expect(sizes == ["0 B", "999 B", "1 kB", "1500 B", "20 kB"])
  }

  @Test func defaultsAreTheOwnersAsAScenarioStatesThem() {
    let standards = ShaperParameters.descriptions.map { "\($0.key) \($0.standard)" }
    let expected = [
      "cap none", "floor 300 kbps", "target 5 ms", "quantum 1514 B", "loss 0.0 %", "gain 0.25", "queues 8",
      "on true",
      "mode strict", "stream high",
    ]
    #expect(standards == expected)
    #expect(ShaperParameters.descriptions[0].example == "5 Mbps")
    #expect(ShaperParameters.descriptions[1].example == "300 kbps")
    #expect(ShaperParameters.descriptions[8].kind == .choice(["strict", "lenient"]))
  }

  @Test func everyKindIsSetByItsKeyAndReadBack() throws {
    let share = try #require(Fraction(0.07))
    let settings: [ParameterSetting] = [
      .init("cap", .rate(.megabits(2))), .init("floor", .rate(.kilobits(50))),
      .init("target", .duration(.milliseconds(20))), .init("quantum", .size(ByteCount(3000))),
      .init("loss", .share(share)), .init("gain", .number(2)), .init("queues", .integer(3)),
      .init("on", .flag(false)),
      .init("mode", .word("lenient")), .init("stream", .word("low")),
    ]
    let parameters = ShaperParameters(settings)
    #expect(parameters.settings == settings)
    #expect(parameters.cap == .megabits(2) && parameters.floor == .kilobits(50))
    #expect(parameters.target == .milliseconds(20) && parameters.quantum == ByteCount(3000))
    #expect(parameters.loss == share && parameters.gain == 2 && parameters.queues == 3 && !parameters.isOn)
    #expect(parameters.mode == .lenient && parameters.takesLow)
    #expect(settings.map { "\($0.value)" }[3...5] == ["3 kB", "7.0 %", "2.0"])
  }

  @Test func aPartsParametersAreItsOwners() {
    struct Whole: Parameterized {
      var part = PresetParameters()
      static let parameters = PresetParameters.parameters.map { ParameterDeclaration<Whole>.part(\.part, $0) }
    }
    #expect(Whole.descriptions == PresetParameters.descriptions)
    #expect(Whole([.init("delay", .duration(.milliseconds(3)))]).part.delay == .milliseconds(3))
  }

  @Test func aWordMayStandForNoLimit() {
    var parameters = ShaperParameters([.init("cap", .rate(.megabits(2)))])
    parameters.set([.init("cap", .word("none"))])
    #expect(parameters.cap == .unlimited)
  }

  @Test func whatOthersFollowFromIsSetFirst() {
    let own = PresetParameters([.init("delay", .duration(.milliseconds(30))), .init("fast", .flag(true))])
    #expect(own.isFast && own.delay == .milliseconds(30))
    #expect(PresetParameters([.init("fast", .flag(true))]).delay == .milliseconds(10))
  }
}
