import CongestionControl
import Quantity
import SimulationKernel

/// What the meeting knows of a participant while it runs.
struct ParticipantState {
  var isJoined = false
  var joinedAt = SimTime.zero
  var isAudioMuted = false
  var isVideoMuted = false
  var isSharingScreen = false
  var isInBackground = false

  /// Speaks until this point because the timeline says so.
  var speaksUntil = SimTime.zero
  /// Speaks because of the talk-spurt model.
  var isInTalkSpurt = false
  /// When that turns next.
  var talkSpurtTurn: EventHandle?
  /// When the present or last turn began; `nil` for one who has not spoken.
  var lastSpokeAt: SimTime?
  var voiceSequence: UInt32 = 0

  /// Links from and to the participant, in the order of travel.
  var up: [UInt16] = []
  var down: [UInt16] = []
  /// Propagation delay of the whole way, which reliable signalling takes.
  var upDelay = SimDuration.zero
  var downDelay = SimDuration.zero
  /// The uplink's estimate that the encodings follow.
  var actedUpEstimate = BitRate.zero
  /// Frames that encoders leave out while too much is under way on the uplink.
  var frameDropping: FrameDropping?

  /// Counters over the current interval.
  var audioBytes: Int64 = 0
  var bytesDown: Int64 = 0
  var bytesUp: Int64 = 0
  var decodedPixels: Int64 = 0

  func isSpeaking(at now: SimTime) -> Bool {
    isJoined && !isAudioMuted && (isInTalkSpurt || now < speaksUntil)
  }
}
