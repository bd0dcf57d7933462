import Endpoint
package import Ladder
import Network
package import Plan
package import Quantity
package import SimulationKernel
package import Systems
import Transport

/// The SFU's packet forwarding, from incoming encodings to viewers' tracks.
package struct Forwarder: ~Copyable {
  package let streams: StreamNumbering
  /// Encodings as received.
  package var ingress: Table<Ingress>
  /// Their sequence numbers and missing packets.
  package var sequences: IngressSequences
  package var keyFrames: KeyFrameRequester
  /// Layers forwarded to the viewers.
  package var switching: LayerSwitching
  package var egress: Egress
  /// Flags, by source, set while it sends.
  private var isActive: [Bool]
  /// Fixed properties of each source.
  let traits: [SourceTraits]
  package let rules: ForwardingRules
  package var meter: LayerMeter

  package init(_ plan: MeetingPlan, streams: StreamNumbering) {
    let rules = plan.system.traits.forwarding
    var ingress = Table<Ingress>()
    var spacings: [SimDuration] = []
    var topTemporal: [Int8] = []
    for number in streams.encodings {
      let encoding = plan.source(number.source, of: streams)?.ladder.encodings[number.index]
      ingress.append(Ingress(number, temporalLayers: encoding?.temporalLayers ?? 1))
      topTemporal.append(Int8((encoding?.temporalLayers ?? 1) - 1))
      spacings.append(
        rules.keyFrames.spacing(
          of: number.index, lines: encoding?.format.resolution.lines ?? 0,
          otherwise: plan.rates.keyFrameSpacing))
    }
    let requested = plan.system.publisher().traits.requested
    let traits = streams.sources.indices.map { number in
      SourceTraits(
        plan.source(number, of: streams),
        alwaysWanted: requested.encodings(of: streams.sources[number].encodings.count),
        takesFrames: plan.pushesFrames(number, of: streams))
    }
    self.streams = streams
    self.ingress = ingress
    sequences = IngressSequences(streams: streams.encodings.count)
    keyFrames = KeyFrameRequester(
      rules.keyFrames, spacings: spacings, sources: streams.sources.map(\.encodings),
      tracks: streams.trackCount)
    isActive = streams.sources.map { _ in false }
    self.traits = traits
    self.rules = rules
    switching = LayerSwitching(rules, streams, scalable: traits.map(\.scalable), topTemporal: topTemporal)
    meter = LayerMeter(rules, streams: streams, modes: traits.map { $0.scalable?.mode })
    egress = Egress(
      rules, isMeasured: meter.isOn, histories: Self.histories(plan, streams),
      viewers: streams.participantCount)
  }

  /// Returns the histories of all tracks, with room for the highest encoding of each source.
  private static func histories(
    _ plan: MeetingPlan, _ streams: StreamNumbering
  ) -> Table<RetransmissionHistory> {
    let tops = streams.sources.indices.compactMap { number in
      plan.source(number, of: streams).flatMap { own in own.ladder.encodings.last.map(own.ladder.stream) }
    }
    var histories = Table<RetransmissionHistory>()
    for _ in 0..<streams.participantCount {
      for top in tops { histories.append(RetransmissionHistory(top)) }
    }
    return histories
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

  /// Makes encodings that are requested again count as arriving from their first packet on.
  mutating func expectLayers(of source: Int, _ encodings: EncodingSet) {
    guard meter.isOn else { return }
    for (index, encoding) in streams.sources[source].encodings.enumerated()
    where encodings.contains(index) {
      meter.reset(encoding)
    }
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
    sequences.restart(encoding)
    keyFrames.forget(encoding)
  }

  /// Returns the participant who publishes an encoding.
  func publisher(of encoding: Int) -> Int { streams.sources[Int(ingress[encoding].source)].participant }
}
