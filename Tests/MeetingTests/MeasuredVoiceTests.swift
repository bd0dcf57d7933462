import Meeting
import Metrics
import TestSupport
import Testing

/// A voice is 50 packets of 146 B a second, each with 20 ms or 960 samples.
@Suite("Voice columns by hand")
struct MeasuredVoiceTests {
  private func tables(_ change: String, _ before: String) throws -> MemorySink {
    let text = """
      name: voice
      duration: 12s
      links:
        up: {capacity: 1 Mbps, delay: 10 ms}
        down: {capacity: 800 kbps, delay: 20 ms}
      participants:
        - {id: ann, up: up, publish: audio-only}
        - {id: bob, down: down}
      timeline:
        - {at: 1s, participant: ann, speaks: 9s}
        - {at: 5010 ms, link: bob/down, \(change)}
        - {at: 5210 ms, link: bob/down, \(before)}
      """
    return try Meetings.run(Meetings.scenario(text)).tables
  }

  /// Ten packets of 200 ms are lost: a fifth of a second.
  @Test func aFifthIsLost() throws {
    let tables = try tables("loss: 100 %", "loss: 0 %")
    let rows = tables.rows(of: .audio)
    #expect(rows.map { $0["time_s"] } == (2...11).map { "\($0).000" })
    let columns = [
      ("packets_received", "50", "40"), ("packets_lost", "0", "10"), ("packets_discarded", "0", "0"),
      ("concealed_samples", "0", "9600"), ("concealment_events", "0", "1"),
      ("inserted_samples_for_deceleration", "0", "0"), ("removed_samples_for_acceleration", "0", "0"),
      // The minimum target, and the 20 ms bucket above it.
      ("jitter_buffer_delay_s", "0.0400", "0.0400"), ("jitter_buffer_target_delay_s", "0.02", "0.02"),
      ("concealed_frac", "0.0000", "0.2000"),
    ]
    for (column, usual, lossy) in columns {
      #expect(rows[1...8].map { $0[column] } == (3...10).map { $0 == 6 ? lossy : usual }, "\(column)")
    }
    // The delay starts at 40 ms, rises to the first target of 80 and returns: 48 samples per millisecond.
    #expect(rows[0]["inserted_samples_for_deceleration"] == "1920")
    #expect(rows[0]["removed_samples_for_acceleration"] == "1920")
    let bob = tables.rows(of: .participants).filter { $0["participant"] == "bob" && $0["time_s"] == "6.000" }
    let expected = [
      "audio_bitrate_bps": "46720", "audio_loss_frac": "0.2000", "down_loss_frac": "0.2000",
      "down_bitrate_bps": "46720", "down_queue_delay_s": "0.000000",
    ]
    for (column, value) in expected { #expect(bob.map { $0[column] } == [value], "\(column)") }
    let link = tables.rows(of: .links).first { $0["link"] == "bob/down" && $0["time_s"] == "6.000" }
    #expect(link?["packets_dropped"] == "10")
    // Of 450 speech packets, 9 s, ten were concealed.
    let scalars = tables.rows(of: .scalars).filter { $0["metric"].hasPrefix("audio_") }
    #expect(
      scalars.filter { $0["metric"] == "audio_concealed_frac" }.map { $0["value"] } == [
        "0.022222", "0.022222",
      ]
    )
    #expect(scalars.filter { $0["metric"] == "audio_packets_discarded" }.allSatisfy { $0["value"] == "0.0" })
  }
}
