import Network
import Quantity
import SimulationKernel
import Statistics
import Transport

/// RTCP sender and receiver reports: where a congestion controller has its round trip from.
extension MeetingSimulation {
  /// Both ends of both ways of a participant report from now on, at times of their own.
  mutating func beginReports(of participant: Int, kernel: inout Kernel) {
    guard usesFeedback else { return }
    for path in Path.up(participant)...Path.down(participant)
    where firstLink[path] != .max && !paths[path].hasReportEvents {
      paths[path].hasReportEvents = true
      scheduleReport(.senderReport, on: path, mean: .milliseconds(500), kernel: &kernel)
      scheduleReport(.receiverReport, on: path, mean: .seconds(1), kernel: &kernel)
    }
  }

  /// Between half and one and a half times the mean time from now (RFC 3550 section 6.3.1).
  private mutating func scheduleReport(
    _ kind: MeetingEvent.Kind, on path: Int, mean: SimDuration, kernel: inout Kernel
  ) {
    let wait = Double(mean.nanoseconds) * (0.5 + paths[path].reportTimes.uniform())
    kernel.schedule(
      after: SimDuration(nanoseconds: Int64(wait)), tag: MeetingEvent(kind, path).tag)
  }

  /// A path's sender reports, if it has sent anything since its last report.
  mutating func sendSenderReport(on path: Int, kernel: inout Kernel) {
    let participant = Path.participant(of: path)
    let streams = videoStreams(on: path)
    let bytes = paths[path].sentBytes - paths[path].reportedBytes
    let elapsed = kernel.now - paths[path].reportedAt
    paths[path].reportedBytes = paths[path].sentBytes
    paths[path].reportedAt = kernel.now
    let rate =
      elapsed > .zero
      ? BitRate(bitsPerSecond: Int64(Double(bytes) * 8 / elapsed.seconds)) : nil
    scheduleReport(
      .senderReport, on: path, mean: ReportExchange.interval(hasVideo: streams > 0, sendRate: rate),
      kernel: &kernel)
    guard bytes > 0, participants[participant].isJoined else { return }
    let packet = Packet(
      sentAt: kernel.now, size: ReportExchange.senderReportSize(streams: streams + 1),
      destination: UInt16(participant), kind: PacketKind.senderReport.rawValue,
      frame: ReportExchange.stamp(kernel.now))
    paths[path].noteControl(packet)
    network.send(packet, on: firstLink[path], kernel: &kernel)
  }

  mutating func receiveSenderReport(_ packet: Packet, on path: Int, at now: SimTime) {
    paths[path].reports.receive(report: packet.frame, at: now)
  }

  /// A path's receiver reports, if anything has come since its last report.
  mutating func sendReceiverReport(on path: Int, kernel: inout Kernel) {
    let participant = Path.participant(of: path)
    let streams = videoStreams(on: path)
    scheduleReport(
      .receiverReport, on: path, mean: ReportExchange.interval(hasVideo: streams > 0), kernel: &kernel)
    let arrivals = paths[path].arrivals
    guard participants[participant].isJoined,
      let block = paths[path].reports.takeBlock(
        newest: arrivals.newest, arrivals: arrivals.total, at: kernel.now)
    else { return }
    let packet = Packet(
      sentAt: kernel.now, size: ReportExchange.receiverReportSize(streams: streams + 1),
      sequence: block.delay, kind: PacketKind.receiverReport.rawValue, frame: block.lastReport,
      index: block.expected, count: block.lost)
    sendControl(packet, against: path, kernel: &kernel)
  }

  mutating func receiveReceiverReport(_ packet: Packet, on path: Int, kernel: inout Kernel) {
    let outcome = paths[path].reports.receive(
      .init(lastReport: packet.frame, delay: packet.sequence, expected: packet.index, lost: packet.count),
      at: kernel.now)
    paths[path].roundTrip = outcome.roundTrip ?? paths[path].roundTrip
    controllers.receive(outcome, on: path, at: kernel.now)
  }

  /// Video streams that a path carries now.
  private func videoStreams(on path: Int) -> Int {
    let participant = Path.participant(of: path)
    if !Path.isUp(path) {
      let first = trackNumber(viewer: participant, source: 0)
      return sources.indices.count { tracks[first + $0].current.encoding >= 0 }
    }
    var count = 0
    for source in [screenOf[participant], cameraOf[participant]].compactMap({ $0 })
    where sources[source].isCapturing {
      let first = sources[source].firstEncoding
      count += (first..<first + sources[source].encodings).count { encodings[$0].isSending }
    }
    return count
  }
}
