import Endpoint
import Media
import Network
package import Plan
import Publishing
import Quantity
import SimulationKernel
import Transport
import Viewing

/// Counts of packets in and out of each path and track of a meeting, for tests of conservation.
package struct MeetingLedger: Sendable {
  /// A path between a participant and the SFU with a single link, in a meeting with feedback.
  package struct Way: Sendable {
    package var participant: String
    package var isUp: Bool
    /// Number of voice, video, repair and padding packets numbered by its sender.
    package var mediaSent: Int64
    /// Number of voice, video, repair and padding packets logged by its receiver.
    package var mediaArrived: Int64
    /// Number of RTCP packets sent.
    package var controlSent: Int64
    /// Bytes of RTCP packets sent, on the wire.
    package var controlBytes: Int64
    /// Bytes of padding sent, on the wire.
    package var paddingBytes: Int64
    /// Number of packets offered to the link, as the link counts.
    package var offered: Int64
    /// Number of packets delivered by the link, as the link counts.
    package var delivered: Int64
    /// Bytes delivered by the link, as the link counts.
    package var deliveredBytes: Int64
    /// Number of packets dropped by the link, as the link counts.
    package var dropped: Int64
    /// Number of packets lost by the link, as the link counts.
    package var lost: Int64
  }

  /// A source at a viewer.
  package struct Reception: Sendable {
    package var viewer: String
    package var source: String
    /// Number of sequence numbers from the first to the highest received.
    package var numbered: Int64
    /// Number of packets received.
    package var packetsReceived: Int64
    /// Number of packets ever missing.
    package var packetsLost: Int64
    /// Number of complete frames.
    package var framesReceived: Int64
    /// Number of complete frames that were decoded.
    package var framesDecoded: Int64
    /// Number of complete frames that were dropped.
    package var framesDropped: Int64
    /// Number of complete frames still waiting.
    package var framesWaiting: Int64
  }

  /// A link's counts, and the packets on it at the end.
  package struct Link: Sendable {
    package var name: String
    package var offered: Int64
    package var delivered: Int64
    package var dropped: Int64
    package var lost: Int64
    package var waiting: Int64
    package var inFlight: Int64
  }

  /// Bytes on the wire delivered by a participant's downlink, in total and for video.
  package struct Total: Sendable {
    package var participant: String
    package var receivedBytes: Int64
    package var receivedVideoBytes: Int64
  }

  package var links: [Link] = []
  package var totals: [Total] = []
  package var ways: [Way] = []
  package var receptions: [Reception] = []

  /// Runs a meeting to its end and collects the counts.
  package init(of plan: MeetingPlan, seed: UInt64) {
    var simulation = MeetingSimulation(
      plan: plan, seed: seed, repetition: 0, interval: .seconds(1), runID: "ledger")
    var kernel = Kernel(capacity: 4096)
    simulation.begin(kernel: &kernel)
    kernel.run(until: SimTime.zero + plan.duration, model: &simulation)
    simulation.parts.net.links.catchUp(to: kernel.now)
    for number in 0..<simulation.parts.net.links.count {
      links.append(Link(number, simulation.parts))
    }
    for participant in simulation.parts.people.indices {
      var video: Int64 = 0
      for source in simulation.parts.streams.sources.indices {
        let track = simulation.parts.streams.track(viewer: participant, source: source)
        video += simulation.parts.viewers.receptions[track].interval.bytes
      }
      totals.append(
        Total(
          participant: plan.participants[participant].id,
          receivedBytes: simulation.recording.takeArrivedBytes(on: Path.down(participant)),
          receivedVideoBytes: video))
    }
    for path in 0..<simulation.parts.net.endpoints.paths.count {
      if let way = Way(path, simulation.parts) { ways.append(way) }
    }
    for viewer in simulation.parts.people.indices where simulation.parts.viewers.clients[viewer] != nil {
      for source in simulation.parts.streams.sources.indices {
        let tile = TileMoment(viewer: viewer, source: source, simulation.parts.streams, at: kernel.now)
        if let reception = Reception(tile, simulation.parts, simulation.recording) {
          receptions.append(reception)
        }
      }
    }
  }
}

extension MeetingLedger.Link {
  fileprivate init(_ number: Int, _ parts: borrowing MeetingParts) {
    let counters = parts.net.links.counters(of: number)
    let state = parts.net.links.packets(on: number)
    self.init(
      name: parts.plan.links[number].name, offered: counters.offeredPackets,
      delivered: counters.deliveredPackets, dropped: counters.droppedPackets, lost: counters.lostPackets,
      waiting: Int64(state.waiting), inFlight: Int64(state.inFlight))
  }
}

extension MeetingLedger.Way {
  /// A path's counts; `nil` for one without feedback or with other than one link.
  fileprivate init?(_ path: Int, _ parts: borrowing MeetingParts) {
    let route = parts.net.links.route(of: path)
    guard route.count == 1, parts.net.endpoints.rules.usesFeedback(on: path) else { return nil }
    let counters = parts.net.links.counters(of: Int(route[0]))
    let totals = parts.net.endpoints.paths[path].totals
    self.init(
      participant: parts.plan.participants[Path.participant(of: path)].id, isUp: Path.isUp(path),
      mediaSent: parts.net.endpoints.controllers.sentPackets(path),
      mediaArrived: Int64(parts.net.endpoints.paths[path].arrivals.total), controlSent: totals.controlPackets,
      controlBytes: totals.controlBytes, paddingBytes: totals.paddingBytes, offered: counters.offeredPackets,
      delivered: counters.deliveredPackets, deliveredBytes: counters.deliveredBytes,
      dropped: counters.droppedPackets, lost: counters.lostPackets)
  }
}

extension MeetingLedger.Reception {
  /// A tile's counts; `nil` before its first packet.
  fileprivate init?(
    _ tile: TileMoment, _ parts: borrowing MeetingParts, _ recording: borrowing Recording
  ) {
    let sequence = parts.viewers.receptions[tile.track].sequence
    guard sequence.hasBegun else { return nil }
    let receiver = parts.viewers.receptions.receivers[tile.track]
    self.init(
      viewer: recording.participants[tile.viewer], source: recording.sources[tile.source],
      numbered: sequence.numbered, packetsReceived: Int64(receiver.packetsReceived),
      packetsLost: Int64(sequence.lost), framesReceived: Int64(receiver.framesReceived),
      framesDecoded: Int64(receiver.status.framesDecoded), framesDropped: Int64(receiver.framesDropped),
      framesWaiting: Int64(receiver.framesWaiting))
  }
}
