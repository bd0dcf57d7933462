import Media
import Quantity
import Statistics
import Testing

@Suite("Video receivers")
struct VideoReceiverTests {
  private static let frameTime: Int64 = 33_000_000

  private static func packet(
    _ frame: UInt32, position: UInt8, count: UInt16 = 1, isKeyFrame: Bool = false, stream: UInt16 = 0
  ) -> FramePacket {
    FramePacket(
      stream: stream, frame: frame, count: count, temporalLayer: [0, 2, 1, 2][Int(position)],
      groupPosition: position, isKeyFrame: isKeyFrame, groupLength: 4,
      capturedAt: SimTime(nanoseconds: Int64(frame) * frameTime))
  }

  /// Frames of one packet each, by their position in the L1T3 pattern, each 20 ms after its capture; those in `missing`
  /// do not arrive, those in `late` arrive just before the frame with the given number.
  private func shown(
    _ count: UInt32, missing: Set<UInt32> = [], late: [UInt32: UInt32] = [:], keyFrames: Set<UInt32> = [0]
  ) -> [UInt32] {
    var receiver = VideoReceiver()
    var shown: [UInt32] = []
    var positions: [UInt8] = []
    for frame in 0..<count {
      let position = keyFrames.contains(frame) ? 0 : ((positions.last ?? 3) + 1) % 4
      positions.append(position)
    }
    func receive(_ frame: UInt32, _ now: SimTime) {
      receiver.receive(
        Self.packet(frame, position: positions[Int(frame)], isKeyFrame: keyFrames.contains(frame)), at: now)
      while let one = receiver.takeFrame(at: now) { shown.append(one.frame) }
    }
    for frame in 0..<count {
      let now = SimTime(nanoseconds: Int64(frame) * Self.frameTime + 20_000_000)
      for (repaired, before) in late.sorted(by: { $0.key < $1.key }) where before == frame {
        receive(repaired, now)
      }
      if !missing.contains(frame), late[frame] == nil { receive(frame, now) }
    }
    return shown
  }

  /// After 60 frames nothing comes. At 3 s the receiver asks for a key frame; at 6 s, more than 5 s after the last packet,
  /// the stream is inactive: a key frame after 5.9 s ends a freeze, one after 6.1 s a pause.
  @Test(arguments: [(5900, 1), (6100, 0)] as [(Int64, UInt32)])
  func aLongSilenceIsAPause(milliseconds: Int64, freezes: UInt32) {
    var receiver = VideoReceiver()
    var last = SimTime.zero
    func receive(_ frame: UInt32, at now: SimTime) {
      receiver.noteArrival(at: now)
      receiver.receive(
        Self.packet(frame, position: UInt8(frame % 4), isKeyFrame: frame % 60 == 0), at: now)
      while receiver.takeFrame(at: now) != nil {}
      last = now
    }
    for frame in 0..<UInt32(60) {
      receive(frame, at: SimTime(nanoseconds: Int64(frame) * Self.frameTime + 20_000_000))
    }
    let isDue = receiver.takeKeyFrameRequest(at: last + .seconds(3))
    #expect(isDue)
    receive(60, at: last + .milliseconds(milliseconds))
    #expect(receiver.status.freezeCount == freezes && receiver.status.framesDecoded == 61)
  }

  @Test func aLostTopLayerFrameCostsItselfAlone() {
    #expect(shown(8, missing: [1]) == [0, 2, 3, 4, 5, 6, 7])
  }

  @Test func aLostMiddleLayerFrameCostsTheFrameThatBuildsOnIt() {
    #expect(shown(8, missing: [2]) == [0, 1, 4, 5, 6, 7])
  }

  @Test func aLostBaseLayerFrameCostsEverythingUntilAKeyFrame() {
    #expect(shown(12, missing: [4]) == [0, 1, 2, 3])
    #expect(shown(12, missing: [4], keyFrames: [0, 9]) == [0, 1, 2, 3, 9, 10, 11])
  }

  @Test func aRepairedBaseLayerFrameLetsOutWhatWaitedForIt() {
    #expect(shown(12, late: [4: 9]) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  }

  /// 255 frames wait for one in a table of 256. Of 257, the one that has taken the place of the missing loses it again, and
  /// what builds on that one is not shown.
  @Test func fourSecondsAt60FramesPerSecondWaitForARepair() {
    #expect(shown(260, late: [4: 259]) == Array(0..<260))
    #expect(shown(262, late: [4: 261]) == Array(0..<260))
  }

  @Test func aRepairedTopLayerFrameIsDroppedWhenItsSuccessorWasShown() {
    #expect(shown(16, late: [1: 12]) == [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
  }

  /// Receives packets in this order, one per frame time, of frames of two packets each; returns the frames shown after
  /// each.
  private func shown(
    after arrivals: [UInt32], from start: Int64 = 0, by receiver: inout VideoReceiver
  ) -> [[UInt32]] {
    arrivals.enumerated().map { number, frame in
      let now = SimTime(nanoseconds: (start + Int64(number)) * Self.frameTime)
      receiver.receive(
        Self.packet(frame, position: UInt8(frame % 4), count: 2, isKeyFrame: frame == 0), at: now)
      var shown: [UInt32] = []
      while let one = receiver.takeFrame(at: now) { shown.append(one.frame) }
      return shown
    }
  }

  @Test func framesWhosePacketsAlternateAreShownAsEachBecomesWhole() {
    var receiver = VideoReceiver()
    let shown = shown(after: [0, 0, 1, 2, 1, 2, 3, 4, 4, 3], by: &receiver)
    // The base frame 4 is complete before frame 3, which then lies behind it and is too late.
    #expect(shown == [[], [0], [], [], [1], [2], [], [], [4], []])
    #expect(receiver.framesReceived == 5 && receiver.framesDropped == 1 && receiver.framesWaiting == 0)
  }

  @Test func aWholeFrameWaitsForItsReferenceBesideAnUnfinishedOne() {
    var receiver = VideoReceiver()
    // Frame 3 depends on frame 2, one of whose packets arrives last.
    let shown = shown(after: [0, 0, 2, 3, 3, 1, 1], by: &receiver)
    #expect(shown == [[], [0], [], [], [], [], [1]])
    #expect(receiver.framesReceived == 3 && receiver.framesWaiting == 1)
    let rest = self.shown(after: [2], from: 7, by: &receiver)
    #expect(rest == [[2, 3]])
  }

  @Test func aStopForgetsWhatIsUnfinishedAndCountsWhatIsWhole() {
    var receiver = VideoReceiver()
    _ = shown(after: [0, 0, 3, 3, 4], by: &receiver)
    receiver.stop()
    #expect(receiver.framesReceived == 2 && receiver.framesDropped == 1 && receiver.framesWaiting == 0)
    // The second packet of frame 4 no longer completes it.
    let shown = shown(after: [4, 0, 0], from: 5, by: &receiver)
    #expect(shown == [[], [], [0]])
    #expect(receiver.framesReceived == 3)
  }

  @Test func asksForAKeyFrameAfter200MillisecondsAndForAnyFrameAfterThreeSeconds() {
    var receiver = VideoReceiver()
    receiver.begin(at: .zero)
    var asked = [receiver.takeKeyFrameRequest(at: .zero + .milliseconds(199))]
    asked.append(receiver.takeKeyFrameRequest(at: .zero + .milliseconds(200)))
    asked.append(receiver.takeKeyFrameRequest(at: .zero + .milliseconds(399)))
    asked.append(receiver.takeKeyFrameRequest(at: .zero + .milliseconds(400)))
    #expect(asked == [false, true, false, true])
    let start = SimTime.zero + .milliseconds(500)
    receiver.receive(Self.packet(0, position: 0, isKeyFrame: true), at: start)
    #expect(receiver.takeFrame(at: start) != nil)
    // The next base frame never arrives; others do.
    receiver.receive(Self.packet(5, position: 1), at: start + .seconds(2))
    let before = receiver.takeKeyFrameRequest(at: start + .milliseconds(2_999))
    let after = receiver.takeKeyFrameRequest(at: start + .seconds(3))
    #expect(!before && after)
  }

  @Test func renderingIsEvenAndNeverRunsBackUnderRandomDelays() {
    var delays = RandomStream(seed: 3, name: "delays")
    var receiver = VideoReceiver()
    var arrival: Int64 = 0
    var renders: [Int64] = []
    for frame in UInt32(0)..<2_000 {
      let captured = Int64(frame) * Self.frameTime
      arrival = max(arrival, captured + 30_000_000 + Int64(delays.exponential(mean: 8) * 1e6))
      let now = SimTime(nanoseconds: arrival)
      receiver.receive(
        Self.packet(frame, position: UInt8(frame % 4), isKeyFrame: frame == 0), at: now)
      while let one = receiver.takeFrame(at: now) { renders.append(one.renderedAt.nanoseconds) }
    }
    #expect(renders.count == 2_000)
    #expect(zip(renders, renders.dropFirst()).allSatisfy { $0 <= $1 })
    // The jitter buffer absorbs most of the jitter: few frames are late.
    let late = receiver.framesLate
    #expect(late < 200)
  }

  @Test func nothingIncompleteOrUndecodableIsShownWhateverIsLostOrLate() {
    var draws = RandomStream(seed: 5, name: "losses")
    var receiver = VideoReceiver()
    var whole: Set<UInt32> = []
    var shown: [UInt32] = []
    var delayed: [(at: UInt32, packet: FramePacket)] = []
    var left: [UInt32: UInt16] = [:]
    func receive(_ packet: FramePacket, _ now: SimTime) {
      left[packet.frame, default: packet.count] -= 1
      if left[packet.frame] == 0 { whole.insert(packet.frame) }
      receiver.receive(packet, at: now)
      while let one = receiver.takeFrame(at: now) { shown.append(one.frame) }
    }
    for frame in UInt32(0)..<6_000 {
      let now = SimTime(nanoseconds: Int64(frame) * Self.frameTime)
      for late in delayed where late.at == frame { receive(late.packet, now) }
      delayed.removeAll { $0.at <= frame }
      let count = UInt16(1 + draws.index(below: 5))
      let packet = Self.packet(frame, position: UInt8(frame % 4), count: count, isKeyFrame: frame % 40 == 0)
      for _ in 0..<count {
        switch draws.index(below: 40) {
        case 0: break
        case 1, 2: delayed.append((frame + 1 + UInt32(draws.index(below: 12)), packet))
        default: receive(packet, now)
        }
      }
    }
    #expect(shown.allSatisfy(whole.contains))
    #expect(Set(shown).count == shown.count)
    #expect(shown.count > 3_000)
    // A base frame is only shown right after the frame that it refers to, or as a key frame.
    let bases = shown.filter { $0 % 4 == 0 }
    for index in bases.indices.dropFirst() {
      let follows = bases[index] == bases[index - 1] + 4
      #expect(follows || bases[index] % 40 == 0)
    }
  }
}
