import Endpoint
import Network
import Plan
import Quantity
import Serving
import SimulationKernel
import TestSupport
import Testing

/// Voices of `v` and `w` at the SFU; `p` hears them, and at most one is forwarded: that of the last to start.
@Suite("Voices at the SFU")
struct VoiceTests {
  private func bench() throws -> ServingBench {
    var bench = try ServingBench { $0.audioForwarding = .loudest(1) }
    for listener in [ServingBench.p, ServingBench.v, ServingBench.w] {
      bench.sfu.voices.addListener(listener)
    }
    return bench
  }

  private func speak(_ bench: inout ServingBench, _ who: Int, since: Int64?) {
    bench.sfu.directory.set(
      Directory.Presence(
        isJoined: true, joinedAt: .zero, isSpeaking: since != nil, lastSpokeAt: since.map { .ms($0) },
        isHeard: true), of: who)
    bench.sfu.voices.rank(bench.sfu.directory, at: bench.kernel.now)
  }

  /// Delivers packets of a voice, one every 20 ms.
  private func arrive(_ bench: inout ServingBench, _ sequences: [UInt32], of who: Int, isSilent: Bool = false)
  {
    for sequence in sequences {
      bench.sfu.voices.forward(
        .voice(stream: who, sequence: sequence, isSilent: isSilent, at: bench.kernel.now),
        &bench.wires.net, kernel: &bench.kernel)
      bench.run(to: bench.time + 20)
    }
  }

  /// Returns the voice packets sent to a listener, such as `1.0`: the speaker and the number.
  private func heard(_ bench: borrowing ServingBench, by listener: Int) -> [String] {
    bench.wires.packets(.voice, on: Path.down(listener)).map { "\($0.packet.stream).\($0.packet.sequence)" }
  }

  @Test func theLastToBeginIsForwardedToAllOthers() throws {
    var bench = try bench()
    speak(&bench, ServingBench.v, since: 0)
    arrive(&bench, [0, 1], of: ServingBench.v)
    speak(&bench, ServingBench.w, since: 40)
    arrive(&bench, [2, 3], of: ServingBench.v)
    arrive(&bench, [0], of: ServingBench.w)
    let (toP, toV, toW) = (heard(bench, by: 0), heard(bench, by: 1), heard(bench, by: 2))
    #expect(toP == ["1.0", "1.1", "2.0"] && toV == ["2.0"] && toW == ["1.0", "1.1"])
  }

  @Test func theNumberingSkipsWhatIsLeftOutAndKeepsWhatTheUplinkLost() throws {
    var bench = try bench()
    // Two packets of silence are left out; of the voice, the third is lost.
    arrive(&bench, [0, 1], of: ServingBench.v, isSilent: true)
    speak(&bench, ServingBench.v, since: 40)
    arrive(&bench, [2, 3, 5], of: ServingBench.v)
    let toP = heard(bench, by: 0)
    #expect(toP == ["1.0", "1.1", "1.3"])
  }

  /// 58.4 kbps for a voice and 1.48 for a silent microphone, plus a tenth.
  @Test func theReserveIsForVoicesThatSpeakOrDidAMomentAgo() throws {
    var bench = try bench()
    func reserve(_ bench: inout ServingBench, at time: Int64) -> Int64 {
      bench.sfu.voices.noteSpeakers(bench.sfu.directory, at: .ms(time))
      return bench.sfu.voices.reserve(for: ServingBench.p, bench.sfu.directory, at: .ms(time)).bitsPerSecond
    }
    let nobody = reserve(&bench, at: 0)
    speak(&bench, ServingBench.v, since: nil)
    let silent = reserve(&bench, at: 0)
    speak(&bench, ServingBench.v, since: 100)
    let speaking = reserve(&bench, at: 100)
    // At most one is forwarded: the one that speaks.
    speak(&bench, ServingBench.w, since: nil)
    let both = reserve(&bench, at: 100)
    speak(&bench, ServingBench.v, since: nil)
    let held = reserve(&bench, at: 3100)
    let over = reserve(&bench, at: 3101)
    #expect([nobody, silent, speaking, both, held, over] == [0, 1628, 64_240, 64_240, 64_240, 1628])
    // v hears only w, who is silent.
    let toV = bench.sfu.voices.reserve(for: ServingBench.v, bench.sfu.directory, at: .ms(3101))
    #expect(toV.bitsPerSecond == 1628)
  }
}
