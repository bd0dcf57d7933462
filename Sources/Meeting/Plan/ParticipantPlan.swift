package import Allocation
package import Ladder
package import Media
package import Quantity
package import Systems

/// One participant of the meeting.
package struct ParticipantPlan: Sendable {
  /// Unique id, as in every CSV.
  package var id: String
  /// Whether requests for `@moderator` mean this participant; the first one counts.
  package var isModerator: Bool
  /// Links from the participant to the SFU, in the order of travel; indices into ``MeetingPlan/links``.
  package var up: [Int]
  /// Links from the SFU to the participant, in the order of travel.
  package var down: [Int]
  /// Its main video, if any: a camera, or frames that its app makes.
  package var camera: VideoSourcePlan?
  /// A screen share; it begins when the timeline says so, or at once when ``VideoSourcePlan/startsOn``.
  package var screen: VideoSourcePlan?
  /// Whether the participant has a microphone.
  package var publishesAudio: Bool
  /// When the participant joins.
  package var joinsAt: SimTime
  /// What it watches; `nil` for one that receives no video.
  package var view: ViewPlan?
  /// What the participant's client can do.
  package var capabilities: Capabilities

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

  /// Whether the participant counts against ``MeetingPlan/publisherLimit``.
  package var publishesVideo: Bool { camera != nil || screen != nil }
}

/// A video source: what is captured and in which encodings it may be sent.
package struct VideoSourcePlan: Sendable {
  /// Where the frames come from.
  package enum Kind: String, Sendable { case camera, screen, custom }
  package var kind: Kind
  /// Size and frame rate of the capture.
  package var capture: VideoFormat
  /// The encodings, already limited to the capture; those of custom frames, whose rate may change at any time, to the
  /// most that an encoder takes in.
  package var ladder: Ladder
  /// The encodings after a change between camera and custom frames, as many and with as many temporal layers as in
  /// ``ladder``; `nil` for the same ones.
  package var otherLadder: Ladder?
  /// What the app of a custom source pushes unless told otherwise, from its joining on when ``startsOn``.
  package var customFrames: CustomFrames?
  /// What a camera plays in place of an encoder's work: all encodings, always, whatever the uplink carries.
  package var recordedFrames: RecordedFrames?
  /// Its layers as an SFU measured them, where the scenario lists them; rates of zero do not arrive.
  package var listedLayers: ListedLayers?
  /// The levels that a controller orders of it, where the scenario lists them.
  package var levels: [QualityLevel]?
  /// Whether it runs from the participant's joining on; a camera that does not is muted.
  package var startsOn: Bool
  /// The rate below which the lowest encoding is not sent; `nil` for the ladder's own.
  package var minimum: BitRate?
  /// Coding complexity; `nil` for a talking head or a document that uses what the ladder's documents give it.
  package var content: ContentComplexity?
  /// What a sender with one encoding reduces first.
  package var degradation: DegradationPreference

  package init(kind: Kind, capture: VideoFormat, ladder: Ladder, startsOn: Bool = true) {
    self.kind = kind
    self.capture = capture
    self.ladder = ladder
    self.startsOn = startsOn
    degradation = kind == .screen ? .maintainResolution : .maintainFramerate
  }

  /// The encoder model of one of the source's encodings.
  func model(of encoding: Encoding) -> EncodingModel {
    ladder.encodings.count == 1 && recordedFrames == nil
      ? .single(
        encoding, content: content, usual: kind == .screen ? .screen : .talkingHead, degradation: degradation)
      : .simulcast(encoding, content: content)
  }

  /// An encoder's least rate: 30 kbps in libwebrtc (`video/config/encoder_stream_factory.cc`).
  var leastRate: BitRate { minimum ?? SinglecastLimits.least }

  /// libwebrtc's allocator, for simulcast whose limits are known.
  var allocator: SimulcastRateAllocator? {
    guard ladder.encodings.count > 1 else { return nil }
    let rates = ladder.encodings.compactMap(SimulcastRates.init)
    guard rates.count == ladder.encodings.count, rates.count <= 4 else { return nil }
    return SimulcastRateAllocator(rates, content: kind == .screen ? .screen : .camera)
  }
}

/// What a participant's client can do.
package struct Capabilities: Hashable, Sendable {
  /// Whether pictures above 360p may be received when the participant joins; `nil` for the system's default.
  package var receives720p: Bool?
  /// Whether the meeting supports custom layouts.
  package var customLayout = true
  /// Whether the camera goes on while the app is in the background (Apple multitasking camera access).
  package var multitaskingCamera = false
  /// The user's switch for picture in picture in the device's settings.
  package var pictureInPicture = true
  /// Major version of iOS; `nil` for a recent one.
  package var systemVersion: Int?
  /// Cap on all received video; `nil` takes the system's own.
  package var receiveCap: RateLimit?
  /// What the device decodes at once; `nil` without a limit.
  package var decode: DecoderLimit?

  package init() {}
}

extension MeetingPlan {
  /// The most that a participant's client accepts of video, if the system's server keeps to such a limit.
  func receiveCap(of participant: Int) -> RateLimit {
    guard system.followsReceiveCap else { return .unlimited }
    return min(participants[participant].capabilities.receiveCap ?? .unlimited, system.receiveCap)
  }
}
