package import Allocation
package import Ladder
package import Media
package import Quantity
package import Systems

/// One participant of the meeting.
package struct ParticipantPlan: Sendable {
  /// Unique id, as in all CSV files.
  package var id: String
  /// Set if requests for `@moderator` refer to this participant; if there are several, to the first.
  package var isModerator: Bool
  /// Links from the participant to the SFU, in travel order; indices into ``MeetingPlan/links``.
  package var up: [Int]
  /// Links from the SFU to the participant, in travel order.
  package var down: [Int]
  /// Main video, if any: a camera, or frames produced by its app.
  package var camera: VideoSourcePlan?
  /// Screen share; it is started by the timeline, or immediately if ``VideoSourcePlan/startsOn``.
  package var screen: VideoSourcePlan?
  /// Set if the participant has a microphone.
  package var publishesAudio: Bool
  /// Settings of the microphone's stream.
  package var voice = VoiceSettings()
  /// Time at which the participant joins.
  package var joinsAt: SimTime
  /// View of the meeting; `nil` for a participant that receives no video.
  package var view: ViewPlan?
  /// Capabilities of the participant's client.
  package var capabilities: Capabilities
  /// Transport of its media, in both directions.
  package var transport = MediaTransport.udp

  package init(
    id: String, isModerator: Bool = false, up: [Int], down: [Int], camera: VideoSourcePlan? = nil,
    screen: VideoSourcePlan? = nil, publishesAudio: Bool = true, joinsAt: SimTime = .zero,
    view: ViewPlan? = nil, capabilities: Capabilities = .init()
  ) {
    self.id = id
    self.isModerator = isModerator
    self.up = up
    self.down = down
    self.camera = camera
    self.screen = screen
    self.publishesAudio = publishesAudio
    self.joinsAt = joinsAt
    self.view = view
    self.capabilities = capabilities
  }

  /// Indicates whether the participant counts toward ``MeetingPlan/publisherLimit``.
  package var publishesVideo: Bool { camera != nil || screen != nil }
}

/// Transport protocol of a participant's media.
package enum MediaTransport: String, CaseIterable, Sendable {
  case udp
  /// A TCP connection, direct or to a TURN server.
  case tcp
}

/// A video source: its capture and the encodings in which it may be sent.
package struct VideoSourcePlan: Sendable {
  /// Origin of the frames.
  package enum Kind: String, Sendable, CaseIterable { case camera, screen, custom }
  package var kind: Kind
  /// Size and frame rate of the capture.
  package var capture: VideoFormat
  /// Encodings, already limited to the capture; those of custom frames, whose rate may change at any time, are limited
  /// to the encoder's maximum intake.
  package var ladder: Ladder
  /// Builds the ladder for another capture format, with the source's limits; `nil` if the encodings are listed.
  package var fit: (@Sendable (VideoFormat) -> Ladder)?
  /// Encodings after a change between camera and custom frames, with the same number of encodings and temporal layers
  /// as ``ladder``; `nil` if they are the same.
  package var otherLadder: Ladder?
  /// Encodings of pushed frames that differ from those of the source's own pictures, as many as in ``ladder``.
  package var pushedLadders: [(frame: Resolution, ladder: Ladder)] = []
  /// Size of its own pictures if larger frames, for which ``ladder`` also has encodings, may be pushed; `nil` if its
  /// own pictures use all encodings.
  package var firstFrame: Resolution?
  /// Frames that a custom source's app pushes by default, starting when it joins if ``startsOn``.
  package var customFrames: CustomFrames?
  /// Recording that a camera plays instead of an encoder's output; all encodings are always sent, whatever the uplink
  /// carries.
  package var recordedFrames: RecordedFrames?
  /// Layers as measured by an SFU, if the scenario lists them; those with a rate of zero do not arrive.
  package var listedLayers: ListedLayers?
  /// Levels that a controller can order, if the scenario lists them.
  package var levels: [QualityLevel]?
  /// Codec of its encodings.
  package var codec = VideoCodec.vp8
  /// Builds the ladder sent for a capture when receivers request a number of lines; `nil` if it does not depend on
  /// requests.
  package var layersAtHeight: (@Sendable (_ capture: VideoFormat, _ lines: Int) -> Ladder)?
  /// Set if it is on from the participant's join; a camera that is not is muted.
  package var startsOn: Bool
  /// Rate below which the lowest encoding is not sent; `nil` for the ladder's own minimum.
  package var minimum: BitRate?
  /// Maximum set by the app for the only encoding, above libwebrtc's default; `nil` for the default of the picture's
  /// size.
  package var maximum: BitRate?
  /// Coding complexity; `nil` for a talking head, or for a document at the ladder's document rates.
  package var content: ContentComplexity?
  /// Set if the server limits a sender with one encoding to what its worst receiver can receive, in systems whose
  /// servers do not do this themselves.
  package var followsReceivers = false
  /// Forward error correction by a sender with one encoding.
  package var protection = ForwardErrorCorrection.none
  /// Property that a sender with one encoding reduces first.
  package var degradation: DegradationPreference
  /// Set while one of the encodings is sent alone, to a single receiver.
  package var sendsOneEncoding = false

  package init(kind: Kind, capture: VideoFormat, ladder: Ladder, startsOn: Bool = true) {
    self.kind = kind
    self.capture = capture
    self.ladder = ladder
    self.startsOn = startsOn
    degradation = kind == .screen ? .maintainResolution : .maintainFramerate
  }

  package var hasOneEncoding: Bool { ladder.encodings.count == 1 }

  /// Returns the encoder model of one of the source's encodings.
  package func model(of encoding: Encoding) -> EncodingModel {
    if ladder.isLayered {
      let content = content ?? (kind == .screen ? .screen : nil)
      return .spatialLayer(encoding, content: content, codec: codec)
    }
    return (hasOneEncoding || sendsOneEncoding) && recordedFrames == nil
      ? .single(
        encoding, content: content, usual: kind == .screen ? .screen : .talkingHead, degradation: degradation,
        maximum: hasOneEncoding ? maximum : encoding.maximum ?? encoding.bitrate, codec: codec,
        isScalable: ladder.scalability != nil)
      : .simulcast(encoding, content: content, codec: codec)
  }

  /// Mode of a stream with several spatial layers; `nil` for other sources.
  package var layeredMode: ScalabilityMode? { ladder.layering }

  /// Split of a rate over several spatial layers; `nil` for other sources.
  package var split: ScalableRateSplit? { ladder.isLayered ? ladder.split : nil }

  /// Picture sequence of several spatial layers; `nil` for other sources.
  package var structure: ScalabilityStructure? {
    ladder.layering.map { ScalabilityStructure($0, codec: codec) }
  }

  /// Minimum rate of an encoder: 30 kbps in libwebrtc (`video/config/encoder_stream_factory.cc`).
  package var leastRate: BitRate { minimum ?? SinglecastLimits.least }

  /// libwebrtc's allocator, for simulcast with known limits.
  package var allocator: SimulcastRateAllocator? {
    guard ladder.encodings.count > 1, !ladder.isLayered, !sendsOneEncoding else { return nil }
    let rates = ladder.encodings.compactMap(LayerRates.init)
    guard rates.count == ladder.encodings.count, rates.count <= 4 else { return nil }
    return SimulcastRateAllocator(rates, content: kind == .screen ? .screen : .camera)
  }
}

/// Capabilities of a participant's client.
package struct Capabilities: Hashable, Sendable {
  /// Set if pictures above 360p may be received at joining; `nil` for the system's default.
  package var receives720p: Bool?
  /// Set if the meeting supports custom layouts.
  package var customLayout = true
  /// Set if the camera stays on while the app is in the background (Apple multitasking camera access).
  package var multitaskingCamera = false
  /// State of the picture-in-picture switch in the device's settings.
  package var pictureInPicture = true
  /// Major version of iOS; `nil` for a recent one.
  package var systemVersion: Int?
  /// Cap on all received video; `nil` for the system's default.
  package var receiveCap: RateLimit?
  /// Limit on what the device can decode at once; `nil` for none.
  package var decode: DecoderLimit?

  package init() {}
}

extension MeetingPlan {
  /// Returns the maximum rate of layers for a participant whose client caps what it receives; unlimited if the system's
  /// server ignores such caps.
  ///
  /// A cap applies to whole packets, averaged over five seconds: RTP, UDP and IP headers add a tenth to the payload,
  /// and an encoder's output exceeds its target by less than a tenth [our model].
  package func receiveCap(of participant: Int) -> RateLimit {
    guard system.traits.followsReceiveCap else { return .unlimited }
    let cap = min(participants[participant].capabilities.receiveCap ?? .unlimited, system.traits.receiveCap)
    return cap == .unlimited ? cap : cap.scaled(by: 1 / (1.1 * 1.1))
  }

  /// Name of the rule that caps what a participant receives, for `decisions.csv`.
  package func capRule(of participant: Int) -> String {
    let own = participants[participant].capabilities.receiveCap ?? .unlimited
    return own < system.traits.receiveCap ? "ReceiveCap" : "PolicyReceiveCap"
  }
}

/// Forward error correction of a video.
package enum ForwardErrorCorrection: String, CaseIterable, Hashable, Sendable {
  case none
  /// RED and ULPFEC (RFC 5109) within the video's stream, in addition to retransmission, as browsers offer for VP8 and
  /// VP9.
  case ulpfec
  /// FlexFEC (RFC 8627) in a separate stream, as in libwebrtc behind the field trial `WebRTC-FlexFEC-03`
  /// (`flexfec_sender.cc`), with the strength of ``ulpfec``. The server recovers what it can and does not forward it
  /// [our model].
  case flexfec
}
