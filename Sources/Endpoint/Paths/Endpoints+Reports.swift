import CongestionControl
package import Network
package import Quantity
package import SimulationKernel
import Statistics
import Transport

/// RTCP sender and receiver reports, from which a congestion controller derives its round trip.
extension Endpoints {
  /// Begins the reports of both ends of both paths of a participant, at independent random times.
  package mutating func beginReports(
    of participant: Int, _ links: borrowing PathLinks, kernel: inout Kernel
  ) {
    for path in Path.up(participant)...Path.down(participant) where links.exists(path) {
      beginReports(on: path, kernel: &kernel)
    }
  }

  /// Begins the reports of both ends of a path.
  mutating func beginReports(on path: Int, kernel: inout Kernel) {
    guard rules.hasReports else { return }
    _ = paths[path].reports.takeRate(of: paths[path].totals.mediaBytes, at: kernel.now)
    let first =
      if let own = rules.senderReports(on: path) { own.lowerBound / 2 } else {
        paths[path].reports.wait(.milliseconds(500))
      }
    paths[path].reports.senderDueAt = schedule(.senderReport, on: path, after: first, kernel: &kernel)
    let second = paths[path].reports.wait(.seconds(1))
    paths[path].reports.receiverDueAt = schedule(.receiverReport, on: path, after: second, kernel: &kernel)
  }

  /// Schedules a report.
  ///
  /// - Returns: the time at which it is due.
  private func schedule(
    _ kind: MeetingEvent.Kind, on path: Int, after wait: SimDuration, kernel: inout Kernel
  ) -> Deadline {
    let due = kernel.now + wait
    kernel.schedule(at: due, tag: MeetingEvent(kind, path).tag)
    return Deadline(due)
  }

  /// Sends a path's sender report, if it has sent anything since its last report.
  ///
  /// - Parameter streams: number of video streams that the path carries.
  package mutating func sendSenderReport(
    on path: Int, streams: Int, links: inout PathLinks, kernel: inout Kernel
  ) {
    guard paths[path].isOpen, paths[path].reports.senderDueAt == Deadline(kernel.now) else { return }
    let (bytes, rate) = paths[path].reports.takeRate(of: paths[path].totals.mediaBytes, at: kernel.now)
    let wait =
      if let own = rules.senderReports(on: path) { paths[path].reports.wait(within: own) } else {
        paths[path].reports.wait(ReportExchange.interval(hasVideo: streams > 0, sendRate: rate))
      }
    paths[path].reports.senderDueAt = schedule(.senderReport, on: path, after: wait, kernel: &kernel)
    guard bytes > 0 else { return }
    let packet = Packet(
      sentAt: kernel.now, size: ReportExchange.senderReportSize(streams: streams + 1),
      destination: UInt16(Path.participant(of: path)), kind: PacketKind.senderReport.rawValue,
      frame: ReportExchange.stamp(kernel.now))
    paths[path].noteControl(packet)
    links.send(packet, on: path, kernel: &kernel)
  }

  package mutating func receiveSenderReport(_ packet: Packet, on path: Int, at now: SimTime) {
    paths[path].reports.exchange.receive(report: packet.frame, at: now)
  }

  /// Sends a path's receiver report, if anything has arrived since its last report.
  ///
  /// - Parameter streams: number of video streams that the path carries.
  package mutating func sendReceiverReport(
    on path: Int, streams: Int, links: inout PathLinks, kernel: inout Kernel
  ) {
    guard paths[path].isOpen, paths[path].reports.receiverDueAt == Deadline(kernel.now) else { return }
    let wait = paths[path].reports.wait(ReportExchange.interval(hasVideo: streams > 0))
    paths[path].reports.receiverDueAt = schedule(.receiverReport, on: path, after: wait, kernel: &kernel)
    let (newest, arrivals) = arrivalCounts(on: path)
    guard
      let block = paths[path].reports.exchange.takeBlock(
        newest: newest, arrivals: arrivals, at: kernel.now)
    else { return }
    let packet = Packet(
      sentAt: kernel.now, size: ReportExchange.receiverReportSize(streams: streams + 1),
      sequence: block.delay, kind: PacketKind.receiverReport.rawValue, frame: block.lastReport,
      index: block.expected, count: block.lost)
    sendControl(packet, against: path, links: &links, kernel: &kernel)
    if !Path.isUp(path) {
      repeatEstimate(with: nil, by: Path.participant(of: path), links: &links, kernel: &kernel)
    }
  }

  package mutating func receiveReceiverReport(_ packet: Packet, on path: Int, at now: SimTime) {
    let outcome = paths[path].reports.exchange.receive(
      .init(lastReport: packet.frame, delay: packet.sequence, expected: packet.index, lost: packet.count),
      at: now)
    if packet.index > 0 { paths[path].reports.lossFraction = Double(packet.count) / Double(packet.index) }
    if let roundTrip = outcome.roundTrip {
      paths[path].reports.roundTrip = roundTrip
      paths[path].reports.answeredAt = LastTime(now - roundTrip - ReportExchange.duration(packet.sequence))
    }
    _ = paths[path].reports.recentLoss.add(lost: outcome.lost, of: outcome.expected)
    controllers.receive(outcome, on: path, at: now)
  }
}
