import Meeting
import Metrics
import Quantity

/// A simulated meeting, sampled at the times of a recording.
package struct SimulatedCourse: Sendable {
  package let course: TileCourse
  private let recording: SFURecording
  private let sources: [Int]
  private let samples: [ReceptionCourse.Sample]

  init(_ recording: SFURecording, sources: [Int], _ reception: ReceptionCourse) {
    var course = TileCourse()
    var sent: [Int64] = [0, 0, 0]
    for (time, sample) in zip(recording.times, reception.samples) {
      for (tile, source) in sources.enumerated() {
        let report = sample.reports[source]
        for (spatial, bytes) in report.layerBytes.prefix(3).enumerated() where recording.isLayered {
          course.layers.add(Double(8 * (bytes - sent[spatial])), of: spatial, at: time)
          sent[spatial] = bytes
        }
        course.add(
          TileCourse.Counters(
            bytes: Double(report.bytes), lost: Double(report.lost), frames: Double(report.frames),
            height: Double(report.height), frozen: report.freezeTime.seconds,
            keyFrames: Double(report.keyFrames)),
          of: tile, at: time)
      }
    }
    self.course = course
    self.recording = recording
    self.sources = sources
    samples = reception.samples
  }

  /// Columns common to both kinds of tables, which follow those that differ.
  private static let counters = "bytes,packets,lost,frames,keyframes,dropped,h,fps,freezes,freeze_s"

  /// Bytes sent in each spatial layer of scalable streams.
  private static let layers = ",s0_bytes,s1_bytes,s2_bytes"

  /// Table in the recording's own format, with the columns that the simulation provides.
  package var csv: String {
    var writer = ByteWriter()
    writer.raw(
      recording.isRoom
        ? "t,up_kbps,down_kbps,bwe_kbps,estimate_kbps," : "t,capacity_kbps,estimate_kbps,publisher,")
    writer.raw("\(Self.counters)\(recording.isLayered ? Self.layers : "")\n")
    var before = [Int64](repeating: 0, count: sources.count)
    var last = 0.0
    for (time, sample) in zip(recording.times, samples) {
      for (tile, source) in sources.enumerated() {
        let report = sample.reports[source]
        writer.fixed(Int64((time * 1000).rounded()), decimals: 3)
        writer.comma()
        if recording.isRoom { write(report.upCapacity, to: &writer) }
        write(sample.capacity, to: &writer)
        if recording.isRoom { write(report.upEstimate, to: &writer) }
        write(sample.estimate, to: &writer)
        if let publishers = recording.publishers {
          writer.field(publishers[tile])
          writer.comma()
        }
        let frames = Double(report.frames - before[tile])
        let rate = time > last ? Int64((frames / (time - last)).rounded()) : 0
        before[tile] = report.frames
        for value in [
          report.bytes, report.packets, report.lost, report.frames, report.keyFrames, report.dropped,
          Int64(report.height), rate, report.freezes,
        ] {
          writer.integer(value)
          writer.comma()
        }
        writer.fixed(report.freezeTime.nanoseconds / 1_000_000, decimals: 3)
        for spatial in 0..<3 where recording.isLayered {
          writer.comma()
          writer.integer(spatial < report.layerBytes.count ? report.layerBytes[spatial] : 0)
        }
        writer.newline()
      }
      last = time
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Writes a rate [kbps] and a comma.
  private func write(_ rate: BitRate, to writer: inout ByteWriter) {
    writer.fixed(rate.bitsPerSecond, decimals: 3)
    writer.comma()
  }
}
