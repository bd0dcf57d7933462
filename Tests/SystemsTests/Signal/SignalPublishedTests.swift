import Allocation
import Quantity
import Systems
import Testing
import Vendors

/// The figures of upstream's own test of `allocate_send_rate` (Signal-Calling-Service, backend/src/call.rs).
@Suite("Signal's published allocations")
struct SignalPublishedTests {
  private static let low = IncomingEncoding.kilobits(200, 180)
  private static let middle = IncomingEncoding.kilobits(800, 360)
  private static let high = IncomingEncoding.kilobits(2000, 720)
  /// A sender whose upper encodings have stopped.
  private static let one = [low, IncomingEncoding(rate: 0, height: 1080), .nothing]
  private static let two = [low, middle, .nothing]
  private static let three = [low, middle, high]

  private func layers(
    _ senders: [MeasuredSubscription], _ target: Int64, _ minimum: Int64? = nil, drain: Int64 = 0,
    most: Int64 = 100_000
  ) -> String {
    sentEncodings(
      SignalRule().decide(
        signalState(
          senders, target: target * 1000, minimum: (minimum ?? target) * 1000, drain: drain * 1000,
          most: most * 1000)))
  }

  @Test func nothingIsAllocatedWhereNothingComesOrIsAskedForOrCanBeSent() {
    #expect(layers([], 1000, drain: 200) == "")
    #expect(layers([sender([.nothing, .nothing, .nothing], asked: 1080)], 1000) == "-")
    #expect(layers([sender(Self.one, asked: 0)], 1000) == "-")
    #expect(layers([sender(Self.one, asked: 1080)], 0) == "-")
    #expect(layers([sender(Self.one, asked: 1080)], 0, drain: 200) == "-")
    #expect(layers([sender(Self.one, asked: 1080)], 1000) == "0")
    #expect(layers([sender(Self.one, asked: 1080)], 1000, drain: 200) == "0")
  }

  /// Three senders, requested at 180, 360 and 720 lines, and the encodings forwarded.
  private func room(_ forwarded: [Int?] = [nil, nil, nil]) -> [MeasuredSubscription] {
    [
      sender(Self.one, asked: 180, forwarded: forwarded[0]),
      sender(Self.two, asked: 360, forwarded: forwarded[1]),
      sender(Self.three, asked: 720, forwarded: forwarded[2]),
    ]
  }

  @Test(arguments: [
    (200, 200, "- - -"), (400, 200, "- - 0"), (400, 0, "- 0 0"), (600, 0, "0 0 0"), (1200, 0, "0 0 1"),
    (2000, 0, "0 1 1"), (3000, 0, "0 1 2"),
  ])
  func lowerEncodingsAreFilledFirstFromTheLargestRequest(target: Int64, drain: Int64, expected: String) {
    #expect(layers(room(), target, drain: drain) == expected)
  }

  @Test(arguments: [
    (600, 400, 200, [nil, 0, 0], "- 0 0"), (667, 600, 100, [0, 0, 0], "0 0 0"),
    (1334, 1200, 1000, [0, 0, 1], "0 0 1"), (1800, 1800, 0, [0, 1, 1], "0 1 1"),
    (4000, 3000, 1000, [0, 1, 2], "0 1 2"),
  ])
  func whatIsForwardedHasTheHigherCeiling(
    target: Int64, minimum: Int64, drain: Int64, forwarded: [Int?], expected: String
  ) {
    #expect(layers(room(forwarded), target, minimum, drain: drain) == expected)
  }

  @Test func requestsAndTheMaximumBoundTheIdeal() {
    #expect(layers(room(), 3000, most: 1200) == "0 0 1")
    let more = [
      sender(Self.one, asked: 1080), sender(Self.two, asked: 1081), sender(Self.three, asked: 1082),
    ]
    #expect(layers(more, 5000) == "0 1 2")
    let less = [sender(Self.one, asked: 1), sender(Self.two, asked: 2), sender(Self.three, asked: 3)]
    #expect(layers(less, 5000) == "0 0 0")
  }

  /// Senders in order, the last of whom spoke longest ago.
  private func equal(_ encodings: [[IncomingEncoding]]) -> [MeasuredSubscription] {
    encodings.enumerated().map { sender($1, asked: 1080, spoke: $0) }
  }

  @Test func amongEqualRequestsWhoSpokeLastComesFirst() {
    #expect(layers(equal([Self.one, Self.two, Self.three]), 200) == "0 - -")
    #expect(layers(equal([Self.one, Self.two, Self.three]), 400) == "0 0 -")
    #expect(layers(equal([Self.one, Self.two, Self.three, Self.three]), 600) == "0 0 0 -")
    #expect(layers(equal([Self.one, Self.two, Self.three, Self.three]), 800) == "0 0 0 0")
    #expect(layers(equal([Self.three, Self.three]), 1000) == "1 0")
    #expect(layers(equal([Self.three, Self.three]), 2800) == "2 1")
    #expect(layers(equal([Self.three, Self.three]), 10_000) == "2 2")
  }

  @Test(arguments: [(200, "- - 0"), (400, "- 0 0"), (600, "0 0 0")])
  func speechDoesNotOutrankSize(target: Int64, expected: String) {
    let senders = [Self.one, Self.two, Self.three].enumerated().map {
      sender($1, asked: $0 + 1, spoke: $0)
    }
    #expect(layers(senders, target) == expected)
  }

  @Test(arguments: [(0, 2000, "-"), (1, 600, "0"), (1, 2000, "1")])
  func ofEqualHeightsTheHighestEncodingIsIdeal(lines: Int, target: Int64, expected: String) {
    let screen: [IncomingEncoding] = [
      .kilobits(100, 1080), .kilobits(1500, 1080), IncomingEncoding(rate: 0, height: 1080),
    ]
    #expect(layers([sender(screen, asked: lines)], target) == expected)
  }

  @Test func aHigherEncodingThatTakesLessReplacesALowerOne() {
    let smallMiddle: [IncomingEncoding] = [Self.low, .kilobits(100, 360), Self.high]
    #expect(layers([sender(smallMiddle, asked: 720)], 99) == "-")
    #expect(layers([sender(smallMiddle, asked: 720)], 100) == "1")
    #expect(layers([sender(smallMiddle, asked: 720)], 2000) == "2")
    #expect(layers([sender(smallMiddle, asked: 180)], 100) == "-")
    let smallHigh: [IncomingEncoding] = [Self.low, Self.middle, .kilobits(100, 720)]
    #expect(layers([sender(smallHigh, asked: 720)], 100) == "2")
    let pair = [sender(smallHigh, asked: 720), sender(Self.three, asked: 720)]
    #expect([100, 899, 2099, 2100].map { layers(pair, $0) } == ["2 -", "2 0", "2 1", "2 2"])
    #expect(layers([sender(smallHigh, asked: 721), pair[1]], 200) == "2 -")
    #expect(layers([pair[0], sender(Self.three, asked: 721)], 200) == "- 0")
    #expect(layers([pair[0], sender(Self.three, asked: 721)], 899) == "2 0")
  }
}
