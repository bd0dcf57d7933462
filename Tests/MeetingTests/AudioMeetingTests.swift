import Meeting
import Metrics
import TestSupport
import Testing

@Suite("Voices over real links")
struct AudioMeetingTests {
  private func meeting(
    up: String = "fast", down: String = "{capacity: 4 Mbps, delay: 30 ms}", forward: String = "3",
    duration: Int = 60
  ) throws -> MemorySink {
    let text = """
      name: voices
      duration: \(duration)s
      policy: bluejeans
      audio: {forward: \(forward)}
      links:
        fast: {capacity: 10 Mbps, delay: 10 ms}
        up: \(up == "fast" ? "{capacity: 10 Mbps, delay: 10 ms}" : up)
        down: \(down)
      participants:
        - {id: ann, up: up, down: fast, publish: {camera: 360p30}}
        - {id: bob, up: fast, down: down, publish: {camera: 360p30}}
        - {id: eve, up: fast, down: fast, publish: {camera: 360p30}}
      timeline:
        - {at: 1s, participant: ann, speaks: \(duration)s}
      """
    return try Meetings.run(Meetings.scenario(text)).tables
  }

  private func heard(_ tables: MemorySink, by viewer: String, from source: String = "ann") -> [Row] {
    tables.rows(of: .audio).filter { $0["viewer"] == viewer && $0["source"] == source }
  }

  private func sum(_ rows: [Row], _ column: String) -> Double {
    rows.reduce(0) { $0 + $1.number(column, ifEmpty: 0) }
  }

  private func concealed(_ tables: MemorySink, by viewer: String) -> Double? {
    tables.rows(of: .scalars).first {
      $0["scope"] == "participant" && $0["viewer"] == viewer && $0["metric"] == "audio_concealed_frac"
    }.flatMap { $0.numberIfPresent("value") }
  }

  @Test(
    "A clean path loses and conceals nothing; only voices that speak have rows",
    arguments: ["3", "all"])
  func clean(forward: String) throws {
    let tables = try meeting(forward: forward, duration: 20)
    let rows = tables.rows(of: .audio)
    #expect(Set(rows.map { $0["source"] }) == ["ann"] && Set(rows.map { $0["viewer"] }) == ["bob", "eve"])
    #expect(rows.count == 38)
    #expect(sum(rows, "packets_lost") == 0 && sum(rows, "concealed_samples") == 0)
    // 50 packets a second, less those in flight.
    #expect((948...950).contains(sum(heard(tables, by: "bob"), "packets_received")))
    for row in tables.rows(of: .participants) { #expect(row.number("audio_loss_frac", ifEmpty: 0) == 0) }
  }

  @Test("Of two speakers, the later one takes the only place until its turn ends")
  func latestSpeaker() throws {
    let people = ["ann", "bob", "eve"].map { "  - {id: \($0), publish: {camera: 360p30}}" }
    let text = """
      name: voices
      duration: 12s
      audio: {forward: 1}
      participants:
      \(people.joined(separator: "\n"))
      timeline:
        - {at: 1s, participant: ann, speaks: 10s}
        - {at: 4s, participant: bob, speaks: 4s}
      """
    let tables = try Meetings.run(Meetings.scenario(text)).tables
    func seconds(_ source: String) -> [Double] {
      heard(tables, by: "eve", from: source).filter { $0["packets_received"] == "50" }
        .map { $0.number("time_s") }
    }
    #expect(seconds("ann").allSatisfy { $0 <= 4 || $0 >= 9 })
    #expect(seconds("ann").contains(3) && seconds("ann").contains(10))
    #expect(seconds("bob").contains(6) && seconds("bob").contains(7))
  }

  /// Comfort noise, one packet every 400 ms, is not forwarded beside the loudest voices: numbering continues after it.
  @Test("A second turn does not count as lost the packets left out before it")
  func secondTurn() throws {
    let text = """
      name: voices
      duration: 12s
      participants:
        - {id: ann, publish: {camera: 360p30}}
        - {id: eve, view: {everybody: 360p}}
      timeline:
        - {at: 1s, participant: ann, speaks: 2s}
        - {at: 8s, participant: ann, speaks: 2s}
      """
    let tables = try Meetings.run(Meetings.scenario(text)).tables
    let rows = heard(tables, by: "eve")
    #expect((196...200).contains(sum(rows, "packets_received")))
    #expect(sum(rows, "packets_lost") == 0 && sum(rows, "concealed_samples") == 0)
    for row in tables.rows(of: .participants) { #expect(row.number("audio_loss_frac", ifEmpty: 0) == 0) }
  }

  @Test("A mix has rows without a source, and is concealed like a voice")
  func mixed() throws {
    let tables = try meeting(down: "{capacity: 4 Mbps, delay: 30 ms, loss: 10 %}", forward: "mixed")
    let rows = heard(tables, by: "bob", from: "")
    #expect(rows.count == 59 && heard(tables, by: "ann", from: "").isEmpty)
    #expect((0.07...0.13).contains(concealed(tables, by: "bob") ?? 0))
    #expect(concealed(tables, by: "eve") == 0)
  }

  @Test("Jitter without loss discards and conceals little, at the price of delay")
  func jitter() throws {
    let calm = try meeting()
    let rough = try meeting(down: "{capacity: 4 Mbps, delay: 50 ms, jitter: 15 ms}")
    #expect((concealed(rough, by: "bob") ?? 1) < 0.01)
    let delay = { (tables: MemorySink) in
      self.sum(Array(self.heard(tables, by: "bob").suffix(30)), "jitter_buffer_delay_s") / 30
    }
    #expect(delay(rough) > delay(calm) + 0.01)
  }

  @Test("Random loss of 10 % conceals 10 %, in either direction", arguments: ["up", "down"])
  func randomLoss(way: String) throws {
    let link = "{capacity: 4 Mbps, delay: 30 ms, loss: 10 %}"
    let tables = way == "up" ? try meeting(up: link) : try meeting(down: link)
    // 2,950 packets: the standard deviation is 0.55 %.
    #expect((0.08...0.12).contains(concealed(tables, by: "bob") ?? 0))
    #expect(way == "up" || concealed(tables, by: "eve") == 0)
    let losses = tables.rows(of: .participants).filter { $0["participant"] == "bob" }
    #expect((0.08...0.12).contains(sum(losses, "audio_loss_frac") / 59))
    let rows = heard(tables, by: "bob")
    let missing = 2950 - sum(rows, "packets_received")
    // At the end two may be in flight, and the loss of as many more may not be known yet.
    #expect(abs(sum(rows, "packets_lost") - missing) <= 4)
  }

  @Test("An outage of a second conceals a second, in the intervals in which it happens")
  func outage() throws {
    let steps = "[{at: 0s, to: 4 Mbps}, {at: 10s, to: 0 bps}, {at: 11s, to: 4 Mbps}]"
    let tables = try meeting(down: "{capacity: \(steps), delay: 30 ms, queue: 20 ms}", duration: 20)
    let rows = heard(tables, by: "bob")
    #expect((0.95...1.1).contains(sum(rows, "concealed_samples") / 48_000))
    let within = rows.filter { $0["time_s"] == "11.000" || $0["time_s"] == "12.000" }
    #expect(sum(within, "concealed_samples") > 0.95 * sum(rows, "concealed_samples"))
    let loss = tables.rows(of: .participants).first { $0["participant"] == "bob" && $0["time_s"] == "11.000" }
    #expect(try #require(loss).number("audio_loss_frac") > 0.8)
  }
}
