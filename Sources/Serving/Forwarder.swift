import Endpoint
package import Ladder
import Network
package import Plan
package import Quantity
package import SimulationKernel
package import Systems
package import Transport

/// The SFU's packet forwarding, from incoming encodings to viewers' tracks.
package struct Forwarder: ~Copyable {
  package let streams: StreamNumbering
  /// Encodings as received.
  package var ingress: Table<Ingress>
  /// Missing packets, by encoding.
  package var missing: Table<MissingPackets>
  /// Viewers that each encoding is forwarded to, in the order in which they began; with room for every participant.
  private var viewersOfEncoding: Table<UInt16>
  /// Forwarded tracks.
  package var tracks: Table<ForwardedTrack>
  /// Rewritten sequence numbers, by track.
  var rewritings: Table<SequenceRewriting>
  /// Forwarded packets of each track, for retransmission.
  package var histories: Table<RetransmissionHistory>
  /// Flags, by source, set while it sends.
  private var isActive: [Bool]
  /// Fixed properties of each source.
  let traits: [SourceTraits]
  package let rules: ForwardingRules
  package var switching: SwitchMemory
  package var meter: LayerMeter
  /// Video sent to each viewer; of media packets only where the SFU measures.
  package var sent: Table<SentVideo>
  /// Tracks that have switched encodings since last taken.
  package var switched: [Int] = []

  package init(_ plan: MeetingPlan, streams: StreamNumbering) {
    let rules = plan.system.traits.forwarding
    var ingress = Table<Ingress>()
    for number in streams.encodings {
      let encoding = plan.source(number.source, of: streams)?.ladder.encodings[number.index]
      ingress.append(
        Ingress(
          number, temporalLayers: encoding?.temporalLayers ?? 1,
          requestSpacing: rules.keyFrames.spacing(
            of: number.index, lines: encoding?.format.resolution.lines ?? 0,
            otherwise: plan.rates.keyFrameSpacing)))
    }
    var histories = Table<RetransmissionHistory>()
    let tops = streams.sources.indices.map { number in
      plan.source(number, of: streams).flatMap { own in own.ladder.encodings.last.map(own.ladder.stream) }
    }
    for _ in 0..<streams.participantCount {
      for top in tops {
        guard let top else { continue }
        histories.append(RetransmissionHistory(top))
      }
    }
    self.streams = streams
    self.ingress = ingress
    missing = Table(repeating: MissingPackets(), count: streams.encodings.count)
    viewersOfEncoding = Table(repeating: 0, count: streams.participantCount * streams.encodings.count)
    tracks = Table(repeating: ForwardedTrack(), count: streams.trackCount)
    rewritings = Table(repeating: SequenceRewriting(), count: streams.trackCount)
    self.histories = histories
    isActive = streams.sources.map { _ in false }
    let requested = plan.system.publisher().traits.requested
    let traits = streams.sources.indices.map { number in
      SourceTraits(
        plan.source(number, of: streams),
        alwaysWanted: requested.mask(of: streams.sources[number].encodings.count),
        takesFrames: plan.pushesFrames(number, of: streams))
    }
    self.traits = traits
    self.rules = rules
    switching = SwitchMemory(rules, streams)
    meter = LayerMeter(rules, streams: streams, modes: traits.map { $0.scalable?.mode })
    sent = Table(repeating: SentVideo(), count: streams.participantCount)
  }

  deinit {
    for track in 0..<histories.count { histories[track].deallocate() }
    for encoding in 0..<missing.count { missing[encoding].deallocate() }
  }

  // MARK: Sources

  package func isActive(_ source: Int) -> Bool { isActive[source] }

  /// Sets whether a source sends; the encodings that it starts with count as arriving immediately.
  package mutating func setActive(_ isActive: Bool, _ source: Int) {
    if isActive, !self.isActive[source] {
      for encoding in streams.sources[source].encodings { meter.reset(encoding) }
    }
    self.isActive[source] = isActive
  }

  /// Sets the frame rates announced by a source.
  package mutating func expect(_ ladder: [Layer], of source: Int, at now: SimTime) {
    for layer in ladder where streams.sources[source].encodings.count > layer.id.encoding {
      // The highest layer of an encoding comes last.
      let rate = layer.format.milliFramesPerSecond
      ingress[streams.sources[source].encodings.lowerBound + layer.id.encoding].twoFrames =
        rate > 0 ? LayerMeter.twoFrames(at: rate) : .zero
    }
    if meter.isOn { meter.expect(ladder, of: source, at: now) }
  }

  /// Restarts an encoding when its publisher begins a new call: packets of the old one are no longer expected.
  package mutating func restart(_ encoding: Int) {
    ingress[encoding].hasBegun = false
    ingress[encoding].hasMissing = false
    ingress[encoding].requests.isPending = false
    ingress[encoding].requests.isDeferred = false
    missing[encoding].removeAll()
  }

  /// Returns the encodings of a source that are forwarded or awaited, one bit each.
  func usedEncodings(of source: Int) -> UInt32 {
    var used: UInt32 = 0
    for encoding in streams.sources[source].encodings
    where ingress[encoding].viewers > 0 || ingress[encoding].waiting > 0 {
      used |= 1 << UInt32(ingress[encoding].index)
    }
    return used
  }

  // MARK: Viewers

  /// Returns the number of video streams being forwarded to a viewer.
  package func streamCount(to viewer: Int) -> Int {
    let first = streams.track(viewer: viewer, source: 0)
    return streams.sources.indices.count { tracks[first + $0].current.encoding >= 0 }
  }

  /// Returns one of the viewers that an encoding is forwarded to.
  @inline(__always)
  package func viewer(_ position: Int, of encoding: Int) -> UInt16 {
    viewersOfEncoding[encoding * streams.participantCount + position]
  }

  mutating func startForwarding(_ encoding: Int, to viewer: Int) {
    let place = encoding * streams.participantCount + Int(ingress[encoding].viewers)
    viewersOfEncoding[place] = UInt16(viewer)
    ingress[encoding].viewers += 1
  }

  mutating func stopForwarding(_ encoding: Int, to viewer: Int) {
    let list = encoding * streams.participantCount
    let count = Int(ingress[encoding].viewers)
    var position = 0
    while position < count, viewersOfEncoding[list + position] != UInt16(viewer) { position += 1 }
    guard position < count else { return }
    // The others keep their order, so that who comes first on a shared link does not depend on who left.
    while position + 1 < count {
      viewersOfEncoding[list + position] = viewersOfEncoding[list + position + 1]
      position += 1
    }
    ingress[encoding].viewers = Int32(count - 1)
  }
}
