package import Ladder
package import Media
package import Plan
package import Quantity
package import SimulationKernel
package import Systems

/// Frames that an app produces itself, at the client that accepts them.
package struct CustomCapture {
  package let rules: CustomSourceRules
  /// Change of source in progress.
  package var change: SourceChange?
  /// Series that the app pushes.
  package var loop: PushLoop?
  /// Highest frame rate that the encoder accepts: the system's, or that of the ladder if it is lower [1/1000 Hz].
  let mostMilliFrames: Int
  /// Limiter of the frames to ``mostMilliFrames``.
  package var intake: FrameIntake
  /// Times of the single frames accepted over the last second.
  var singles: [SimTime] = []
  /// Rate of frames that are pushed and accepted now [1/1000 Hz].
  package var milliFramesPerSecond = 0
  /// Size of the frames before orientation; `nil` before the first.
  package var frame: Resolution?
  var isTurned = false

  init(_ rules: CustomSourceRules, ladder: Ladder) {
    self.rules = rules
    mostMilliFrames = rules.mostMilliFrames(into: ladder)
    intake = FrameIntake(milliFramesPerSecond: mostMilliFrames)
  }

  /// Frame rate of an app's lasting series [1/1000 Hz]; 0 without one.
  package var steadyRate: Int { loop?.frames.steadyRate ?? 0 }

  /// Rate of such a series at the encoders, after its ``intake`` [1/1000 Hz].
  var steadyIntake: Int { min(steadyRate, mostMilliFrames) }

  /// Refuses all frames that are pushed from now on.
  package mutating func refuse() {
    loop?.isTaken = false
    singles = []
  }

  /// Updates the rate of pushed frames: that of the app's series, and the number of single frames accepted over the
  /// last second.
  ///
  /// - Returns: `true` if the rate has changed.
  mutating func followRate(at now: SimTime) -> Bool {
    if !singles.isEmpty { singles.removeAll { now - $0 >= .seconds(1) } }
    let looped = loop.map { $0.isTaken ? $0.frames.milliFramesPerSecond : 0 } ?? 0
    let rate = min(looped + singles.count * 1000, mostMilliFrames)
    guard rate != milliFramesPerSecond else { return false }
    milliFramesPerSecond = rate
    return true
  }
}

/// A requested change between camera and custom frames.
package struct SourceChange {
  package let kind: VideoSourcePlan.Kind
  let completesAt: SimTime
}

/// A series of frames that an app pushes.
package struct PushLoop {
  package let frames: CustomFrames
  package let start: SimTime
  /// Set if the source's plan states the series, which then ends with its participant's call.
  package let isStated: Bool
  /// Number of frames pushed so far.
  package var count: Int64 = 0
  /// Event of the next push.
  package var next: EventHandle?
  /// Set if the last frame was accepted.
  package var isTaken = false
  /// Consecutive pushes with the same result.
  package var run: Run?

  package struct Run {
    package let result: CallResult
    /// Place among the rows of `events.csv`.
    package let row: Int
    package var frames: Int64 = 0
    /// Number of frames that the encoder dropped.
    package var dropped: Int64 = 0

    package init(result: CallResult, row: Int, frames: Int64 = 0, dropped: Int64 = 0) {
      self.result = result
      self.row = row
      self.frames = frames
      self.dropped = dropped
    }
  }

  package init(_ frames: CustomFrames, from start: SimTime, isStated: Bool) {
    self.frames = frames
    self.start = start
    self.isStated = isStated
  }

  /// Time of the next push, or of the one after the last.
  package var nextTime: SimTime { start + frames.offset(of: count) }

  package var isOver: Bool { frames.count.map { count >= $0 } ?? false }
}
