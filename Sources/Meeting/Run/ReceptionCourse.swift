import Endpoint
import Ladder
import Media
import Network
package import Plan
import Publishing
package import Quantity
import SimulationKernel
import Viewing

/// Counts of one viewer's receivers for every source over time, as a browser's `getStats()` reports them.
package struct ReceptionCourse: Sendable {
  /// Cumulative counters of one source, named as in W3C webrtc-stats.
  package struct Report: Equatable, Sendable {
    /// RTP headers with extensions, payload and padding of video and its repairs, without SRTP, UDP and IP: W3C
    /// `bytesReceived` + `headerBytesReceived`, which in libwebrtc include the bytes of RTX [byte]. Padding belongs to
    /// no particular source; the whole path's padding counts toward the viewer's first one.
    package var bytes: Int64
    /// Number of video and repair packets received.
    package var packets: Int64
    /// Number of packets missed by sequence number, whether or not repaired later: `packetsLost` of a stream with RTX.
    package var lost: Int64
    /// W3C `framesDecoded`.
    package var frames: Int64
    /// W3C `keyFramesDecoded`.
    package var keyFrames: Int64
    /// W3C `framesDropped`.
    package var dropped: Int64
    /// W3C `freezeCount`, counting freezes that have ended.
    package var freezes: Int64
    /// W3C `totalFreezesDuration`, counting freezes that have ended.
    package var freezeTime: SimDuration
    /// W3C `frameHeight` of the last decoded frame [px]; 0 before the first.
    package var height: Int
    /// Capacity of the publisher's uplink.
    package var upCapacity: BitRate
    /// Estimate of the publisher's uplink.
    package var upEstimate: BitRate
    /// RTP headers and payload of new media sent by its publisher, by encoding or spatial layer [byte].
    package var layerBytes: [Int64]
  }

  package struct Sample: Sendable {
    package var at: SimTime
    /// Capacity of the viewer's downlink.
    package var capacity: BitRate
    /// Estimate of the viewer's downlink.
    package var estimate: BitRate
    /// Reports by source, in the order of ``ReceptionCourse/sources``.
    package var reports: [Report]
  }

  /// Names of all sources except the viewer's own, in meeting order.
  package let sources: [String]
  package let samples: [Sample]

  /// Runs a meeting up to the last of the times.
  ///
  /// - Parameters:
  ///   - viewer: index of the participant whose receivers are sampled.
  ///   - times: sampling times, in ascending order; those after the meeting's end are ignored.
  package init(of plan: MeetingPlan, seed: UInt64, viewer: Int, at times: [SimTime]) {
    var simulation = MeetingSimulation(
      plan: plan, seed: seed, repetition: 0, interval: .seconds(1), runID: "course")
    var kernel = Kernel(capacity: 4096)
    simulation.begin(kernel: &kernel)
    let numbers = simulation.parts.streams.sources.indices.filter {
      simulation.parts.streams.sources[$0].participant != viewer
    }
    let end = SimTime.zero + plan.duration
    var samples: [Sample] = []
    for time in times where time <= end {
      kernel.run(until: time, model: &simulation)
      samples.append(Sample(of: numbers, by: viewer, &simulation.parts, at: time))
    }
    sources = numbers.map { simulation.recording.sources[$0] }
    self.samples = samples
  }
}

extension MeetingPlan {
  /// Returns the names of all sources except a viewer's own, in the order of ``ReceptionCourse/sources``.
  package func sources(besides viewer: Int) -> [String] {
    let streams = StreamNumbering(self)
    return streams.sources.indices.filter { streams.sources[$0].participant != viewer }
      .map { name(of: $0, in: streams) }
  }
}

extension ReceptionCourse.Sample {
  fileprivate init(of sources: [Int], by viewer: Int, _ parts: inout MeetingParts, at now: SimTime) {
    let down = Path.down(viewer)
    at = now
    capacity = parts.net.links.capacity(of: down, at: now)
    estimate = parts.net.endpoints.estimate(down)
    reports = []
    for source in sources {
      let tile = TileMoment(viewer: viewer, source: source, parts.streams, at: now)
      reports.append(ReceptionCourse.Report(tile, &parts))
    }
    if !reports.isEmpty { reports[0].bytes += parts.viewers.receptions.viewers[viewer].paddingBytes }
  }
}

extension ReceptionCourse.Report {
  fileprivate init(_ tile: TileMoment, _ parts: inout MeetingParts) {
    let reception = parts.viewers.receptions[tile.track]
    // No intervals are closed in this run, so the counters start with the meeting.
    packets = Int64(reception.interval.packets)
    bytes = reception.interval.bytes - packets * Int64(PacketOverhead.aroundRTP)
    lost = Int64(reception.sequence.lost)
    frames = Int64(reception.status.framesDecoded)
    keyFrames = Int64(reception.status.keyFramesDecoded)
    dropped = Int64(parts.viewers.receptions.receivers[tile.track].framesDropped)
    freezes = Int64(reception.status.freezeCount)
    freezeTime = reception.status.freezesDuration
    height = reception.shownSize.map { parts.net.sizes[$0].height } ?? 0
    let sender = parts.streams.sources[tile.source].participant
    upCapacity = parts.net.links.capacity(of: Path.up(sender), at: tile.now)
    upEstimate = parts.net.endpoints.estimate(parts.net.endpoints.sendingPath(of: sender))
    layerBytes = parts.streams.sources[tile.source].encodings.map {
      parts.publishers.encoders[$0].output.counts.bytes
    }
  }
}
