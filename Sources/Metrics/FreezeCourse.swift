import Quantity

/// Freezes of one tile, one by one, from its rows of `streams.csv`: those that the browser counts, and pictures that stand
/// still (``FreezeTotal``).
package struct FreezeCourse: Sendable {
  /// What a row says of freezes.
  package struct Row: Sendable {
    package let framesPerSecond: Double
    package let freezeCount: Double
    /// Duration of the freezes that ended in the interval [s].
    package let freezesDuration: Double
    package let state: String
    package let limitation: String

    package init(
      framesPerSecond: Double, freezeCount: Double, freezesDuration: Double, state: String, limitation: String
    ) {
      self.framesPerSecond = framesPerSecond
      self.freezeCount = freezeCount
      self.freezesDuration = freezesDuration
      self.state = state
      self.limitation = limitation
    }
  }

  /// The freezes that ended in an interval, or a picture that stood still to its end.
  package struct Freeze: Equatable, Sendable {
    /// End of the interval in which it ended, or of the last one in which the picture stood still [s].
    package let at: Double
    /// Duration on the screen [s].
    package let duration: Double
    package let count: Int
  }

  package private(set) var freezes: [Freeze] = []
  private var total = FreezeTotal()
  /// Duration of the picture that stands still, and the end of its last interval [s].
  private var still = (duration: SimDuration.zero, at: 0.0)

  package init() {}

  /// Adds an interval in which the tile was on the screen.
  ///
  /// - Parameters:
  ///   - time: its end [s].
  ///   - length: its length [s].
  package mutating func add(_ row: Row, at time: Double, length: Double) {
    let before = total.duration
    total.add(row, for: length)
    let duration = still.duration + (total.duration - before)
    if FreezeTotal.whole(row.framesPerSecond * length) == 0, row.freezeCount == 0 {
      still = (max(duration, .zero), time)
      return
    }
    if duration > .zero {
      let isCounted = row.freezeCount > 0
      freezes.append(
        Freeze(
          at: isCounted ? time : still.at, duration: duration.seconds,
          count: isCounted ? Int(FreezeTotal.whole(row.freezeCount)) : 1))
    }
    still = (.zero, time)
  }

  /// Ends a picture that stands still, since the tile leaves the screen, or the table ends.
  package mutating func leaveScreen() {
    total.leaveScreen()
    if still.duration > .zero {
      freezes.append(Freeze(at: still.at, duration: still.duration.seconds, count: 1))
    }
    still.duration = .zero
  }
}

extension FreezeTotal {
  /// Adds the row of an interval in which the tile was on the screen, with any numbers that a table can have.
  ///
  /// - Parameter length: length of the interval [s].
  package mutating func add(_ row: FreezeCourse.Row, for length: Double) {
    add(
      frames: Self.whole(row.framesPerSecond * length),
      freezes: (Self.whole(row.freezeCount), Self.duration(row.freezesDuration)),
      isExpected: Self.expectsFrames(in: row.state, row.limitation), for: Self.duration(length))
  }

  /// Largest number that counts.
  private static let limit = 1e9

  static func whole(_ number: Double) -> Int64 {
    number.isFinite ? Int64(min(max(number, 0), limit).rounded()) : 0
  }

  private static func duration(_ seconds: Double) -> SimDuration {
    .milliseconds(whole(seconds * 1000))
  }
}
