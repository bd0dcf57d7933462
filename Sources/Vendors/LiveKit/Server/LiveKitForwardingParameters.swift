package import Parameters
package import Quantity
package import Systems

/// Parameters of the server's forwarding.
package struct LiveKitForwardingParameters: Parameterized {
  package var lowKeyFrameSpacing = SimDuration.milliseconds(500)
  package var keyFrameSpacing = SimDuration.seconds(1)
  package var keyFrameRetry = SimDuration.milliseconds(200)
  package var repairs = 3
  package var repairSpacing = SimDuration.milliseconds(100)
  package var layerCycle = SimDuration.milliseconds(500)
  package var lowLayerPackets = 1
  package var layerPackets = 5
  package var lowLayerCycles = 4
  package var layerCycles = 20
  package var cyclesPerRate = 2
  package var probePackets = 6
  package var describesFrames = true

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .duration(
      "low-key-frame-spacing", \.lowKeyFrameSpacing, in: .milliseconds(1) ... .seconds(60),
      "server: requests key frames of the lowest encoding at most this often",
      source: "LiveKit 1.13.5, receiver_base.go"),
    .duration(
      "upper-key-frame-spacing", \.keyFrameSpacing, in: .milliseconds(1) ... .seconds(60),
      "server: requests key frames of the other encodings at most this often",
      source: "LiveKit 1.13.5, receiver_base.go"),
    .duration(
      "key-frame-retry", \.keyFrameRetry, in: .milliseconds(1) ... .seconds(60),
      "server: looks again for a key frame that has not come",
      source:
        "LiveKit 1.13.5, downtrack.go: twice the round trip, within 200 ms and 1 s; here the lower bound"),
    .integer(
      "repair-limit", \.repairs, in: 1...15, "server: sends a packet again at most this many times",
      source: "LiveKit 1.13.5, sequencer.go"),
    .duration(
      "repair-spacing", \.repairSpacing,
      "server: repairs of a packet are at least this long apart, or two round trips if that is less",
      source: "LiveKit 1.13.5, sequencer.go"),
    .duration(
      "layer-cycle", \.layerCycle, in: .milliseconds(10) ... .seconds(60),
      "server: looks at the packets of a layer this often", source: "LiveKit 1.13.5, streamtracker_packet.go"),
    .integer(
      "low-layer-packets", \.lowLayerPackets, in: 1...1000,
      "server: the lowest encoding arrives with this many packets in a cycle",
      source: "LiveKit 1.13.5, streamtracker_packet.go"),
    .integer(
      "layer-packets", \.layerPackets, in: 1...1000,
      "server: other encodings arrive with this many packets in a cycle",
      source: "LiveKit 1.13.5, streamtracker_packet.go"),
    .integer(
      "low-layer-cycles", \.lowLayerCycles, in: 1...1000,
      "server: the lowest encoding, stopped before, arrives again after this many cycles in a row",
      source: "LiveKit 1.13.5, streamtracker_packet.go"),
    .integer(
      "layer-cycles", \.layerCycles, in: 1...1000,
      "server: other encodings, stopped before, arrive again after this many cycles in a row",
      source: "LiveKit 1.13.5, streamtracker_packet.go"),
    .integer(
      "rate-cycles", \.cyclesPerRate, in: 1...1000, "server: measures rates over this many cycles",
      source: "LiveKit 1.13.5, streamtrackermanager.go: 1 s"),
    .integer(
      "probe-packets", \.probePackets, in: 1...32,
      "server: a probe repeats this many of the last packets of each track",
      source: "LiveKit 1.13.5, downtrack.go"),
    .flag(
      "dependency-descriptors", \.describesFrames,
      "packets of scalable streams describe their frames' dependencies; without, the server filters VP9 by its layers' "
        + "numbers and sends all lower ones",
      source: "LiveKit, forwarder.go: browsers negotiate the extension"),
  ]

  package var rules: ForwardingRules {
    var rules = ForwardingRules()
    rules.switching = .stepwise
    rules.layerFilter = describesFrames ? .init(LiveKitChainFilter.self) : .init(LiveKitVP9Filter.self)
    rules.sumsSpatialLayers = !describesFrames
    rules.whileWaiting = .everything
    rules.padding = .nothing
    rules.receiverPadding = .nothing
    rules.reservesRepairs = false
    rules.keyFrames.spacings = [lowKeyFrameSpacing, keyFrameSpacing]
    rules.keyFrames.early = .dropped
    rules.keyFrames.retry = keyFrameRetry
    rules.probePackets = probePackets
    rules.repairs = .limited(count: repairs, spacing: repairSpacing)
    rules.layerMeasurement = .init(
      cycle: layerCycle, packets: lowLayerPackets, upperPackets: layerPackets, cycles: lowLayerCycles,
      upperCycles: layerCycles, cyclesPerRate: cyclesPerRate)
    return rules
  }
}
