import Endpoint
import Media
import Network
import Quantity
import TestSupport
import Testing
import Viewing

@Suite("Voice reception")
struct ListenerTests {
  /// Delivers packets of a speaker to listener 1, 10 ms after capture, one every 20 ms.
  private func arrive(_ listeners: inout Listeners, _ sequences: [UInt32], of speaker: Int = 0) {
    for sequence in sequences {
      let capturedAt = SimTime.ms(Int64(sequence) * 20)
      var packet = Packet.voice(stream: speaker, sequence: sequence, isSilent: false, at: capturedAt)
      packet.destination = 1
      listeners.receive(packet, at: capturedAt + .milliseconds(10))
    }
  }

  @Test func aMissingPacketIsLostOnce() throws {
    var listeners = Listeners(packetTimes: Array(repeating: .milliseconds(20), count: 3), hearsMixes: false)
    arrive(&listeners, [0, 1, 3, 4])
    let heard = listeners.takeReception(of: 0, by: 1, spokenSince: nil, at: .ms(100))
    let reception = heard?.reception
    #expect(reception?.packetsReceived == 4 && reception?.packetsLost == 1)
    // Of each packet's 146 bytes, 80 are voice and 66 overhead.
    let bytes = [listeners.takeBytes(of: 1), listeners.takeBytes(of: 1)]
    #expect(bytes[0] == 4 * 146 && bytes[1] == 0)
    let again = listeners.takeReception(of: 0, by: 1, spokenSince: nil, at: .ms(110))
    #expect(again == nil)
    // The others have heard nobody, and nobody has heard them.
    let other = listeners.takeReception(of: 0, by: 2, spokenSince: nil, at: .ms(110))
    #expect(other == nil)
    let isHeard = [listeners.hasVoice(0), listeners.hasVoice(1)]
    #expect(isHeard == [true, false])
  }

  @Test func whoeverJoinsAgainMissesNothingOfBefore() throws {
    var listeners = Listeners(packetTimes: Array(repeating: .milliseconds(20), count: 3), hearsMixes: false)
    arrive(&listeners, [0, 1])
    listeners.join(1)
    arrive(&listeners, [50, 51])
    let listener = listeners.takeReception(of: 0, by: 1, spokenSince: nil, at: .ms(1100))?.reception
    #expect(listener?.packetsReceived == 4 && listener?.packetsLost == 0)
    listeners.join(0)
    arrive(&listeners, [90])
    let speaker = listeners.takeReception(of: 0, by: 1, spokenSince: nil, at: .ms(2000))?.reception
    #expect(speaker?.packetsReceived == 1 && speaker?.packetsLost == 0)
  }

  /// An expected voice of which nothing arrives is concealed.
  @Test func whatDoesNotArriveIsConcealed() throws {
    var listeners = Listeners(packetTimes: Array(repeating: .milliseconds(20), count: 3), hearsMixes: false)
    arrive(&listeners, [0, 1, 2, 3, 4])
    _ = listeners.takeReception(of: 0, by: 1, spokenSince: .zero, at: .ms(100))
    let silent = listeners.takeReception(of: 0, by: 1, spokenSince: nil, at: .ms(1000))
    #expect(silent == nil)
    let missed = listeners.takeReception(of: 0, by: 1, spokenSince: .zero, at: .ms(1000))?.reception
    #expect((missed?.concealedSamples ?? 0) > 0 && missed?.packetsReceived == 0)
  }

  @Test func theReceptionsOfAnIntervalAddUp() throws {
    var listeners = Listeners(packetTimes: Array(repeating: .milliseconds(20), count: 3), hearsMixes: false)
    listeners.beginInterval(of: 1)
    arrive(&listeners, [0, 1], of: 0)
    arrive(&listeners, [0, 1, 2], of: 2)
    for speaker in [0, 2] {
      _ = listeners.takeReception(of: speaker, by: 1, spokenSince: nil, at: .ms(100))
    }
    listeners.endInterval(of: 1)
    let received = listeners.intervals[1].packetsReceived
    #expect(received == 5)
    listeners.beginInterval(of: 1)
    let afresh = listeners.intervals[1].packetsReceived
    #expect(afresh == 0)
  }
}
