import Media
import Quantity
import SimulationKernel

/// One person in front of the device: present or not, speaking or not.
struct Person {
  let hasMicrophone: Bool
  var isJoined = false
  /// Whether it has been in the meeting at some time of the current interval.
  var wasThere = false
  /// How often it has joined.
  var stay = 0
  var joinedAt = SimTime.zero
  var isMuted = false
  /// Speaks until this point because the timeline says so.
  var speaksUntil = SimTime.zero
  /// Speaks because of the talk-spurt model.
  var isInTalkSpurt = false
  /// When that changes next.
  var talkSpurtTurn: EventHandle?
  var talkSpurts: TalkSpurtModel
  /// Whether `events.csv` has it speaking.
  var isNotedSpeaking = false
  /// When the current or last turn began; `nil` for one who has not spoken.
  var lastSpokeAt: SimTime?
  var voiceSequence: UInt32 = 0
  /// When the voice's next packet is due; an event at another time has been superseded by a turn of speech.
  var voiceDueAt: SimTime?

  func isSpeaking(at now: SimTime) -> Bool {
    isJoined && !isMuted && (isInTalkSpurt || now < speaksUntil)
  }

  /// Whether the microphone's signal can be heard at all.
  var isHeard: Bool { isJoined && hasMicrophone && !isMuted }
}
