import Quantity
import Systems
import Testing

@Suite("Key frame requests on behalf of one viewer")
struct KeyFrameAllowanceTests {
  /// Three in 10 s, 200 ms apart: times [ms], each with whether a request is allowed then.
  @Test func countsThoseOfTheWindow() {
    let limit = KeyFrameRequestRule.ViewerLimit(count: 3, window: .seconds(10))
    var allowance = KeyFrameAllowance()
    let course: [(at: Int64, isAllowed: Bool)] = [
      (0, true), (199, false), (200, true), (400, true),
      // The fourth has to wait until the first is 10 s old, the next one until the second is.
      (600, false), (9_999, false), (10_000, true), (10_199, false), (10_200, true), (10_399, false),
    ]
    for (at, isAllowed) in course {
      let isTaken = allowance.take(
        limit, spacing: .milliseconds(200), at: .zero + .milliseconds(at))
      #expect(isTaken == isAllowed, "at \(at) ms")
    }
  }

  /// After requests at 0, 200 and 400 ms the next may follow 10 s after the first; one of 1 ms spacing 200 ms after that.
  @Test func saysWhenTheNextIsAllowed() {
    let limit = KeyFrameRequestRule.ViewerLimit(count: 3, window: .seconds(10))
    var allowance = KeyFrameAllowance()
    var next: [SimTime] = []
    for at in [0, 200, 400, 10_000] as [Int64] {
      let isTaken = allowance.take(limit, spacing: .milliseconds(200), at: .zero + .milliseconds(at))
      #expect(isTaken)
      next.append(allowance.nextRequest(within: limit, spacing: .milliseconds(200)))
    }
    #expect(next == [200, 400, 10_000, 10_200].map { .zero + .milliseconds($0) })
  }

  /// A refused request does not count.
  @Test func oneThatIsRefusedDelaysNoOther() {
    let limit = KeyFrameRequestRule.ViewerLimit(count: 1, window: .seconds(1))
    var allowance = KeyFrameAllowance()
    let taken = [0, 900, 999, 1000].map {
      allowance.take(limit, spacing: .zero, at: .zero + .milliseconds($0))
    }
    #expect(taken == [true, false, false, true])
  }
}
