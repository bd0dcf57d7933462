import Media
import Quantity
import SimulationKernel

/// One person in front of the device: present or not, speaking or not.
struct Person {
  let hasMicrophone: Bool
  package var isJoined = false
  /// Set if present at some time in the current interval.
  var wasThere = false
  /// Number of times that the person has joined.
  package var stay = 0
  package var joinedAt = SimTime.zero
  package var isMuted = false
  /// End of speech by the timeline.
  package var speaksUntil = SimTime.zero
  /// Set during speech by the talk-spurt model.
  var isInTalkSpurt = false
  /// Event of the talk-spurt model's next change.
  var talkSpurtTurn: EventHandle?
  package var talkSpurts: TalkSpurtModel
  /// Set while `events.csv` records the person as speaking.
  var isNotedSpeaking = false
  /// Start of the current or last turn of speech without being muted; `nil` for a person who has not spoken.
  package var lastSpokeAt: SimTime?
  /// End of the last turn of speech without being muted; `nil` while one lasts, and for a person who has not spoken.
  var silentSince: SimTime?
  var voice: VoiceStream

  package func isSpeaking(at now: SimTime) -> Bool {
    isHeard && (isInTalkSpurt || now < speaksUntil)
  }

  /// `true` if the microphone's signal can be heard at all.
  package var isHeard: Bool { isJoined && hasMicrophone && !isMuted }
}

/// RTP stream of a microphone.
struct VoiceStream {
  let settings: VoiceSettings
  var sequence: UInt32 = 0
  /// Time of the last packet of speech; `nil` after one of silence.
  var spokenAt: SimTime?
  /// Time at which the next packet is due; an event at another time has been superseded by a turn of speech.
  var dueAt: SimTime?

  init(_ settings: VoiceSettings) { self.settings = settings }
}
