import Metrics
import Quantity
import Testing

/// Every value computed by hand: a rate is the count over 2 s, halved.
@Suite("Tables with a row per interval")
struct IntervalTableTests {
  @Test func streams() throws {
    try check(
      .streams,
      [
        ExpectedColumn("run_id", .string, nil, "r,1", "r,1"),
        ExpectedColumn("time_s", .number, .seconds, "12.345", "12.345"),
        ExpectedColumn("viewer", .string, nil, "b\"ob", "ann"),
        ExpectedColumn("source", .string, nil, "c,em", "b\"ob/screen"),
        ExpectedColumn("kind", .string, nil, "screen", "camera"),
        ExpectedColumn("state", .string, nil, "waiting-for-keyframe", "hidden"),
        ExpectedColumn("tile_width_px", .integer, .pixels, "641", ""),
        ExpectedColumn("tile_height_px", .integer, .pixels, "362", ""),
        ExpectedColumn("requested_height_px", .integer, .pixels, "723", ""),
        ExpectedColumn("requested_fps", .number, .hertz, "29.97", ""),
        ExpectedColumn("target_height_px", .integer, .pixels, "364", "0"),
        ExpectedColumn("frame_width_px", .integer, .pixels, "485", ""),
        ExpectedColumn("frame_height_px", .integer, .pixels, "276", ""),
        ExpectedColumn("frames_per_second", .number, .hertz, "18.50", "0.00"),
        ExpectedColumn("bitrate_bps", .integer, .bitsPerSecond, "493828", "0"),
        ExpectedColumn("packets_lost", .integer, .one, "7", "0"),
        ExpectedColumn("freeze_count", .integer, .one, "3", "0"),
        ExpectedColumn("freezes_duration_s", .number, .seconds, "1.234", "0.000"),
        ExpectedColumn("limitation", .string, nil, "bandwidth", "policy"),
        ExpectedColumn("mos", .number, .one, "4.31", ""),
        ExpectedColumn("key_frames_decoded", .integer, .one, "4", "0"),
        ExpectedColumn("pli_count", .integer, .one, "5", "0"),
        ExpectedColumn("nack_count", .integer, .one, "6", "0"),
      ]
    ) { recorder in
      var full = StreamRow(
        viewer: 1, source: 2, kind: "screen", state: .waitingForKeyFrame, tile: (641, 362),
        requestedHeight: 723, requestedMilliFrames: 29_970, targetHeight: 364, frame: (485, 276),
        frames: 37,
        bytes: 123_457, decodedBytes: 119_000, packetsLost: 7, freezeCount: 3,
        freezesDuration: SimDuration(nanoseconds: 1_234_567_890), limitation: "bandwidth",
        hundredthsOfMOS: 431)
      (full.keyFramesDecoded, full.pictureLossIndications, full.negativeAcknowledgements) = (4, 5, 6)
      recorder.record(full, at: now)
      recorder.record(
        StreamRow(
          viewer: 0, source: 1, kind: "camera", state: .hidden, tile: nil, requestedHeight: nil,
          requestedMilliFrames: nil, targetHeight: 0, frame: nil, frames: 0, bytes: 0, decodedBytes: 0,
          packetsLost: 0,
          freezeCount: 0, freezesDuration: .zero, limitation: "policy", hundredthsOfMOS: nil), at: now)
    }
  }

  @Test func sent() throws {
    try check(
      .sent,
      [
        ExpectedColumn("run_id", .string, nil, "r,1", "r,1"),
        ExpectedColumn("time_s", .number, .seconds, "12.345", "12.345"),
        ExpectedColumn("source", .string, nil, "b\"ob/screen", "ann"),
        ExpectedColumn("layer", .string, nil, "h, 2", "q"),
        ExpectedColumn("wanted", .boolean, nil, "true", "false"),
        ExpectedColumn("active", .boolean, nil, "false", "true"),
        ExpectedColumn("frame_width_px", .integer, .pixels, "485", ""),
        ExpectedColumn("frame_height_px", .integer, .pixels, "276", ""),
        ExpectedColumn("frames_per_second", .number, .hertz, "18.50", "0.00"),
        ExpectedColumn("target_bitrate_bps", .integer, .bitsPerSecond, "500123", "0"),
        ExpectedColumn("bitrate_bps", .integer, .bitsPerSecond, "493828", "0"),
        ExpectedColumn("quality_limitation_reason", .string, nil, "bandwidth", "none"),
        ExpectedColumn("key_frames_encoded", .integer, .one, "2", "0"),
        ExpectedColumn("pli_count", .integer, .one, "3", "0"),
        ExpectedColumn("fir_count", .integer, .one, "4", "0"),
        ExpectedColumn("nack_count", .integer, .one, "5", "0"),
        ExpectedColumn("retransmitted_packets_sent", .integer, .one, "6", "0"),
      ]
    ) { recorder in
      var row = SentRow(source: 1, layer: 1)
      row.isWanted = true
      row.frame = (485, 276)
      row.frames = 37
      row.target = BitRate(bitsPerSecond: 500_123)
      row.bytes = 123_457
      row.limitation = .bandwidth
      row.keyFrames = 2
      row.pictureLossIndications = 3
      row.fullIntraRequests = 4
      row.negativeAcknowledgements = 5
      row.retransmittedPackets = 6
      recorder.record(row, at: now)
      var sparse = SentRow(source: 0, layer: 0)
      sparse.isActive = true
      recorder.record(sparse, at: now)
    }
  }

  @Test func audio() throws {
    try check(
      .audio,
      [
        ExpectedColumn("run_id", .string, nil, "r,1", "r,1"),
        ExpectedColumn("time_s", .number, .seconds, "12.345", "12.345"),
        ExpectedColumn("viewer", .string, nil, "c,em", "ann"),
        ExpectedColumn("source", .string, nil, "b\"ob", ""),
        ExpectedColumn("packets_received", .integer, .one, "95", "0"),
        ExpectedColumn("packets_lost", .integer, .one, "-6", "0"),
        ExpectedColumn("packets_discarded", .integer, .one, "4", "0"),
        ExpectedColumn("concealed_samples", .integer, .samples, "2880", "0"),
        ExpectedColumn("concealment_events", .integer, .one, "3", "0"),
        ExpectedColumn("inserted_samples_for_deceleration", .integer, .samples, "720", "0"),
        ExpectedColumn("removed_samples_for_acceleration", .integer, .samples, "360", "0"),
        ExpectedColumn("jitter_buffer_delay_s", .number, .seconds, "0.0434", ""),
        ExpectedColumn("jitter_buffer_target_delay_s", .number, .seconds, "0.08", "0.00"),
        ExpectedColumn("concealed_frac", .number, .one, "0.0312", "0.0000"),
      ]
    ) { recorder in
      recorder.record(
        AudioRow(
          viewer: 2, source: 1, packetsReceived: 95, packetsLost: -6, packetsDiscarded: 4,
          concealedSamples: 2880, concealmentEvents: 3, insertedSamples: 720, removedSamples: 360,
          delay: SimDuration(nanoseconds: 43_456_789), targetDelay: .milliseconds(80),
          concealedTenThousandths: 312), at: now)
      recorder.record(
        AudioRow(
          viewer: 0, source: nil, packetsReceived: 0, packetsLost: 0, packetsDiscarded: 0,
          concealedSamples: 0,
          concealmentEvents: 0, insertedSamples: 0, removedSamples: 0, delay: nil, targetDelay: .zero,
          concealedTenThousandths: 0), at: now)
    }
  }

  @Test func participants() throws {
    try check(
      .participants,
      [
        ExpectedColumn("run_id", .string, nil, "r,1", "r,1"),
        ExpectedColumn("time_s", .number, .seconds, "12.345", "12.345"),
        ExpectedColumn("participant", .string, nil, "c,em", "ann"),
        ExpectedColumn("up_capacity_bps", .integer, .bitsPerSecond, "1000001", "0"),
        ExpectedColumn("up_estimate_bps", .integer, .bitsPerSecond, "900002", "0"),
        ExpectedColumn("up_bitrate_bps", .integer, .bitsPerSecond, "800000", "0"),
        ExpectedColumn("up_loss_frac", .number, .one, "0.0075", ""),
        ExpectedColumn("up_queue_delay_s", .number, .seconds, "0.001250", ""),
        ExpectedColumn("down_capacity_bps", .integer, .bitsPerSecond, "2000003", "0"),
        ExpectedColumn("down_estimate_bps", .integer, .bitsPerSecond, "1900004", "0"),
        ExpectedColumn("down_bitrate_bps", .integer, .bitsPerSecond, "1800000", "0"),
        ExpectedColumn("down_loss_frac", .number, .one, "0.1000", ""),
        ExpectedColumn("down_queue_delay_s", .number, .seconds, "0.011250", ""),
        ExpectedColumn("audio_bitrate_bps", .integer, .bitsPerSecond, "40000", "0"),
        ExpectedColumn("audio_loss_frac", .number, .one, "0.2500", ""),
        ExpectedColumn("videos_received", .integer, .one, "5", "0"),
        ExpectedColumn("decoded_pixels_per_s", .integer, .pixelsPerSecond, "1843201", "0"),
        ExpectedColumn("connection_quality", .string, nil, "good", ""),
      ]
    ) { recorder in
      var row = ParticipantRow(participant: 2)
      row.up.capacity = BitRate(bitsPerSecond: 1_000_001)
      row.up.estimate = BitRate(bitsPerSecond: 900_002)
      row.up.bytes = 200_000
      row.up.addLink(delivered: 397, missing: 3)
      row.up.queueDelaySum = 5_000_000
      row.up.queueDelayPackets = 4
      row.down.capacity = BitRate(bitsPerSecond: 2_000_003)
      row.down.estimate = BitRate(bitsPerSecond: 1_900_004)
      row.down.bytes = 450_000
      // Two links, one losing a tenth and one nothing, and a third that no packet left.
      row.down.addLink(delivered: 270, missing: 30)
      row.down.addLink(delivered: 5, missing: 0)
      row.down.addLink(delivered: 0, missing: 0)
      row.down.queueDelaySum = 90_000_000
      row.down.queueDelayPackets = 8
      row.audioBytes = 10_000
      row.audioPacketsReceived = 75
      row.audioPacketsLost = 25
      row.videosReceived = 5
      row.decodedPixels = 3_686_402
      row.connectionQuality = "good"
      recorder.record(row, at: now)
      recorder.record(ParticipantRow(participant: 0), at: now)
    }
  }

  @Test func lateVoicesAreNoLoss() throws {
    let written = try WrittenTable(.participants) { recorder in
      var row = ParticipantRow(participant: 0)
      row.audioPacketsReceived = 10
      row.audioPacketsLost = -3
      recorder.record(row, at: now)
    }
    #expect(try written.value("audio_loss_frac") == "0.0000")
  }

  /// 20 gigapixels times 10^9 ns/s do not fit into 64 bits.
  @Test func manyPixelsDoNotOverflow() throws {
    let written = try WrittenTable(.participants) { recorder in
      var row = ParticipantRow(participant: 0)
      row.decodedPixels = 20_000_000_000
      recorder.record(row, at: now)
    }
    #expect(try written.value("decoded_pixels_per_s") == "10000000000")
  }

  /// Used: (600,000 + 30,000) B, of 2 s at 3 Mbit/s.
  @Test func links() throws {
    try check(
      .links,
      [
        ExpectedColumn("run_id", .string, nil, "r,1", "r,1"),
        ExpectedColumn("time_s", .number, .seconds, "12.345", "12.345"),
        ExpectedColumn("link", .string, nil, "wi-fi, 5 GHz", "ann-down"),
        ExpectedColumn("capacity_bps", .integer, .bitsPerSecond, "3000000", "0"),
        ExpectedColumn("throughput_bps", .integer, .bitsPerSecond, "2400000", "0"),
        ExpectedColumn("utilization_frac", .number, .one, "0.8400", ""),
        ExpectedColumn("queue_delay_mean_s", .number, .seconds, "0.003500", ""),
        ExpectedColumn("queue_delay_max_s", .number, .seconds, "0.009876", "0.000000"),
        ExpectedColumn("packets_dropped", .integer, .one, "11", "0"),
        ExpectedColumn("cross_traffic_bps", .integer, .bitsPerSecond, "800000", "0"),
      ]
    ) { recorder in
      recorder.record(
        LinkRow(
          link: 1, capacity: .megabits(3), deliveredBytes: 600_000, crossBytes: 200_000, usedBytes: 630_000,
          queueDelaySum: 7_000_000, queueDelayPackets: 2, queueDelayMaximum: 9_876_543, packetsDropped: 11),
        at: now)
      recorder.record(
        LinkRow(
          link: 0, capacity: .zero, deliveredBytes: 0, usedBytes: 0, queueDelaySum: 0,
          queueDelayPackets: 0, queueDelayMaximum: 0, packetsDropped: 0), at: now)
    }
  }

  /// An hour of 100 Gbit/s: 45 TB in 40 billion packets, each of which waited for 2 s.
  @Test func countersOfTheLongestIntervalAtAnyRateAreWritten() throws {
    let hour = SimDuration.seconds(3600)
    var recorder = ResultRecorder(
      runID: "r", participants: ["ann"], sources: ["ann"], links: ["core"], interval: hour)
    var row = ParticipantRow(participant: 0)
    row.down = PathRow()
    row.down.capacity = .megabits(100_000)
    row.down.bytes = 45_000_000_000_000
    row.down.addLink(delivered: 40_000_000_000, missing: 0)
    row.down.queueDelaySum = 80_000_000_000_000_000_000
    row.down.queueDelayPackets = 40_000_000_000
    row.decodedPixels = 3600 * 7680 * 4320 * 60
    recorder.record(row, at: now)
    recorder.record(
      LinkRow(
        link: 0, capacity: .megabits(100_000), deliveredBytes: 45_000_000_000_000,
        usedBytes: 45_000_000_000_000,
        queueDelaySum: 80_000_000_000_000_000_000, queueDelayPackets: 40_000_000_000,
        queueDelayMaximum: 2_000_000_000, packetsDropped: 0),
      at: now)
    var sink = MemorySink()
    try recorder.flush(into: &sink)
    let participant = try fields(of: .participants, in: sink)
    #expect(participant["down_bitrate_bps"] == "100000000000")
    #expect(participant["down_queue_delay_s"] == "2.000000")
    #expect(participant["decoded_pixels_per_s"] == "1990656000")
    let link = try fields(of: .links, in: sink)
    #expect(link["throughput_bps"] == "100000000000")
    #expect(link["utilization_frac"] == "1.0000")
    #expect(link["queue_delay_mean_s"] == "2.000000")
  }

  /// Returns the first row of a table whose texts have no commas.
  private func fields(of table: ResultTable, in sink: MemorySink) throws -> [Substring: Substring] {
    let lines = sink.text(of: table).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    try #require(lines.count == 2 && lines[0].count == lines[1].count)
    return Dictionary(uniqueKeysWithValues: zip(lines[0], lines[1]))
  }
}
