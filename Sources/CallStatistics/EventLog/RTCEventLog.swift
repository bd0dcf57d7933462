import Files

/// Reads libwebrtc's RTC event logs, which Chromium and native applications record for a peer connection.
///
/// A log has every packet sent, the feedback on it, the estimates of both estimators, and the probes; it has no picture
/// sizes. Streams of one configuration are encodings of one source.
package enum RTCEventLog {
  /// Reads a log from a file, compressed or not.
  package static func read(path: String, _ part: CallPart = CallPart()) throws(CallRecordError) -> CallRecord
  {
    try read(try CallRecord.bytes(of: path, limit: InternalsDump.limit), path: path, part)
  }

  /// Reads a log from its bytes; `path` names it in errors.
  package static func read(
    _ bytes: [UInt8], path: String, _ part: CallPart = CallPart()
  ) throws(CallRecordError) -> CallRecord {
    let log = try EventLogReader.log(bytes, path: path)
    guard !log.packets.isEmpty else {
      throw CallRecordError(path: path, text: "the RTC event log has no packet that was sent")
    }
    guard log.streams.values.contains(where: \.isVideo) else {
      throw CallRecordError(
        path: path, text: "the RTC event log has no configuration of a video stream that was sent")
    }
    var statistics = EventLogStatistics(log, bytes)
    let connections = statistics.connections()
    let whole = StatsLog(
      connections: connections, format: "an RTC event log",
      notes: notes(log, hasFeedback: statistics.hasFeedback))
    return try StatsCall.record(of: whole, part, path: path)
  }

  private static func notes(_ log: EventLog, hasFeedback: Bool) -> [String] {
    var notes = ["an RTC event log of version \(log.version), which has no sizes of pictures"]
    if log.isCutOff { notes.append("the log ends within an event, which is left out") }
    if !hasFeedback {
      notes.append(
        "no transport-wide feedback: what arrived is taken for what was sent, less the losses reported")
    }
    if !log.probes.isEmpty {
      let best = log.probed.map(\.rate).max().map { ", the largest \(Int(($0 / 1000).rounded())) kbps" }
      notes.append("probes: \(log.probes.count), with a result: \(log.probed.count)\(best ?? "")")
    }
    let limited = Int((log.applicationLimited / 1000).rounded())
    if limited > 0 { notes.append("for \(limited) s the application limited the sender") }
    let videos = Set(log.streams.values.filter(\.isVideo).map { "\($0.media) \($0.group)" })
    if log.version == 2, videos.count > Set(log.streams.values.filter(\.isVideo).map(\.group)).count {
      notes.append(
        "\(videos.count) video streams that were configured together are taken for encodings of one source; --camera "
          + "and --screen tell otherwise")
    }
    return notes
  }
}
