import Endpoint
import Network
import Plan
import Publishing
import Quantity
import SimulationKernel
import TestSupport
import Testing

/// The microphone of `v`, with its packets drawn as text: `v` for voice, `s` for comfort noise, `.` for none; a column
/// is 20 ms.
private struct Microphone: ~Copyable {
  static let v = 1

  var kernel = Kernel()
  var wires: Wires
  var people: People

  init() throws {
    self.init(try MeetingPlan.small())
  }

  private init(_ plan: MeetingPlan) {
    wires = Wires(plan)
    people = People(plan, seed: RunSeed(seed: 1, repetition: 0))
    people.join(Self.v, at: .zero)
    begin()
  }

  private mutating func begin() { people.scheduleVoice(of: Self.v, after: .zero, kernel: &kernel) }

  mutating func speak(for time: SimDuration) { people.speak(Self.v, for: time, kernel: &kernel) }

  mutating func setMuted(_ isMuted: Bool) { people.setMuted(isMuted, of: Self.v, kernel: &kernel) }

  mutating func run(to time: Int64) {
    while let event = wires.next(until: .ms(time), &kernel) {
      guard event.kind == .voice else { continue }
      people.speak(event.index, &wires.net, kernel: &kernel)
    }
  }

  var drawing: String {
    var drawing = [Character](repeating: ".", count: Int(kernel.now.nanoseconds / 20_000_000))
    for sent in wires.packets(.voice, on: Path.up(Self.v)) {
      drawing[Int(sent.time / 20)] = sent.packet.flags == 0 ? "v" : "s"
    }
    return String(drawing)
  }
}

@Suite("People and their microphones")
struct PeopleTests {
  /// Nobody hears somebody who publishes no audio, who therefore never counts as speaking.
  @Test func withoutAMicrophoneNobodySpeaks() throws {
    var plan = try MeetingPlan.small()
    plan.participants[Microphone.v].publishesAudio = false
    var people = People(plan, seed: RunSeed(seed: 1, repetition: 0))
    var kernel = Kernel()
    people.join(Microphone.v, at: .zero)
    people.speak(Microphone.v, for: .seconds(1), kernel: &kernel)
    let change = people.takeSpeechChange(of: Microphone.v, at: .ms(1))
    #expect(change == nil && !people.isSpeaking(Microphone.v, at: .ms(1)))
    #expect(people.speakers(at: .ms(1)).isEmpty)
  }

  @Test func aTurnOfSpeechDoesNotWaitForComfortNoise() throws {
    var microphone = try Microphone()
    microphone.run(to: 100)
    microphone.speak(for: .milliseconds(100))
    // The turn ends at 200 ms, when the next packet is already silence; the turn of 400 ms was superseded.
    microphone.run(to: 700)
    #expect(microphone.drawing == "s....vvvvvs...................s....")
    let numbers = microphone.wires.packets(.voice, on: Path.up(Microphone.v)).map(\.packet.sequence)
    #expect(numbers == Array(0...7))
  }

  @Test func aMutedMicrophoneSendsNothing() throws {
    var microphone = try Microphone()
    microphone.speak(for: .seconds(10))
    microphone.run(to: 50)
    microphone.setMuted(true)
    #expect(!microphone.people.isSpeaking(Microphone.v, at: microphone.kernel.now))
    microphone.run(to: 120)
    microphone.setMuted(false)
    microphone.run(to: 200)
    #expect(microphone.drawing == "vvv...vvvv")
  }

  @Test func othersMayKnowWhoSpeaksSinceWhen() throws {
    var microphone = try Microphone()
    var people = microphone.people
    #expect(people.takeSpeechChange(of: 1, at: .ms(10)) == nil)
    microphone.run(to: 30)
    people.speak(1, for: .milliseconds(50), kernel: &microphone.kernel)
    #expect(people.takeSpeechChange(of: 1, at: .ms(30)) == true)
    #expect(people.takeSpeechChange(of: 1, at: .ms(79)) == nil)
    #expect(people.spokenSince(1, at: .ms(79)) == .ms(30) && people.speakers(at: .ms(79)) == [1])
    #expect(people.takeSpeechChange(of: 1, at: .ms(80)) == false)
    #expect(people.spokenSince(1, at: .ms(80)) == nil && people.speakers(at: .ms(80)) == [])
    let presence = people.presence(of: 1, at: .ms(80))
    #expect(presence.isJoined && presence.isHeard && !presence.isSpeaking && presence.stay == 1)
    #expect(presence.lastSpokeAt == .ms(30))
    // p has no microphone and is not heard.
    people.join(0, at: .ms(90))
    people.speak(0, for: .seconds(1), kernel: &microphone.kernel)
    #expect(people.speakers(at: .ms(90)) == [] && !people.presence(of: 0, at: .ms(90)).isHeard)
  }
}
