import Meeting
import Metrics
import Scenario
import TestSupport
import Testing

/// Microphones with individual settings.
@Suite("Voice settings")
struct VoiceSettingsMeetingTests {
  private func run(
    _ audio: String, estimator: String = "oracle", loss: (up: Int, down: Int) = (0, 0), silence: Int = 0,
    camera: String = "", policy: String = "jitsi"
  ) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: voices
        duration: 26s
        policy: \(policy)
        estimator: \(estimator)
        participants:
          - {id: a, up: {capacity: 5 Mbps, delay: 20 ms, loss: \(loss.up) %}, publish: {\(camera)audio: \(audio)}}
          - {id: v, down: {capacity: 5 Mbps, delay: 20 ms, loss: \(loss.down) %}\(camera.isEmpty ? "" : ", view: {stage: a}")}
        timeline: [{at: 2s, participant: a, speaks: 18s}]
        """)
    ).tables
  }

  private func mean(_ tables: MemorySink, _ seconds: ClosedRange<Double>) -> Double {
    let rows = tables.rows(of: .participants)
      .filter { $0["participant"] == "a" && seconds.contains($0.number("time_s")) }
    return rows.reduce(0) { $0 + $1.number("up_bitrate_bps") } / Double(rows.count)
  }

  /// Payload plus 66 B of overhead per packet: at 32 kbit/s 80 B in 20 ms, 40 in 10, 240 in 60. RED adds the previous
  /// payload and 5 B. Silence takes 8 B every 400 ms, and without DTX it is sent like speech.
  @Test(arguments: [
    ("true", 58_400.0, 1480.0), ("{bitrate: 24 kbps}", 50_400, 1480), ("{packet-time: 10 ms}", 84_800, 1480),
    ("{packet-time: 60 ms}", 40_800, 1480), ("{packet-time: 120 ms}", 36_400, 1480),
    ("{dtx: false}", 58_400, 58_400), ("{dtx: false, bitrate: 6 kbps}", 32_400, 32_400),
    ("{red: true}", 92_400, 1480), ("{red: true, bitrate: 128 kbps, packet-time: 10 ms}", 312_800, 1480),
  ])
  func rates(audio: String, speech: Double, silence: Double) throws {
    let tables = try run(audio)
    // 12 s hold whole numbers of packets of every kind.
    #expect(abs(mean(tables, 5...16) / speech - 1) < 0.002)
    #expect(abs(mean(tables, 23...26) / silence - 1) < 0.002)
  }

  @Test(arguments: [("{packet-time: 10 ms}", 1200), ("true", 600), ("{packet-time: 40 ms}", 300)])
  func packets(audio: String, count: Int) throws {
    let heard = try run(audio).rows(of: .audio).filter { 5...16 ~= $0.number("time_s") }
    #expect(heard.reduce(0) { $0 + $1.number("packets_received") } == Double(count))
    #expect(heard.allSatisfy { $0["concealed_samples"] == "0" && $0["concealed_frac"] == "0.0000" })
  }

  private func concealed(_ tables: MemorySink) -> Double {
    tables.rows(of: .audio).reduce(0) { $0 + $1.number("concealed_samples") }
  }

  /// RED recovers every single lost packet; a tenth of the losses follow another.
  @Test func redMakesUpForSingleLosses() throws {
    let plain = try concealed(run("true", loss: (0, 10)))
    let red = try concealed(run("{red: true}", loss: (0, 10)))
    #expect(plain > 60 * 960 && red < 0.25 * plain, "\(plain), \(red)")
    #expect(try concealed(run("{red: true}")) == 0)
  }

  /// Opus includes FEC in its packets while reports tell the sender of losses: on its own uplink, not on a viewer's
  /// downlink.
  @Test func fecMakesUpForLossesThatTheSenderKnowsOf() throws {
    func lost(_ fec: Bool, _ loss: (up: Int, down: Int), _ estimator: String = "gcc") throws -> Double {
      try concealed(run("{fec: \(fec)}", estimator: estimator, loss: loss, camera: "camera: 360p30, "))
    }
    let (with, without) = try (lost(true, (8, 0)), lost(false, (8, 0)))
    #expect(without > 40 * 960 && with < 0.3 * without, "\(with), \(without)")
    #expect(try lost(true, (0, 8)) == lost(false, (0, 8)))
    #expect(try lost(true, (8, 0), "oracle") == lost(false, (8, 0), "oracle"))
  }

  /// A voice of 24 kbit/s reserves 1.1 times its 50.4 kbit/s on a listener's downlink, for a server that acts on every
  /// change.
  @Test func reservesFollowTheSettings() throws {
    let tables = try run(
      "{bitrate: 24 kbps}", camera: "camera: 360p30, ", policy: "{name: jitsi, change-threshold: 0 %}")
    let reserves = Set(
      tables.rows(of: .decisions).filter { 3...19 ~= $0.number("time_s") }.map { $0["voice_reserve_bps"] })
    #expect(reserves.isSubset(of: ["55440"]))
    let all = Set(tables.rows(of: .decisions).map { $0["voice_reserve_bps"] })
    #expect(all.contains("55440"), "\(all)")
  }
}
