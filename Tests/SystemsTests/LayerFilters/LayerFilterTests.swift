import Ladder
import Systems
import Testing
import Vendors

/// The frames that each SFU forwards of a stream with three spatial layers on the way up and down; a key picture
/// arrives three pictures after it starts to need one.
@Suite("Forwarding of spatial layers")
struct LayerFilterTests {
  private static let up = [(picture: 0, target: "0.2"), (picture: 6, target: "2.2")]
  private static let down = [(picture: 0, target: "2.2"), (picture: 6, target: "1.2")]
  private static let mediasoup: any LayerFilter.Type = MediasoupLayerFilter.self
  private static let chains: any LayerFilter.Type = LiveKitChainFilter.self
  private static let liveKitVP9: any LayerFilter.Type = LiveKitVP9Filter.self
  private static let janus: any LayerFilter.Type = JanusLayerFilter.self
  private static let jitsi: any LayerFilter.Type = JitsiLayerFilter.self

  /// Up at a key picture; down after a base frame of the target's layer; the frames in between are lost, as their last
  /// packets are dropped.
  @Test(arguments: [(VideoCodec.vp9, "L3T3"), (.av1, "L3T3"), (.vp9, "S3T3"), (.av1, "S3T3")])
  func mediasoupSendsAllLowerLayers(codec: VideoCodec, mode: String) {
    #expect(
      FilterDiagram(mode, codec, Self.up).lines(Self.mediasoup) == [
        "k........k....",
        "---------02120",
        "---------02120",
        "02120212002120",
      ])
    #expect(
      FilterDiagram(mode, codec, Self.down).lines(Self.mediasoup) == [
        "k.............",
        "02120212------",
        "021202--021202",
        "02120212021202",
      ])
  }

  /// A single layer, and all of it until the key picture on the way down.
  @Test func mediasoupSendsOneLayerOfVP9InKeyMode() {
    #expect(
      FilterDiagram("L3T3_KEY", .vp9, Self.up).lines(Self.mediasoup) == [
        "k........k....",
        "---------02120",
        "---------0----",
        "0212021200----",
      ])
    #expect(
      FilterDiagram("L3T3_KEY", .vp9, Self.down).lines(Self.mediasoup) == [
        "k........k....",
        "021202120-----",
        "0--------02120",
        "0--------0----",
      ])
  }

  /// With AV1 it wastes the lower layers, goes down without a key picture, and still requests one.
  @Test func mediasoupHasNoFilterForAV1InKeyMode() {
    #expect(
      FilterDiagram("L3T3_KEY", .av1, Self.down).lines(Self.mediasoup) == [
        "k........k....",
        "02120212------",
        "021202--002120",
        "02120212002120",
      ])
  }

  @Test func chainsOfFullPredictionLeadDownAtOnce() {
    #expect(
      FilterDiagram("L3T3", .av1, Self.up).lines(Self.chains) == [
        "k........k....",
        "---------02120",
        "---------02120",
        "02120212002120",
      ])
    #expect(
      FilterDiagram("L3T3", .av1, Self.down).lines(Self.chains) == [
        "k.............",
        "021202--------",
        "02120212021202",
        "02120212021202",
      ])
  }

  /// The lower chains are broken, and the upper layer is out of bounds: nothing is forwarded.
  @Test func chainsOfKeyModesFreezeOnTheWayDown() {
    #expect(
      FilterDiagram("L3T3_KEY", .vp9, Self.up).lines(Self.chains) == [
        "k........k....",
        "---------02120",
        "---------0----",
        "0212021200----",
      ])
    #expect(
      FilterDiagram("L3T3_KEY", .vp9, Self.down).lines(Self.chains) == [
        "k........k....",
        "021202--------",
        "0--------02120",
        "0--------0----",
      ])
    #expect(
      FilterDiagram("S3T3", .vp9, Self.up).lines(Self.chains) == [
        "k........k....",
        "---------02120",
        "--------------",
        "021202120-----",
      ])
    #expect(
      FilterDiagram("S3T3", .vp9, Self.down).lines(Self.chains) == [
        "k........k....",
        "021202--------",
        "---------02120",
        "--------------",
      ])
  }

  /// Without descriptors, and in Janus with either codec, lower layers are forwarded in every mode, so going down takes
  /// no key picture.
  @Test(arguments: ["L3T3", "L3T3_KEY", "S3T3"])
  func filtersByNumberSendAllLowerLayers(mode: String) {
    for (filter, codec) in [
      (Self.liveKitVP9, VideoCodec.vp9), (Self.janus, .vp9), (Self.janus, .av1),
    ] {
      #expect(
        FilterDiagram(mode, codec, Self.up).lines(filter) == [
          "k........k....",
          "---------02120",
          "---------02120",
          "02120212002120",
        ])
      #expect(
        FilterDiagram(mode, codec, Self.down).lines(filter) == [
          "k.............",
          "021202--------",
          "02120212021202",
          "02120212021202",
        ])
    }
  }

  /// A frame that cannot be forwarded triggers the request for a key picture, one picture later than elsewhere; in the
  /// picture of the switch, the lowest layer's frame is still limited to the base temporal layer.
  @Test func jitsiFollowsTheFramesOfVP9() {
    #expect(
      FilterDiagram("L3T3", .vp9, Self.up).lines(Self.jitsi) == [
        "k.........k...",
        "----------0212",
        "----------0212",
        "02120212020212",
      ])
    #expect(
      FilterDiagram("L3T3", .vp9, Self.down).lines(Self.jitsi) == [
        "k.............",
        "021202--------",
        "02120212021202",
        "021202-2021202",
      ])
  }

  /// Until the key picture, the upper layer's base temporal layer continues.
  @Test(arguments: ["L3T3_KEY", "S3T3"])
  func jitsiSendsOneLayerOfVP9(mode: String) {
    #expect(
      FilterDiagram(mode, .vp9, Self.up).lines(Self.jitsi) == [
        "k.........k...",
        "----------0212",
        "----------0---",
        "02120212020---",
      ])
    #expect(
      FilterDiagram(mode, .vp9, Self.down).lines(Self.jitsi) == [
        "k.........k...",
        "021202--0-----",
        "0---------0212",
        "0---------0---",
      ])
  }

  @Test func jitsiFollowsDecodeTargetsOfAV1() {
    let down = [(picture: 0, target: "2.2"), (picture: 7, target: "1.2")]
    #expect(
      FilterDiagram("L3T3", .av1, down).lines(Self.jitsi) == [
        "k.............",
        "02120212------",
        "02120212021202",
        "02120212021202",
      ])
    #expect(
      FilterDiagram("L3T3_KEY", .av1, Self.down).lines(Self.jitsi) == [
        "k.........k...",
        "0212021202----",
        "0---------0212",
        "0---------0---",
      ])
    #expect(
      FilterDiagram("S3T3", .av1, Self.down).lines(Self.jitsi) == [
        "k.........k...",
        "0212021202----",
        "----------0212",
        "--------------",
      ])
  }

  /// AV1 starts with the wanted layers, and a key picture leads to them at once.
  @Test func jitsiTakesAV1sWantedLayersFromTheKeyPictureOn() {
    #expect(
      FilterDiagram("L3T3_KEY", .av1, Self.up).lines(Self.jitsi) == [
        "k.........k...",
        "----------0212",
        "----------0---",
        "02120212020---",
      ])
    #expect(
      FilterDiagram("S3T3", .av1, [(0, "1.2"), (6, "2.2")]).lines(Self.jitsi) == [
        "k.........k...",
        "----------0212",
        "0212021202----",
        "--------------",
      ])
    #expect(
      FilterDiagram("L3T3_KEY", .av1, [(0, "2.2"), (6, "0.2")]).lines(Self.jitsi) == [
        "k.........k...",
        "0212021202----",
        "0-------------",
        "0---------0212",
      ])
  }

  @Test func neutralFilterSendsTheTargetAloneAndChangesWithSwitchingPoints() {
    #expect(
      FilterDiagram("L3T3", .av1, Self.down).lines(DecodeTargetFilter.self) == [
        "k.............",
        "021202--------",
        "02120212021202",
        "02120212021202",
      ])
    #expect(
      FilterDiagram("L3T3_KEY", .vp9, [(0, "2.2"), (6, "0.2")]).lines(DecodeTargetFilter.self) == [
        "k.........k...",
        "0212021202----",
        "0-------------",
        "0---------0212",
      ])
  }
}

/// Layers that the encoder turns off and on, temporal layers, pauses.
@Suite("Forwarding of changing layers")
struct ChangingLayerFilterTests {
  private func lines(
    _ type: any LayerFilter.Type, _ mode: String, _ codec: VideoCodec, _ targets: [(Int, String)],
    active: [(Int, Int)] = []
  ) -> [String] {
    var diagram = FilterDiagram(mode, codec, targets.map { (picture: $0.0, target: $0.1) })
    diagram.active = active.map { (picture: $0.0, count: $0.1) }
    return diagram.lines(type)
  }

  /// The encoder's new layer refers only downwards, at the next base frame. Filters by frame take it, Jitsi's without a
  /// key picture; a chain does not start there, and mediasoup looks for key pictures, so those viewers wait.
  @Test func layerEntryOfFullPrediction() {
    func entry(_ type: any LayerFilter.Type) -> [String] {
      lines(type, "L2T3", .vp9, [(0, "0.2"), (3, "1.2")], active: [(0, 1), (2, 2)])
    }
    #expect(entry(JitsiLayerFilter.self) == ["k.............", "    0212021202", "02120212021202"])
    #expect(entry(LiveKitVP9Filter.self) == ["k.....k.......", "    0202120212", "02120202120212"])
    #expect(entry(LiveKitChainFilter.self) == ["k.....k.......", "    --02120212", "02120202120212"])
    #expect(entry(MediasoupLayerFilter.self) == ["k.....k.......", "    --02120212", "02120202120212"])
  }

  /// The lower chain was not forwarded, except for its frame of the key picture; in full prediction it was.
  @Test func chainsWhenTheEncoderSwitchesALayerOff() {
    #expect(
      lines(LiveKitChainFilter.self, "L2T3_KEY", .vp9, [(0, "1.2")], active: [(8, 1)]) == [
        "k...........k.",
        "02120212      ",
        "0-----------02",
      ])
    #expect(
      lines(LiveKitChainFilter.self, "L2T3_KEY", .vp9, [(0, "1.2")], active: [(4, 1)]) == [
        "k.............",
        "0212          ",
        "0---0212021202",
      ])
    #expect(
      lines(LiveKitChainFilter.self, "L2T3", .vp9, [(0, "1.2")], active: [(4, 1)]) == [
        "k.............",
        "0212          ",
        "02120212021202",
      ])
  }

  /// Without the middle layer's frame the last frame of the group cannot be decoded: only LiveKit's check of references
  /// and the switching point withhold it.
  @Test func temporalLayersAreAddedAtSwitchingPoints() {
    let targets = [(0, "0.0"), (7, "0.2")]
    for type: any LayerFilter.Type in [
      MediasoupLayerFilter.self, JanusLayerFilter.self, LiveKitChainFilter.self, LiveKitVP9Filter.self,
    ] {
      #expect(lines(type, "L2T3", .vp9, targets)[2] == "0---0---021202")
    }
    #expect(lines(JitsiLayerFilter.self, "L2T3", .vp9, targets)[2] == "0---0--2021202")
    #expect(lines(JanusLayerFilter.self, "L2T3", .av1, targets)[2] == "0---0--2021202")
  }

  /// mediasoup climbs to the frame's temporal layer, beyond the wanted one, and returns at the next frame of the wanted
  /// one.
  @Test func mediasoupOvershootsByATemporalLayer() {
    #expect(lines(MediasoupLayerFilter.self, "L2T3", .vp9, [(0, "0.0"), (5, "0.1")])[2] == "0---021-0-1-0-")
    #expect(lines(JanusLayerFilter.self, "L2T3", .vp9, [(0, "0.0"), (5, "0.1")])[2] == "0---0-1-0-1-0-")
  }

  @Test func pauseEndsWithAKeyPicture() {
    for type: any LayerFilter.Type in [
      MediasoupLayerFilter.self, JanusLayerFilter.self, LiveKitChainFilter.self, LiveKitVP9Filter.self,
      JitsiLayerFilter.self, DecodeTargetFilter.self,
    ] {
      let lines = lines(type, "L2T1", .vp9, [(0, "0.0"), (4, "-"), (6, "0.0")])
      #expect(lines == ["k........k....", "--------------", "0000-----00000"])
    }
  }

  /// Janus takes the highest layer that the stream contains.
  @Test func janusFallsBackToALayerThatIsOn() {
    #expect(
      lines(JanusLayerFilter.self, "L3T1", .vp9, [(0, "2.0")], active: [(0, 2)]).dropFirst().first
        == "              ")
    #expect(lines(JanusLayerFilter.self, "L3T1", .vp9, [(0, "2.0")], active: [(0, 2)])[2] == "00000000000000")
  }
}
