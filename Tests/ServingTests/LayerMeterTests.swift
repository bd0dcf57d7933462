import Endpoint
import Ladder
import Quantity
import Serving
import Systems
import TestSupport
import Testing

@Suite("Layer measurement at the SFU")
struct LayerMeterTests {
  private func bench(window: ForwardingRules.LayerWindow) throws -> ServingBench {
    var system = PlainSystem()
    system.traits.forwarding.layerWindow = window
    return try ServingBench(system)
  }

  @Test func ratesAreMeasuredOverASlidingWindow() throws {
    var bench = try bench(
      window: .init(length: .seconds(1), step: .milliseconds(20), silence: .milliseconds(300)))
    func note(_ bytes: Int, _ temporal: Int, at time: Int64) -> Bool {
      bench.sfu.forwarder.meter.note(0, temporal: temporal, bytes: bytes, at: .ms(time))
    }
    func rate(_ temporal: Int, at time: Int64) -> Int64 {
      bench.sfu.forwarder.meter.layers(of: 0, at: .ms(time)).rates[0][temporal].bitsPerSecond
    }
    // Each temporal layer starts with its first packet.
    #expect(note(1000, 0, at: 0) && note(500, 1, at: 10) && !note(1000, 0, at: 500))
    // A layer that has just started is averaged over its own age, but over at least a tenth of the window.
    #expect(rate(0, at: 50) == 160_000)
    // 2000 bytes over 500 ms; with layer 1, 2500. Layer 2 has no packets and so no rate.
    #expect(rate(0, at: 500) == 32_000 && rate(1, at: 500) == 40_000 && rate(2, at: 500) == 0)
    // At one second the first step has left the window.
    #expect(rate(0, at: 999) == 16_016 && rate(0, at: 1000) == 8_000 && rate(1, at: 1000) == 0)
  }

  /// 1000 bytes half a second ago are 8 kbit/s over the full window of a second, and 16 over the layer's own age.
  @Test(arguments: [(true, 8000), (false, 16_000)])
  func aYoungLayerMayLookCheap(isAlwaysWhole: Bool, rate: Int64) throws {
    var window = ForwardingRules.LayerWindow(
      length: .seconds(1), step: .milliseconds(20), silence: .milliseconds(300))
    window.isAlwaysWhole = isAlwaysWhole
    var bench = try bench(window: window)
    _ = bench.sfu.forwarder.meter.note(0, temporal: 0, bytes: 1000, at: .ms(2000))
    let layers = bench.sfu.forwarder.meter.layers(of: 0, at: .ms(2500))
    #expect(layers.rates[0][0].bitsPerSecond == rate)
  }

  /// For a capped client, 1000 bytes half a second ago are always 16 kbit/s, and count as at least the announced rate
  /// until the layer is five seconds old; without packets there is no rate.
  @Test func aCapCountsWhatIsAnnounced() throws {
    var window = ForwardingRules.LayerWindow(
      length: .seconds(2), step: .milliseconds(40), silence: .milliseconds(1500))
    window.isAlwaysWhole = true
    var bench = try bench(window: window)
    let announced = try #require(bench.layers.first).bitrate.bitsPerSecond
    bench.sfu.forwarder.meter.expect(bench.layers, of: 0, at: .ms(1900))
    _ = bench.sfu.forwarder.meter.note(0, temporal: 0, bytes: 1000, at: .ms(2000))
    func rates(at time: Int64, isCapped: Bool) -> [Int64] {
      let layers = bench.sfu.forwarder.meter.layers(of: 0, at: .ms(time), isCapped: isCapped)
      return [layers.rates[0][0].bitsPerSecond, layers.rates[1][0].bitsPerSecond]
    }
    #expect(announced > 16_000)
    #expect(
      rates(at: 2500, isCapped: false) == [4000, 0] && rates(at: 2500, isCapped: true) == [announced, 0])
    _ = bench.sfu.forwarder.meter.note(0, temporal: 0, bytes: 2000, at: .ms(6990))
    #expect(
      rates(at: 6999, isCapped: true) == [announced, 0] && rates(at: 7000, isCapped: true) == [8000, 0])
  }

  /// For 300 ms an encoding counts at all its announced rates, whatever has arrived of it; then at 8 kbit in its 0.3 s.
  @Test func aNewEncodingCountsAtWhatIsAnnounced() throws {
    var window = ForwardingRules.LayerWindow(
      length: .seconds(1), step: .milliseconds(20), silence: .milliseconds(500))
    window.announcedTime = .milliseconds(300)
    var bench = try bench(window: window)
    bench.sfu.forwarder.meter.expect(bench.layers, of: 0, at: .ms(1900))
    func rates(_ encoding: Int, at time: Int64) -> [Int64] {
      bench.sfu.forwarder.meter.layers(of: 0, at: .ms(time)).rates[encoding].map(\.bitsPerSecond)
    }
    let announced = bench.layers.filter { $0.id.encoding == 1 }.map(\.bitrate.bitsPerSecond)
    #expect(announced.last.map { $0 > 26_666 } == true)
    #expect(rates(1, at: 2000).allSatisfy { $0 == 0 })
    _ = bench.sfu.forwarder.meter.note(1, temporal: 0, bytes: 1000, at: .ms(2000))
    #expect(Array(rates(1, at: 2000).prefix(announced.count)) == announced)
    #expect(Array(rates(1, at: 2299).prefix(announced.count)) == announced)
    #expect(rates(1, at: 2300) == [26_666] + rates(1, at: 2300).dropFirst().map { _ in 0 })
    #expect(rates(0, at: 2000).allSatisfy { $0 == 0 })
  }

  @Test func anEncodingEndsAfterItsSilence() throws {
    var bench = try bench(
      window: .init(length: .seconds(1), step: .milliseconds(20), silence: .milliseconds(300)))
    func available(at time: Int64) -> (hasNews: Bool, encodings: [Int]) {
      let hasNews = bench.sfu.forwarder.meter.check(1, at: .ms(time))
      return (hasNews, bench.sfu.forwarder.meter.layers(of: 0, at: .ms(time)).available)
    }
    _ = bench.sfu.forwarder.meter.note(1, temporal: 0, bytes: 100, at: .ms(500))
    #expect(available(at: 799) == (false, [1]))
    #expect(available(at: 800) == (true, []))
    #expect(available(at: 950) == (false, []))
    // Its next packet makes it active again.
    let begins = bench.sfu.forwarder.meter.note(1, temporal: 0, bytes: 100, at: .ms(1000))
    #expect(begins)
    #expect(available(at: 1000) == (false, [1]))
  }

  /// Input: a row of packets per cycle; output: a row of the encoding's state after each cycle. The lowest encoding
  /// needs three packets in a cycle, and two such cycles in a row once it has stopped; others need two packets and one
  /// cycle.
  @Test(arguments: [
    (0, "3333", "++++"), (0, "2333", "-.++"), (0, "3233", "+-.+"), (0, "23233", "-...+"),
    (1, "2222", "++++"), (1, "1211", "-+-."),
  ])
  func cyclesCountPackets(encoding: Int, packets: String, states: String) throws {
    var system = PlainSystem()
    system.traits.forwarding.layerMeasurement = .init(
      cycle: .milliseconds(500), packets: 3, upperPackets: 2, cycles: 2, upperCycles: 1, cyclesPerRate: 100)
    var bench = try ServingBench(system)
    var drawing = ""
    for (cycle, count) in packets.enumerated() {
      for _ in 0..<(count.wholeNumberValue ?? 0) {
        _ = bench.sfu.forwarder.meter.note(encoding, temporal: 0, bytes: 1000, at: .ms(Int64(cycle) * 500))
      }
      let end = SimTime.ms(Int64(cycle + 1) * 500)
      let hasNews = bench.sfu.forwarder.meter.check(encoding, at: end)
      let isAvailable = !bench.sfu.forwarder.meter.layers(of: 0, at: end).available.isEmpty
      drawing += isAvailable ? "+" : hasNews ? "-" : "."
    }
    let drawn = drawing
    #expect(drawn == states)
  }

  @Test func aCycleOfRatesIsAMean() throws {
    var system = PlainSystem()
    system.traits.forwarding.layerMeasurement = .init(
      cycle: .milliseconds(500), packets: 1, upperPackets: 1, cycles: 1, upperCycles: 1, cyclesPerRate: 2)
    var bench = try ServingBench(system)
    let begins = bench.sfu.forwarder.meter.takeStart(of: 0, at: .zero)
    #expect(begins)
    func rates(at time: Int64) -> [Int64] {
      bench.sfu.forwarder.meter.layers(of: 0, at: .ms(time)).rates[0].map(\.bitsPerSecond)
    }
    _ = bench.sfu.forwarder.meter.note(0, temporal: 0, bytes: 1000, at: .ms(100))
    let first = bench.sfu.forwarder.meter.check(0, at: .ms(500))
    #expect(!first && rates(at: 500) == [0, 0, 0, 0])
    _ = bench.sfu.forwarder.meter.note(0, temporal: 1, bytes: 500, at: .ms(600))
    // 1000 bytes in a second, and 500 more with the next layer.
    let second = bench.sfu.forwarder.meter.check(0, at: .ms(1000))
    #expect(second && rates(at: 1000) == [8000, 12_000, 0, 0])
  }

  /// A layer that is requested again counts with its first packet, unless it has not been seen to stop: then it is, after
  /// a cycle without packets.
  @Test(arguments: [(false, [[0], [], []]), (true, [[], [], [0]])])
  func aLayerThatIsRequestedAgain(hasStopped: Bool, available: [[Int]]) throws {
    var system = PlainSystem()
    system.traits.forwarding.layerMeasurement = .init(
      cycle: .milliseconds(500), packets: 1, upperPackets: 1, cycles: 3, upperCycles: 3, cyclesPerRate: 100)
    var bench = try ServingBench(system)
    func encodings(at time: Int64) -> [Int] {
      bench.sfu.forwarder.meter.layers(of: 0, at: .ms(time)).available
    }
    _ = bench.sfu.forwarder.meter.note(0, temporal: 0, bytes: 1000, at: .ms(100))
    _ = bench.sfu.forwarder.meter.check(0, at: .ms(500))
    if hasStopped { _ = bench.sfu.forwarder.meter.check(0, at: .ms(1000)) }
    bench.sfu.forwarder.meter.reset(0)
    let reset = encodings(at: 1000)
    _ = bench.sfu.forwarder.meter.check(0, at: .ms(1500))
    let idle = encodings(at: 1500)
    _ = bench.sfu.forwarder.meter.note(0, temporal: 0, bytes: 1000, at: .ms(1600))
    #expect([reset, idle, encodings(at: 1600)] == available)
  }
}
