import Testing
import Verification

/// Measures of courses that are small enough to compute by hand.
@Suite("Measures of recorded meetings")
struct MeasureTests {
  private func counters(
    _ bytes: Double, lost: Double = 0, frames: Double = 0, height: Double = 0, frozen: Double = 0
  ) -> TileCourse.Counters {
    TileCourse.Counters(bytes: bytes, lost: lost, frames: frames, height: height, frozen: frozen)
  }

  /// Two tiles over two seconds, with 10 and 30 frames, and none and 15; the second tile has no picture in the first
  /// second.
  private var course: TileCourse {
    var course = TileCourse()
    course.add(counters(1000, lost: 2, frames: 10, height: 180), of: 0, at: 1)
    course.add(counters(500, lost: 1, height: 0), of: 1, at: 1)
    course.add(counters(3000, lost: 2, frames: 40, height: 360, frozen: 0.5), of: 0, at: 2)
    course.add(counters(1500, lost: 4, frames: 15, height: 180, frozen: 1), of: 1, at: 2)
    return course
  }

  @Test func aWindowIsMeasuredOverAllTiles() throws {
    let all = try #require(WindowMeasures(course, in: MeasureWindow(from: 0, to: 2)))
    // 4,500 B in two seconds.
    #expect(all.kbps == 18)
    #expect(all.picture == 0.75)
    #expect(all.height == 180)
    #expect(all.fps == 13.75)
    #expect(all.lost == 3)
    #expect(all.frozen == 0.75)
    #expect(course.allShown == 2)
  }

  @Test func aWindowHasItsEndAndNotItsBeginning() throws {
    let last = try #require(WindowMeasures(course, in: MeasureWindow(from: 1, to: 2)))
    // 2,000 and 1,000 B since the previous row, in one second.
    #expect(last.kbps == 24)
    #expect(last.lost == 3)
    #expect(last.picture == 1)
    #expect(WindowMeasures(course, in: MeasureWindow(from: 2, to: 9)) == nil)
  }

  @Test func aFallenCountOfFramesBringsNone() throws {
    var course = TileCourse()
    course.add(counters(1000, lost: 5, frames: 30, height: 360), of: 0, at: 1)
    course.add(counters(1000, lost: 3, frames: 0, height: 360), of: 0, at: 2)
    course.add(counters(2000, lost: 3, frames: 20, height: 360), of: 0, at: 3)
    #expect(course.rows.map(\.frames) == [30, 0, 20])
    #expect(course.rows.map(\.height) == [360, 0, 360])
    // A packet that arrives late is no longer lost.
    #expect(course.rows.map(\.lost) == [5, -2, 0])
    #expect(course.rows.map(\.bits) == [8000, 0, 8000])
  }

  @Test func aTileThatIsNeverShownCounts99() {
    var course = course
    course.add(counters(700), of: 2, at: 2)
    #expect(course.tileCount == 3)
    #expect(course.allShown == 99)
    #expect(TileCourse().allShown == 99)
  }

  @Test func meansAreOverRuns() {
    var (one, other) = (WindowMeasures(), WindowMeasures())
    (one.kbps, one.picture, one.frozen) = (100, 0.5, 3)
    (other.kbps, other.picture, other.lost) = (300, 1, 8)
    let mean = WindowMeasures.mean(of: [one, other])
    #expect(mean.kbps == 200 && mean.picture == 0.75 && mean.frozen == 1.5 && mean.lost == 4)
    #expect(mean[.kbps] == 200 && mean[.lost] == 4)
  }

  // MARK: Windows

  private static let windows: [(name: String, ends: [[Double]])] = [
    ("remb-n1-800", [[0, 20], [20, 74]]),
    ("remb-n1-down", [[0, 40], [45, 90]]),
    ("send-n4-mild", [[0, 40], [45, 90]]),
    ("remb-n4-out", [[0, 40], [52, 74]]),
    ("remb-n4hd-bus", [[0, 20], [20, 60], [60, 74]]),
    ("send-n8-train", [[0, 20], [20, 60], [60, 74]]),
    // The first word that the rule recognizes counts.
    ("bus-down", [[0, 40], [45, 90]]),
  ]

  @Test(arguments: windows)
  func windowsFollowTheName(name: String, ends: [[Double]]) {
    #expect(MeasureWindow.windows(of: name, end: 74).map { [$0.from, $0.to] } == ends)
  }

  @Test func aLongRecordingHasItsLastWindow() {
    let all = MeasureWindow.windows(of: "remb-n1-down", end: 119.4)
    #expect(all.map(\.text) == ["0-40", "45-90", "95-119"])
  }

  // MARK: Bounds

  /// A recorded value, the farthest value that the bound still accepts on either side, and a step beyond.
  private static let bounds: [(measure: Measure, recorded: Double, reach: Double)] = [
    (.kbps, 1000, 150), (.kbps, 100, 30), (.picture, 0.9, 0.1), (.picture, 0.2, 0.1), (.height, 360, 72),
    (.height, 60, 20), (.fps, 20, 5), (.fps, 4, 2), (.lost, 20, 10), (.lost, 2, 2), (.frozen, 10, 5),
    (.frozen, 1, 3), (.allShown, 20, 6), (.allShown, 3, 2),
  ]

  @Test(arguments: bounds)
  func boundsHoldInsideAndNotOutside(measure: Measure, recorded: Double, reach: Double) {
    let step = reach * 1e-6
    for side in [-1.0, 1] {
      let inside = recorded + side * (reach - step)
      let outside = recorded + side * (reach + step)
      #expect(measure.bound.holds(recorded: recorded, other: inside), "\(inside)")
      #expect(!measure.bound.holds(recorded: recorded, other: outside), "\(outside)")
    }
    #expect(measure.bound.holds(recorded: recorded, other: recorded))
  }

  @Test func theBoundIsOfTheRecordedValue() {
    // 15 % of 1000 is 150; of 1170 it would be 175.
    #expect(!Measure.kbps.bound.holds(recorded: 1000, other: 1170))
    #expect(Measure.kbps.bound.holds(recorded: 1170, other: 1000))
    #expect(Measure.kbps.bound.text == "±15 % or 30")
    #expect(Measure.picture.bound.text == "±0.1")
  }

  @Test func decimalsAreThoseOfPython() {
    #expect(0.125.text(decimals: 2) == "0.12")
    #expect(0.785.text(decimals: 2) == "0.79")
    #expect(1.005.text(decimals: 2) == "1.00")
    #expect((-0.001).text(decimals: 2) == "-0.00")
    #expect(74.009.text(decimals: 0) == "74")
    #expect(1e300.text(decimals: 1).count == 303)
  }
}
