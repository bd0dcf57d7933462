import CongestionControl
import Media
public import Network
package import Quantity
public import SimulationKernel
public import Transport

/// Sending of finished packets: pacing, numbering, padding, retransmission.
extension Endpoints {
  /// Sends a media packet: through the pacer where the path has a congestion controller.
  @inlinable @inline(__always)
  public mutating func send(
    _ packet: Packet, _ priority: PacketPriority, on path: Int, links: inout PathLinks, kernel: inout Kernel
  ) {
    if rules.usesFeedback(on: path) {
      sendWithFeedback(packet, priority, on: path, links: &links, kernel: &kernel)
    } else {
      sendWithoutFeedback(packet, on: path, links: &links, kernel: &kernel)
    }
  }

  @usableFromInline
  mutating func sendWithFeedback(
    _ packet: Packet, _ priority: PacketPriority, on path: Int, links: inout PathLinks, kernel: inout Kernel
  ) {
    guard !rules.isAllocatorDriven(path) else {
      return transmit(packet, on: path, probe: paths[path].allocatorProbe, links: &links, kernel: &kernel)
    }
    // A pattern match, because `==` of an enumeration of another module is not inlined.
    if case .audio = priority {
      guard rules.reportsVoice(on: path) else {
        paths[path].totals.mediaBytes += Int64(packet.size)
        links.send(packet, on: path, kernel: &kernel)
        return
      }
      paths[path].pacer.sendUnpaced(packet, at: kernel.now)
      transmit(packet, on: path, probe: -1, links: &links, kernel: &kernel)
    } else if !rules.paces(path) {
      guard rules.padsDown else {
        return transmit(
          packet, on: path, probe: paths[path].pacer.currentProbe, links: &links, kernel: &kernel)
      }
      paths[path].pacer.pass(packet, at: kernel.now)
      transmit(packet, on: path, probe: -1, links: &links, kernel: &kernel)
      schedulePacer(path, kernel: &kernel)
    } else if paths[path].pacer.passesAtOnce(packet, at: kernel.now) {
      transmit(packet, on: path, probe: -1, links: &links, kernel: &kernel)
    } else {
      paths[path].pacer.enqueue(packet, priority, at: kernel.now)
      schedulePacer(path, kernel: &kernel)
    }
  }

  /// Sends a packet on a path whose sender has no controller: without pacing, numbered where the receiver needs it.
  @usableFromInline
  mutating func sendWithoutFeedback(
    _ packet: Packet, on path: Int, links: inout PathLinks, kernel: inout Kernel
  ) {
    var packet = packet
    if rules.receivesEstimates(on: path) {
      // Voices are not part of the estimate that padding fills.
      if packet.isVideo { paths[path].pacer.pass(packet, at: kernel.now) }
      return transmitStamped(packet, on: path, links: &links, kernel: &kernel)
    }
    if countsLosses {
      packet.transportSequence = paths[path].unreported.next
      paths[path].unreported.next &+= 1
    }
    links.send(packet, on: path, kernel: &kernel)
  }

  /// Stamps a packet with its send time and puts it on a path whose receiver estimates.
  private mutating func transmitStamped(
    _ packet: Packet, on path: Int, links: inout PathLinks, kernel: inout Kernel
  ) {
    var packet = packet
    packet.transportSequence = receivers[Path.participant(of: path)].sendTimes.stamp(at: kernel.now)
    paths[path].totals.mediaBytes += Int64(packet.size)
    links.send(packet, on: path, kernel: &kernel)
  }

  /// Sends a video packet past the pacer, but not past the path's feedback.
  package mutating func sendUnpaced(
    _ packet: Packet, on path: Int, links: inout PathLinks, kernel: inout Kernel
  ) {
    guard rules.usesFeedback(on: path) else {
      return send(packet, .video, on: path, links: &links, kernel: &kernel)
    }
    transmit(packet, on: path, probe: -1, links: &links, kernel: &kernel)
  }

  /// Transmission time, on an uplink of known capacity, above which the sender paces a frame: less than typical queues
  /// hold [our model].
  private static let longestBurst = SimDuration.milliseconds(100)

  /// Checks whether a frame has to be paced on an uplink of known capacity: sent at once, it would overrun the link's
  /// queue or overtake packets in the pacer. Other frames on such an uplink are sent at once.
  package func spreads(frameOf bytes: Int, on path: Int) -> Bool {
    guard !rules.usesFeedback(on: path) else { return false }
    let burst = controllers.estimate(path).scaled(by: Self.longestBurst.seconds)
    return burst > .zero && Int64(bytes) * 8 > burst.bitsPerSecond || paths[path].pacer.waitingPackets > 0
  }

  /// Paces a packet of a frame selected by ``spreads(frameOf:on:)``.
  package mutating func spread(_ packet: Packet, at rate: BitRate, on path: Int, kernel: inout Kernel) {
    paths[path].pacer.setRates(
      PathTarget(rate: rate, pacing: RateLimit(rate), padding: .zero), at: kernel.now)
    paths[path].pacer.enqueue(packet, .video, at: kernel.now)
    schedulePacer(path, kernel: &kernel)
  }

  /// Drops the queued packets of an uplink's encodings that are off, as libwebrtc does
  /// (`rtp_transport_controller_send.cc`, DeRegisterSendingRtpStream).
  package mutating func forget(_ encodings: [Int], on path: Int, at now: SimTime) {
    for encoding in encodings { paths[path].pacer.removeAll(of: UInt16(encoding), at: now) }
  }

  /// Returns the size of the queue in a path's pacer.
  package func queued(on path: Int) -> ByteCount { paths[path].pacer.waitingSize }

  /// Returns the number of packets in a path's pacer.
  package func waitingPackets(on path: Int) -> Int { paths[path].pacer.waitingPackets }

  /// Sends a packet again (RFC 4588), within the path's budget for repairs: half of the path without a pacer, which
  /// would make repairs wait for media. A sender that follows its receiver's estimates or paces nothing has no such
  /// budget.
  ///
  /// - Returns: `true` if it is sent.
  package mutating func retransmit(
    _ sequence: UInt32, of history: inout RetransmissionHistory, on path: Int, links: inout PathLinks,
    kernel: inout Kernel
  ) -> Bool {
    let wait = (knownRoundTrip(on: path, links, at: kernel.now) ?? .zero).nanoseconds
    guard let packet = history.packet(sequence, toRepeatAt: kernel.now.nanoseconds, roundTrip: wait) else {
      return false
    }
    var copy = packet.repeated
    // A history remembers one destination, but its publisher may have changed to another connection.
    copy.destination = UInt16(Path.participant(of: path))
    if !rules.receivesEstimates(on: path), rules.paces(path) || !rules.usesFeedback(on: path) {
      let target = controllers.estimate(path).scaled(by: rules.usesFeedback(on: path) ? 1 : 0.5)
      guard paths[path].repairs.spend(Int64(copy.size), target: target, at: kernel.now) else { return false }
    }
    let waiting = paths[path].pacer.waitingPackets
    if waiting > 0, !rules.usesFeedback(on: path) {
      paths[path].pacer.enqueue(copy, .videoRetransmission, at: kernel.now)
      schedulePacer(path, kernel: &kernel)
    } else {
      send(copy, .videoRetransmission, on: path, links: &links, kernel: &kernel)
    }
    history.noteRepetition(
      of: sequence, at: kernel.now.nanoseconds, isWaiting: paths[path].pacer.waitingPackets > waiting)
    return true
  }

  /// Sends an RTCP packet in the opposite direction of a path.
  package mutating func sendControl(
    _ packet: Packet, against path: Int, links: inout PathLinks, kernel: inout Kernel
  ) {
    let reverse = Path.reverse(of: path)
    var packet = packet
    packet.destination = UInt16(Path.participant(of: path))
    paths[reverse].noteControl(packet)
    links.send(packet, on: reverse, kernel: &kernel)
  }

  /// Numbers a packet for the path's feedback and puts it on the path's first link.
  private mutating func transmit(
    _ packet: Packet, on path: Int, probe: Int32, links: inout PathLinks, kernel: inout Kernel
  ) {
    // A packet that the socket drops was never sent: it takes no number that could show as lost (libwebrtc's
    // `transport_feedback_adapter.cc`).
    guard links.takesPacket(on: path) else { return }
    var packet = packet
    let sequence = controllers.send(
      size: Int32(packet.size), probe: probe, on: path, at: kernel.now)
    packet.transportSequence = UInt16(truncatingIfNeeded: sequence)
    paths[path].totals.mediaBytes += Int64(packet.size)
    links.send(packet, on: path, kernel: &kernel)
  }

  mutating func schedulePacer(_ path: Int, kernel: inout Kernel) {
    guard let due = paths[path].pacer.nextSend(at: kernel.now) else { return }
    // A pending event that is too early reschedules itself; one that would be too late is superseded.
    guard Deadline(due) < paths[path].pacerDueAt else { return }
    paths[path].pacerDueAt = Deadline(due)
    kernel.schedule(at: due, tag: MeetingEvent(.pace, path).tag)
  }

  /// Handles the pacer's event: sends everything due, and leaves the video packets among it in ``departed``.
  ///
  /// - Returns: `true` if padding was sent.
  package mutating func pace(_ path: Int, links: inout PathLinks, kernel: inout Kernel) -> Bool {
    departed.removeAll(keepingCapacity: true)
    // A superseded event has nothing to do.
    guard paths[path].pacerDueAt == Deadline(kernel.now) else { return false }
    paths[path].pacerDueAt = .never
    guard paths[path].isOpen else { return false }
    var hasPadded = false
    while let departure = paths[path].pacer.takeNext(at: kernel.now) {
      switch departure {
      case .packet(let packet, let probe):
        if packet.isVideo { departed.append(packet) }
        if rules.usesFeedback(on: path) {
          transmit(packet, on: path, probe: probe, links: &links, kernel: &kernel)
        } else {
          sendWithoutFeedback(packet, on: path, links: &links, kernel: &kernel)
        }
      case .padding(let bytes, let probe):
        hasPadded = true
        paths[path].totals.paddingBytes += bytes
        paths[path].totals.paddingRTPBytes += bytes - Int64(PacketOverhead.aroundRTP)
        let padding = Packet(
          sentAt: kernel.now, size: UInt16(bytes), destination: UInt16(Path.participant(of: path)),
          kind: PacketKind.padding.rawValue)
        if rules.receivesEstimates(on: path) {
          transmitStamped(padding, on: path, links: &links, kernel: &kernel)
        } else {
          transmit(padding, on: path, probe: probe, links: &links, kernel: &kernel)
        }
      }
    }
    schedulePacer(path, kernel: &kernel)
    return hasPadded
  }
}
