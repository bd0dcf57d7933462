import Allocation
import Ladder
import Quantity
import Systems
import Testing
import Vendors

@Suite("Signal's allocation")
struct SignalRuleTests {
  private let rule = SignalRule()
  private let small = [IncomingEncoding(rate: 10, height: 180), IncomingEncoding(rate: 30, height: 360)]

  // MARK: Ceilings

  /// Nine tenths of 111 are 99.9, of 112 100.8: with a demanding queue, 100 fit only at 112.
  @Test func nineTenthsAreRoundedDown() {
    let one = [sender([IncomingEncoding(rate: 100, height: 180)], asked: 180)]
    let outcome = rule.decide(signalState(one, target: 111, drain: 1000))
    #expect(sentEncodings(outcome) == "-")
    #expect(outcome.margin.rise == 1)
    #expect(outcome.decisions[0].missing == BitRate(bitsPerSecond: 1))
    #expect(outcome.decisions[0].hindrance == .bandwidth)
    #expect(sentEncodings(rule.decide(signalState(one, target: 112, drain: 1000))) == "0")
  }

  @Test func theQueueIsServedBeforeUpToATenth() {
    let one = [sender([IncomingEncoding(rate: 100, height: 180)], asked: 180)]
    #expect(sentEncodings(rule.decide(signalState(one, target: 104, drain: 5))) == "-")
    #expect(sentEncodings(rule.decide(signalState(one, target: 105, drain: 5))) == "0")
    #expect(rule.decide(signalState(one, target: 90, drain: 5)).margin.rise == 15)
    #expect(sentEncodings(rule.decide(signalState(one, target: 0, drain: 5))) == "-")
  }

  @Test func aNewEncodingHasToFitTheLeastTarget() {
    let other = [sender(small, asked: 360, forwarded: 0)]
    let held = rule.decide(signalState(other, target: 40, minimum: 29))
    #expect(sentEncodings(held) == "0")
    // A higher estimate does not help before the lowest one is forgotten.
    #expect(held.decisions[0].hindrance == .hold)
    #expect(held.decisions[0].missing == .zero)
    #expect(held.margin.rise == nil)
    #expect(sentEncodings(rule.decide(signalState(other, target: 40, minimum: 30))) == "1")
    let same = [sender(small, asked: 360, forwarded: 1)]
    // The lowest encoding is not forwarded and does not fit either; the forwarded one does.
    #expect(sentEncodings(rule.decide(signalState(same, target: 30, minimum: 9))) == "1")
    #expect(sentEncodings(rule.decide(signalState(same, target: 29, minimum: 29))) == "0")
    // The lowest target includes the current one.
    #expect(sentEncodings(rule.decide(signalState(other, target: 29, minimum: 1000))) == "0")
    #expect(rule.decide(signalState(other, target: 29, minimum: 1000)).margin.rise == 1)
  }

  @Test func nothingGoesBeyondTheViewersMaximum() {
    let two = [sender(small, asked: 360), sender(small, asked: 360)]
    let outcome = rule.decide(signalState(two, target: 1000, most: 59))
    #expect(sentEncodings(outcome) == "1 0")
    #expect(outcome.decisions[1].hindrance == .requestCap)
    #expect(outcome.margin.rise == nil)
    #expect(sentEncodings(rule.decide(signalState(two, target: 1000, most: 60))) == "1 1")
    // Without a maximum, the server's default of 5 Mbit/s applies.
    let large = [IncomingEncoding(rate: 5_000_000, height: 180)]
    #expect(
      sentEncodings(rule.decide(signalState([sender(large, asked: 1)], target: .max, most: nil))) == "0")
    let larger = [IncomingEncoding(rate: 5_000_001, height: 180)]
    #expect(
      sentEncodings(rule.decide(signalState([sender(larger, asked: 1)], target: .max, most: nil))) == "-")
  }

  // MARK: Requests

  @Test func whoIsNotAskedForHasOneLine() {
    let outcome = rule.decide(
      signalState([sender(small, asked: nil), sender(small, asked: 2)], target: 1000))
    #expect(sentEncodings(outcome) == "0 0")
    #expect(outcome.decisions.map(\.rank) == [2, 1])
    #expect(outcome.decisions.map(\.ideal) == Array(repeating: LayerID(encoding: 0, temporal: 0), count: 2))
  }

  @Test(arguments: [(180, 0), (181, 1), (360, 1), (361, 1), (5000, 1)])
  func theFirstEncodingHighEnoughIsIdeal(lines: Int, expected: Int) {
    let outcome = rule.decide(signalState([sender(small, asked: lines)], target: 1000))
    #expect(outcome.decisions[0].ideal == LayerID(encoding: expected, temporal: 0))
    #expect(outcome.decisions[0].layer == outcome.decisions[0].ideal)
  }

  @Test func theActiveSpeakerIsRaisedEvenOffScreen() {
    func senders(_ rank: Int, asked: Int = 180, _ visibility: Visibility = .onScreen)
      -> [MeasuredSubscription]
    {
      [sender(small, asked: 300), sender(small, asked: asked, spoke: rank, visibility: visibility)]
    }
    let raised = rule.decide(signalState(senders(0), target: 1000, speakerLines: 301))
    #expect(sentEncodings(raised) == "1 1")
    #expect(raised.decisions.map(\.rank) == [2, 1])
    #expect(sentEncodings(rule.decide(signalState(senders(1), target: 1000, speakerLines: 301))) == "1 0")
    #expect(
      sentEncodings(rule.decide(signalState(senders(0, asked: 360), target: 1000, speakerLines: 1))) == "1 1")
    #expect(
      sentEncodings(rule.decide(signalState(senders(0, .offScreen), target: 1000, speakerLines: 180)))
        == "1 0")
    #expect(sentEncodings(rule.decide(signalState(senders(0, .offScreen), target: 1000))) == "1 -")
    var absent = senders(0)
    absent[1].wish.absence = .muted
    #expect(sentEncodings(rule.decide(signalState(absent, target: 1000, speakerLines: 720))) == "1 -")
  }

  /// 540 lines is the first height that suffices, for the tile and for the active speaker; the gate of 360 leaves 270.
  @Test func nobodyIsRaisedBeyondTheGate() {
    let encodings = [
      IncomingEncoding(rate: 10, height: 135), IncomingEncoding(rate: 30, height: 270),
      IncomingEncoding(rate: 60, height: 540),
    ]
    for (asked, spoke) in [(540, nil), (180, 0)] as [(Int, Int?)] {
      var gated = sender(encodings, asked: asked, spoke: spoke)
      gated.wish.gate(at: .p360)
      let outcome = rule.decide(
        signalState([gated, sender(small, asked: 361)], target: 1000, speakerLines: 540))
      #expect(sentEncodings(outcome) == "1 1")
      #expect(outcome.decisions[0].ideal == outcome.decisions[0].layer)
      #expect(outcome.decisions.map(\.rank) == [2, 1])
    }
  }

  @Test func whoHasNotSpokenComesLastInTheOrderOfTheMeeting() {
    let senders = [nil, nil, 3, 1].map { sender(small, asked: 180, spoke: $0) }
    #expect(rule.decide(signalState(senders, target: 0)).decisions.map(\.rank) == [3, 4, 2, 1])
  }

  // MARK: The walk

  /// 25 is too much for the second; the first one's next step of 20 is still tried after it.
  @Test func whatDoesNotFitIsPassedOver() {
    let senders = [
      sender(small, asked: 360), sender([IncomingEncoding(rate: 25, height: 360)], asked: 359),
      sender([IncomingEncoding(rate: 5, height: 360)], asked: 358),
    ]
    let outcome = rule.decide(signalState(senders, target: 34))
    #expect(sentEncodings(outcome) == "0 - 0")
    #expect(outcome.decisions.map(\.missing.bitsPerSecond) == [1, 6, 0])
    #expect(outcome.margin.rise == 1)
    #expect(sentEncodings(rule.decide(signalState(senders, target: 35))) == "0 0 -")
    #expect(sentEncodings(rule.decide(signalState(senders, target: 40))) == "0 0 0")
  }

  /// A sender of encodings of 180, 360 and 720 lines, asked for 360, by the rates of their temporal layers [bit/s].
  private func layered(_ rates: [[Int64]]) -> MeasuredSubscription {
    var own = sender([], asked: 360)
    own.layers = rates.enumerated().flatMap { encoding, rates in
      rates.enumerated().map { temporal, rate in
        Layer(
          id: LayerID(encoding: encoding, temporal: temporal),
          format: VideoFormat(
            Resolution(width: 320 << encoding, height: 180 << encoding), framesPerSecond: 30),
          bitrate: BitRate(bitsPerSecond: rate))
      }
    }
    return own
  }

  @Test func allTemporalLayersGoWithAnEncoding() {
    var own = layered([[4, 6, 10], [0, 0, 0], [20, 30, 50]])
    own.current = LayerID(encoding: 2, temporal: 0)
    #expect(
      rule.decide(signalState([own], target: 49)).decisions[0].layer == LayerID(encoding: 0, temporal: 2))
    #expect(
      rule.decide(signalState([own], target: 50)).decisions[0].layer == LayerID(encoding: 2, temporal: 2))
    // The forwarded layer counts by its encoding.
    #expect(
      rule.decide(signalState([own], target: 50, minimum: 1)).decisions[0].layer
        == LayerID(encoding: 2, temporal: 2))
  }

  /// Of the lower encoding only the base layer has been measured, of the higher one two layers.
  @Test func anEncodingIsForwardedWholeBeforeAllOfItIsMeasured() {
    let own = layered([[4, 0, 0], [20, 30, 0]])
    func decided(_ target: Int64) -> SourceDecision {
      rule.decide(signalState([own], target: target)).decisions[0]
    }
    #expect(decided(3).layer == nil)
    #expect(decided(4).layer == LayerID(encoding: 0, temporal: 2) && decided(4).bitrate.bitsPerSecond == 4)
    #expect(decided(29).layer == LayerID(encoding: 0, temporal: 2))
    #expect(decided(30).layer == LayerID(encoding: 1, temporal: 2) && decided(30).bitrate.bitsPerSecond == 30)
    #expect(decided(30).ideal == decided(30).layer)
  }
}
