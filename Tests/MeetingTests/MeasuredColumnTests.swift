import Allocation
import Ladder
import Meeting
import Metrics
import Quantity
import Scenario
import TestSupport
import Testing

/// Every measured column of a meeting in which every packet is known.
///
/// A recorded camera has 20 frames of 2300 B a second, each in two packets of 1150 B with 64 B of overhead. A packet
/// takes 9.712 ms on an uplink of 1 Mbps and 12.140 ms on a downlink of 800 kbps, so the second packet of a frame waits
/// 9.712 ms for the first, and then 12.140 - 9.712 = 2.428 ms. A frame is complete at the SFU 2 x 9.712 + 10 = 29.424
/// ms after its capture, and at the viewer 29.424 + 2.428 + 12.140 + 20 = 63.992 ms after it. Captures are 35 ms after
/// multiples of 50.
@Suite("Columns by hand")
struct MeasuredColumnTests {
  private static let frames =
    "frame,temporal_id,keyframe,q_bytes\n"
    + (0..<20).map { "\($0),0,\($0 == 0 ? 1 : 0),2300\n" }.joined()

  private func tables(uplink: String = "1 Mbps", loss: Int = 0) throws -> MemorySink {
    let folder = try TemporaryFolder(["frames.csv": Self.frames])
    let text = """
      name: columns
      duration: 12s
      policy: stream
      estimator: oracle
      links:
        up: {capacity: \(uplink), delay: 10 ms}
        down: {capacity: 800 kbps, delay: 20 ms, loss: \(loss) %}
        back: {capacity: 2 Mbps, delay: 5 ms}
      participants:
        - id: ann
          up: up
          down: back
          publish: {audio: false, camera: {frames: {file: frames.csv, fps: 20, encodings: {q: 320x180}}}}
        - {id: bob, up: back, down: down, view: {tiles: [{participant: ann, size: 320x180}]}}
      """
    do {
      return try Meetings.run(
        ScenarioReader.read(bytes: Array(text.utf8), file: "columns.yaml", directory: folder.path + "/")
      ).tables
    } catch let error as ScenarioError {
      throw Meetings.Failure(description: error.diagnostics.map(\.description).joined(separator: "\n"))
    }
  }

  /// Returns the rows after the first second, whose first frame is late and which contains a key frame request.
  private func rows(_ tables: MemorySink, of table: ResultTable, _ column: String, _ value: String) -> [Row] {
    Array(tables.rows(of: table).filter { $0[column] == value }.dropFirst())
  }

  private func expect(_ rows: [Row], _ expected: KeyValuePairs<String, String>) {
    #expect(rows.count == 11)
    for (column, value) in expected {
      #expect(rows.allSatisfy { $0[column] == value }, "\(column): \(rows.map { $0[column] })")
    }
  }

  @Test func streams() throws {
    let tables = try tables()
    let score = try #require(
      MeanOpinionScore.video(coded: .p180, tile: .p180, bitrate: .kilobits(368), framesPerSecond: 20))
    expect(
      rows(tables, of: .streams, "viewer", "bob"),
      [
        "source": "ann", "kind": "camera", "state": "receiving", "tile_width_px": "320",
        "tile_height_px": "180", "requested_height_px": "180", "requested_fps": "30.00",
        "target_height_px": "180", "frame_width_px": "320", "frame_height_px": "180",
        "frames_per_second": "20.00", "bitrate_bps": "388480", "packets_lost": "0", "freeze_count": "0",
        "freezes_duration_s": "0.000", "limitation": "sender",
        "mos": "\(Double((score * 100).rounded()) / 100)",
      ])
  }

  /// 40 packets a second of 1150 B with 26 of their 64 B in RTP headers and payload. The key frame request of the first
  /// second brings the recording's second key frame in place of its second frame.
  @Test func sent() throws {
    let tables = try tables()
    expect(
      rows(tables, of: .sent, "source", "ann"),
      [
        "layer": "f", "wanted": "true", "active": "true", "frame_width_px": "320", "frame_height_px": "180",
        "frames_per_second": "20.00", "target_bitrate_bps": "368000", "bitrate_bps": "376320",
        "quality_limitation_reason": "none", "key_frames_encoded": "1", "pli_count": "0", "fir_count": "0",
        "nack_count": "0", "retransmitted_packets_sent": "0",
      ])
    let first = try #require(tables.rows(of: .sent).first)
    #expect(first["pli_count"] == "1" && first["key_frames_encoded"] == "2")
    let seen = tables.stream(viewer: "bob", source: "ann")
    #expect(seen.map { $0["key_frames_decoded"] } == ["2"] + Array(repeating: "1", count: 11))
    #expect(seen.allSatisfy { $0["pli_count"] == "0" && $0["nack_count"] == "0" })
  }

  /// 20 pictures of 320x180 pixels a second.
  @Test func participants() throws {
    let tables = try tables()
    expect(
      rows(tables, of: .participants, "participant", "ann"),
      [
        "up_capacity_bps": "1000000", "up_estimate_bps": "1000000", "up_bitrate_bps": "388480",
        "up_loss_frac": "0.0000", "up_queue_delay_s": "0.004856", "down_capacity_bps": "2000000",
        "down_estimate_bps": "2000000", "down_bitrate_bps": "0", "down_loss_frac": "",
        "down_queue_delay_s": "", "audio_bitrate_bps": "0", "audio_loss_frac": "", "videos_received": "0",
        "decoded_pixels_per_s": "0", "connection_quality": "excellent",
      ])
    expect(
      rows(tables, of: .participants, "participant", "bob"),
      [
        "up_capacity_bps": "2000000", "up_estimate_bps": "2000000", "up_bitrate_bps": "0",
        "up_loss_frac": "", "up_queue_delay_s": "", "down_capacity_bps": "800000",
        "down_estimate_bps": "800000", "down_bitrate_bps": "388480", "down_loss_frac": "0.0000",
        "down_queue_delay_s": "0.001214", "audio_bitrate_bps": "0", "audio_loss_frac": "",
        "videos_received": "1", "decoded_pixels_per_s": "1152000", "connection_quality": "excellent",
      ])
  }

  @Test func links() throws {
    let tables = try tables()
    expect(
      rows(tables, of: .links, "link", "ann/up"),
      [
        "capacity_bps": "1000000", "throughput_bps": "388480", "utilization_frac": "0.3884",
        "queue_delay_mean_s": "0.004856", "queue_delay_max_s": "0.009712", "packets_dropped": "0",
      ])
    expect(
      rows(tables, of: .links, "link", "bob/down"),
      [
        "capacity_bps": "800000", "throughput_bps": "388480", "utilization_frac": "0.4856",
        "queue_delay_mean_s": "0.001214", "queue_delay_max_s": "0.002428", "packets_dropped": "0",
      ])
    // One key frame request of 54 B in the first second.
    let back = tables.rows(of: .links).filter { $0["link"] == "ann/down" }.map { $0["throughput_bps"] }
    #expect(back == ["432"] + Array(repeating: "0", count: 11))
  }

  /// No uplink from 6 to 6.5 s: 4.424 ms of the frame of 5.985 s are left and are sent first afterwards. The frame of
  /// 6.035 s waits 469.424 ms, and its second packet 9.712 more. The frame captured at 5.935 s, rendered 84.904 ms
  /// later, stays until the next frame arrives, 4.424 + 10 + 12.140 + 20 ms after 6.5 s: 526.660 ms.
  @Test func aStallOfTheUplink() throws {
    let tables = try tables(uplink: "[{at: 0s, to: 1 Mbps}, {at: 6s, to: 0 bps}, {at: 6.5s, to: 1 Mbps}]")
    let tile = tables.stream(viewer: "bob", source: "ann")
    #expect(tile.map { $0["freeze_count"] } == (1...12).map { $0 == 7 ? "1" : "0" })
    #expect(tile.map { $0["freezes_duration_s"] } == (1...12).map { $0 == 7 ? "0.526" : "0.000" })
    let link = tables.rows(of: .links).filter { $0["link"] == "ann/up" }[6]
    #expect(link["capacity_bps"] == "500000" && link["throughput_bps"] == "388480")
    #expect(link["utilization_frac"] == "0.7769" && link["queue_delay_max_s"] == "0.479136")
    #expect(scalars(tables, "tile")["freeze_count total"] == "1.0")
    #expect(scalars(tables, "tile")["freezes_duration total"] == "0.526")
    #expect(scalars(tables, "participant")["freezes_duration max"] == "0.526")
    #expect(scalars(tables, "link", "ann/up")["queue_delay max"] == "0.479136")
  }

  /// Every frame takes 2428 B, whatever was retransmitted; its repairs count only in `bitrate`.
  @Test func whatIsDecodedHasNoRepairs() throws {
    let tables = try tables(loss: 5)
    let tile = tables.stream(viewer: "bob", source: "ann")
    let frames = tile.reduce(0) { $0 + $1.number("frames_per_second") }
    let whole = scalars(tables, "tile")
    let decoded = try #require(Double(whole["decoded_bitrate mean"] ?? ""))
    let received = try #require(Double(whole["bitrate mean"] ?? ""))
    #expect(tile.reduce(0) { $0 + $1.number("packets_lost") } > 5)
    #expect(abs(decoded - frames * 2428 * 8 / 11.965) < 0.1)
    #expect(received > decoded)
    // Each frame has two packets with 62 B of RTP, UDP and IP to subtract.
    for row in tile where row.number("frames_per_second") > 0 {
      let rate = row.number("frames_per_second")
      let score = try #require(
        MeanOpinionScore.video(
          coded: .p180, tile: .p180, bitrate: BitRate(bitsPerSecond: Int64(rate * 8) * (2428 - 124)),
          framesPerSecond: rate))
      #expect(abs(row.number("mos") - (score * 100).rounded() / 100) < 1e-9, "\(row["time_s"])")
    }
  }

  // MARK: Whole-run values

  /// Returns the values of bob or of a link, by metric and statistic.
  private func scalars(_ tables: MemorySink, _ scope: String, _ source: String? = nil) -> [String: String] {
    let rows = tables.rows(of: .scalars).filter {
      $0["scope"] == scope && (source == nil ? $0["viewer"] != "ann" : $0["source"] == source)
    }
    return Dictionary(uniqueKeysWithValues: rows.map { ("\($0["metric"]) \($0["stat"])", $0["value"]) })
  }

  /// The tile appears at 35 ms, 64 ms before its first frame. 239 frames arrive in the 11.965 s from then on, 19 of them
  /// in the first second. The key frame request skips 19 of the recording's 20,
  /// so the first two frames and every twentieth after the second are key frames.
  @Test func wholeRun() throws {
    let tables = try tables()
    let tile = scalars(tables, "tile")
    #expect(tables.rows(of: .layout).first { $0["source"] == "ann" }?["time_s"] == "0.035")
    let expected = [
      "frame_height p50": "180.0", "requested_height_share mean": "1.000",
      "frames_per_second mean": "19.97", "bitrate mean": "387992.9",
      "decoded_bitrate mean": "387992.9", "freeze_count total": "0.0",
      "pixels_of_screen mean": "1.000", "pixels_of_request mean": "0.665",
      "time_off_screen total": "0.000", "time_without_frames total": "0.000",
      "freezes_duration total": "0.000", "packets_lost total": "0.0", "first_frame_delay total": "0.063",
      "frames_dropped total": "0.0", "frames_late total": "0.0", "key_frames_decoded total": "13.0",
    ]
    for (name, value) in expected { #expect(tile[name] == value, "\(name)") }
    let scores = tables.stream(viewer: "bob", source: "ann").map { $0.number("mos") }
    let mean = scores.reduce(0, +) / 12
    #expect(abs((Double(tile["mos mean"] ?? "") ?? 0) - mean) < 0.01)
    // From capture to display: the path, and the time in the jitter buffer.
    let buffered = try #require(Double(tile["jitter_buffer_delay mean"] ?? ""))
    #expect(buffered > 0.01 && buffered < 0.03)
    for stat in ["mean", "max"] {
      let delay = try #require(Double(tile["frame_delay \(stat)"] ?? ""))
      #expect(abs(delay - 0.063992 - buffered) <= 0.001, "\(stat)")
    }
    let viewer = scalars(tables, "participant")
    let expectedOfViewer = [
      "frame_height mean": "180.0", "bitrate mean": "386861.3", "freezes_duration max": "0.000",
      "decoded_pixels_per_s mean": "1147200.0", "decoded_pixels_per_s max": "1152000.0",
      "data_up total": "0.000", "data_down total": "0.580", "switches_per_minute mean": "0.000",
      "retransmitted_down total": "0.000", "padding_down total": "0.000",
    ]
    for (name, value) in expectedOfViewer { #expect(viewer[name] == value, "\(name)") }
    #expect(viewer["mos mean"] == tile["mos mean"])
    let link = scalars(tables, "link", "ann/up")
    #expect(
      link == [
        "throughput mean": "386861.3", "packets_dropped total": "0.0", "queue_delay mean": "0.004856",
        "queue_delay max": "0.009712",
      ])
    #expect(scalars(tables, "link", "ann/down")["throughput mean"] == "36.0")
    #expect(scalars(tables, "meeting")["simulated_time total"] == "12.000")
  }
}
