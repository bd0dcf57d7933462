import Files
import Ladder

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads dumps saved by `chrome://webrtc-internals` ("Download the webrtc-internals dump", unpacked).
///
/// The call is that of the connection that sent the most video. The estimate is the `availableOutgoingBitrate` of its
/// candidate pair; round trips come from its receiver reports, else from the pair. If another connection of the dump
/// received that video (the same SSRC), its counters give arrivals and losses; otherwise the bytes sent and the
/// receiver reports do. Chromium keeps the last 1000 samples of each series.
package enum InternalsDump {
  private static let limit = 400_000_000
  /// Maximum delay of a sample after the time it is used for [ms].
  private static let slack = 500.0

  /// Reads a dump from a file.
  ///
  /// - Throws: ``CallRecordError`` for a file that cannot be read, is compressed or not a dump, or in which no
  ///   connection sent video for at least 10 s.
  package static func read(path: String) throws(CallRecordError) -> CallRecord {
    try read(try CallRecord.bytes(of: path, limit: limit), path: path)
  }

  /// Reads a dump from its bytes; `path` names it in errors.
  package static func read(_ whole: [UInt8], path: String) throws(CallRecordError) -> CallRecord {
    let bytes = whole.hasByteOrderMark ? [UInt8](whole.dropFirst(3)) : whole
    func error(_ text: String) -> CallRecordError { CallRecordError(path: path, text: text) }
    guard !bytes.starts(with: [0x1f, 0x8b]) else {
      throw error("the dump is compressed: unpack it with gunzip first")
    }
    guard let file = try? JSONDecoder().decode(DumpFile.self, from: Data(bytes)) else {
      let defect = bytes.firstNonText ?? JSONDefect(in: bytes).map { ($0.line, $0.column) }
      throw CallRecordError(
        path: path, line: defect?.line ?? 1, column: defect?.column ?? 1,
        text: "this is no dump of chrome://webrtc-internals: a JSON object with 'PeerConnections' is expected"
          + (defect == nil ? "" : ", and here it is no JSON"))
    }
    let connections = file.PeerConnections.sorted { $0.key < $1.key }.map { DumpedConnection($0.value) }
    guard let sender = connections.max(by: { $0.videoBytes < $1.videoBytes }), sender.videoBytes > 0 else {
      throw error("no connection of the dump sent video")
    }
    guard let pair = sender.estimatedPair else {
      throw error(
        "the connection that sent video has no 'availableOutgoingBitrate': only Chromium reports it")
    }
    guard let times = pair.times, let first = times.first, let last = times.last else {
      throw error("the dump has no timestamps: save it with Chromium 100 or later")
    }
    guard zip(times, times.dropFirst()).allSatisfy({ $0 < $1 && $1 - $0 <= CallRecord.longestGap * 1000 })
    else {
      throw error("the samples of the estimate are not in order, or more than 10 s apart")
    }
    guard last - first >= (CallRecord.shortest - 1) * 1000 else {
      throw error("a call must last at least 10 s")
    }
    guard last - first <= CallRecord.longest * 1000 else {
      throw error("a call of more than 7200 s cannot be imported")
    }
    let sent = sender.videos
    // Both ends may be in one browser.
    let received = sent.map { video in
      connections.lazy.flatMap(\.received).first { $0.identifier == video.identifier }
    }
    let report = sender.report
    var record = CallRecord(samples: [], hasVoice: sender.hasVoice)
    let trip = CallRecord.mostRoundTrip / 1000
    var kept: Double?
    for time in times {
      if let kept, time < kept + CallRecord.leastGap * 1000 { continue }
      kept = time
      func value(
        _ object: DumpedObject?, _ name: String, atMost most: Double = CallRecord.measurable.upperBound
      ) -> Double? {
        object?.value(of: name, at: time + slack).flatMap { (0...most).contains($0) ? $0 : nil }
      }
      var sample = CallRecord.Sample(
        time: (time - first) / 1000,
        estimate: value(pair, "availableOutgoingBitrate", atMost: CallRecord.mostEstimate * 1000).flatMap {
          $0 > 0 ? $0 / 1000 : nil
        }, encodings: [])
      for (video, arrived) in zip(sent, received) {
        let bytes =
          arrived.map { (value($0, "bytesReceived"), value($0, "headerBytesReceived")) }
          ?? (value(video, "bytesSent"), value(video, "headerBytesSent"))
        sample.encodings.append(
          .init(
            bytes: bytes.0.map { $0 + (bytes.1 ?? 0) },
            height: value(arrived ?? video, "frameHeight", atMost: CallRecord.mostHeight)))
      }
      sample.roundTrip =
        (value(report, "roundTripTime", atMost: trip) ?? value(pair, "currentRoundTripTime", atMost: trip))
        .map {
          $0 * 1000
        }
      let losses = received.compactMap { value($0, "packetsLost") }
      sample.lost = losses.isEmpty ? value(report, "packetsLost") : losses.reduce(0, +)
      record.samples.append(sample)
    }
    record.capture = sender.capture
    return record
  }
}
