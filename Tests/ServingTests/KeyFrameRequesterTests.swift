import Quantity
import Serving
import Systems
import TestSupport
import Testing

private typealias Action = KeyFrameRequester.Action

/// Requests of one source's encodings 0 and 1, at least 500 ms apart, for tracks 0 and 1.
@Suite("When key frames are requested")
struct KeyFrameRequesterTests {
  private func requester(_ change: (inout KeyFrameRequestRule) -> Void = { _ in }) -> KeyFrameRequester {
    var rule = KeyFrameRequestRule()
    change(&rule)
    return KeyFrameRequester(
      rule, spacings: [.milliseconds(500), .milliseconds(500)], sources: [0..<2], tracks: 2)
  }

  private func sent(check: Int64) -> Action { Action(isSent: true, checkAt: .ms(check)) }

  /// A check that is pending already is not scheduled again, and one at another time is superseded.
  @Test func anEarlyRequestWaitsForTheSpacing() {
    var requester = requester()
    var actions = [requester.request(0, roundTrip: nil, at: .ms(0))]
    for time: Int64 in [200, 499] { actions.append(requester.request(0, roundTrip: nil, at: .ms(time))) }
    #expect(actions == [sent(check: 500), Action(), Action()])
    #expect(requester[0].isDeferred)
    let early = requester.followUp(0, isActive: true, roundTrip: nil, at: .ms(499))
    let due = requester.followUp(0, isActive: true, roundTrip: nil, at: .ms(500))
    #expect(early == Action() && due == sent(check: 1000))
    // Tracks that wait decide on the next one.
    let next = requester.followUp(0, isActive: true, roundTrip: nil, at: .ms(1000))
    #expect(next == nil)
  }

  @Test(arguments: [
    (KeyFrameRequestRule.Early.dropped, false, false), (.deferred, true, true),
    (.deferredUnlessAnswered, true, false),
  ])
  func aDeferredRequest(early: KeyFrameRequestRule.Early, isDeferred: Bool, remains: Bool) {
    var requester = requester { $0.early = early }
    _ = requester.request(0, roundTrip: nil, at: .ms(0))
    _ = requester.request(0, roundTrip: nil, at: .ms(100))
    #expect(requester[0].isDeferred == isDeferred)
    requester.noteKeyFrame(of: 0, isStart: false)
    #expect(requester[0].isDeferred == remains)
  }

  /// The spacing is the round trip of 80 ms and 20 ms, at most 500 ms.
  @Test(arguments: [(Int64?.some(80), Int64(100)), (480, 500), (600, 500), (nil, 500)])
  func aShortRoundTripShortensTheSpacing(roundTrip: Int64?, spacing: Int64) {
    var requester = requester { $0.roundTripMargin = .milliseconds(20) }
    let known = roundTrip.map { SimDuration.milliseconds($0) }
    _ = requester.request(0, roundTrip: known, at: .ms(0))
    let next = requester.nextRequest(of: 0, for: 0, roundTrip: known)
    #expect(next.at == .ms(spacing) && next.viewerLimit == nil)
    let early = requester.request(0, roundTrip: known, at: .ms(spacing - 1))
    let due = requester.request(0, roundTrip: known, at: .ms(spacing))
    #expect(!early.isSent && due.isSent)
  }

  @Test(arguments: [(false, true), (true, false)])
  func encodingsOfASourceMayShareTheirSpacing(isBySource: Bool, isSent: Bool) {
    var requester = requester { $0.isBySource = isBySource }
    _ = requester.request(0, roundTrip: nil, at: .ms(0))
    let other = requester.request(1, roundTrip: nil, at: .ms(499))
    #expect(other.isSent == isSent)
  }

  /// Two requests in 2 s: the third of a viewer waits, another viewer's does not.
  @Test func aViewersRequestsAreLimited() {
    var requester = requester {
      $0.viewerLimit = KeyFrameRequestRule.ViewerLimit(count: 2, window: .seconds(2))
    }
    var sent: [Bool] = []
    for (time, track) in [(0, 0), (500, 0), (1000, 0), (1000, 1), (1999, 0), (2000, 0)] {
      sent.append(requester.request(0, for: track, roundTrip: nil, at: .ms(Int64(time))).isSent)
    }
    #expect(sent == [true, true, false, true, false, true])
    // Of the last two, at 500 and 2000 ms, the first and the spacing end at 2500 ms.
    let next = requester.nextRequest(of: 0, for: 0, roundTrip: nil)
    #expect(next.at == .ms(2500) && next.viewerLimit == nil)
    // Those of the other track are at 1000 ms, and before it only this one's.
    let other = requester.nextRequest(of: 1, for: 1, roundTrip: nil)
    #expect(other.at == .ms(1500) && other.viewerLimit?.count == 2)
  }

  /// Repeated once, then given up; a request in between renews the repetition.
  @Test func aPendingRequestIsRepeatedOnce() {
    var requester = requester { $0.repetition = .pending }
    var actions: [Action?] = [requester.request(0, roundTrip: nil, at: .ms(0))]
    for time: Int64 in [500, 1000] {
      actions.append(requester.followUp(0, isActive: true, roundTrip: nil, at: .ms(time)))
    }
    #expect(actions == [sent(check: 500), sent(check: 1000), Action()])
    #expect(!requester[0].isPending)

    actions = [requester.request(0, roundTrip: nil, at: .ms(2000))]
    actions.append(requester.followUp(0, isActive: true, roundTrip: nil, at: .ms(2500)))
    actions.append(requester.request(0, roundTrip: nil, at: .ms(3000)))
    actions.append(requester.followUp(0, isActive: true, roundTrip: nil, at: .ms(3000)))
    #expect(actions == [sent(check: 2500), sent(check: 3000), Action(), sent(check: 3500)])
    requester.noteKeyFrame(of: 0, isStart: true)
    let answered = requester.followUp(0, isActive: true, roundTrip: nil, at: .ms(3500))
    #expect(answered == Action())
  }

  @Test func aSourceThatHasStoppedIsNotAskedAgain() {
    var requester = requester { $0.repetition = .pending }
    _ = requester.request(0, roundTrip: nil, at: .ms(0))
    let action = requester.followUp(0, isActive: false, roundTrip: nil, at: .ms(500))
    #expect(action == Action() && !requester[0].isPending)
  }
}
