import Metrics
import Testing

/// Rows of one tile in intervals of 1 s: frames a second, freezes counted, their duration [s].
@Suite("Freezes one by one")
struct FreezeCourseTests {
  private func freezes(
    _ rows: [(rate: Double, count: Double, duration: Double)], limitation: String = "bandwidth"
  ) -> [FreezeCourse.Freeze] {
    var course = FreezeCourse()
    for (second, row) in rows.enumerated() {
      course.add(
        FreezeCourse.Row(
          framesPerSecond: row.rate, freezeCount: row.count, freezesDuration: row.duration,
          state: "receiving",
          limitation: limitation),
        at: Double(second + 1), length: 1)
    }
    course.leaveScreen()
    return course.freezes
  }

  /// From 2 s on two intervals stand still; the next frame ends a freeze of 2.3 s, which takes their place.
  @Test func theBrowsersFreezeReplacesThePictureThatStoodStill() {
    let found = freezes([(30, 0, 0), (30, 0, 0), (0, 0, 0), (0, 0, 0), (20, 1, 2.3)])
    #expect(found.map(\.at) == [5] && found.map(\.duration) == [2.3])
  }

  @Test func aPictureThatStandsToTheEndLastsToIt() {
    let found = freezes([(30, 0, 0), (0, 0, 0), (0, 0, 0)])
    #expect(found.map(\.at) == [3] && found.map(\.duration) == [2])
  }

  /// Three frames are too few for the browser to count the gap after them, which ends with the fourth row.
  @Test func aGapThatTheBrowserDoesNotCountEndsBeforeTheNextFrame() {
    let found = freezes([(3, 0, 0), (0, 0, 0), (0, 0, 0), (30, 0, 0), (30, 0, 0)])
    #expect(found.map(\.at) == [3] && found.map(\.duration) == [2])
  }

  @Test func twoFreezesOfAnIntervalAreOneEntry() {
    let found = freezes([(30, 0, 0), (12, 2, 0.7)])
    #expect(found.map(\.count) == [2] && found.map(\.duration) == [0.7])
  }

  /// Before the first frame nothing is frozen, nor is a source that sends none.
  @Test func noFramesAreNoFreeze() {
    #expect(freezes([(0, 0, 0), (0, 0, 0), (30, 0, 0)]).isEmpty)
    #expect(freezes([(30, 0, 0), (0, 0, 0), (0, 0, 0)], limitation: "sender").isEmpty)
  }

  /// Numbers that only a damaged table has.
  @Test func anyNumberIsAccepted() {
    let found = freezes([(30, 0, 0), (.infinity, .nan, -.infinity), (-1, 1e300, 1e300), (30, 1, .nan)])
    #expect(found.allSatisfy { $0.duration >= 0 && $0.count >= 0 })
  }
}
