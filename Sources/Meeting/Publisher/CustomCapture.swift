import Ladder
import Media
import Quantity
import SimulationKernel
import Systems

/// Frames that an app makes itself, at the client that takes them.
struct CustomCapture {
  let rules: CustomSourceRules
  /// The change of source that is under way.
  var change: SourceChange?
  /// What the app pushes by itself.
  var loop: PushLoop?
  /// The encoder's limit.
  var intake: FrameIntake
  /// When frames were taken that the app pushed singly, over the last second.
  var singles: [SimTime] = []
  /// Frames per second that are pushed and taken now [1/1000 Hz].
  var milliFramesPerSecond = 0
  /// Size of the frames before orientation; `nil` before the first.
  var frame: Resolution?
  var isTurned = false

  init(_ rules: CustomSourceRules) {
    self.rules = rules
    intake = FrameIntake(milliFramesPerSecond: rules.framesPerSecond * 1000)
  }

  /// Frames per second of an app's loop that lasts [1/1000 Hz]; 0 without one.
  var steadyRate: Int { loop?.frames.steadyRate ?? 0 }

  /// Takes nothing any more that is pushed.
  mutating func refuse() {
    loop?.isTaken = false
    singles = []
  }

  /// Follows what is pushed: the rate of the app's loop, and single frames by how many were taken over the last second.
  ///
  /// - Returns: whether the rate has changed.
  mutating func followRate(at now: SimTime) -> Bool {
    if !singles.isEmpty { singles.removeAll { now - $0 >= .seconds(1) } }
    let looped = loop.map { $0.isTaken ? $0.frames.milliFramesPerSecond : 0 } ?? 0
    let rate = min(looped + singles.count * 1000, rules.framesPerSecond * 1000)
    guard rate != milliFramesPerSecond else { return false }
    milliFramesPerSecond = rate
    return true
  }
}

/// A change between camera and custom frames that has been called for.
struct SourceChange {
  let kind: VideoSourcePlan.Kind
  let completesAt: SimTime
}

/// An app that pushes frame after frame.
struct PushLoop {
  let frames: CustomFrames
  let start: SimTime
  /// Whether it is what the source states, and ends with its participant's call.
  let isStated: Bool
  /// Frames pushed so far.
  var count: Int64 = 0
  /// When the next one is due.
  var next: EventHandle?
  /// Whether the last one was taken.
  var isTaken = false
  /// Consecutive pushes with the same result.
  var run: Run?

  struct Run {
    let result: CallResult
    /// Its place among the rows of `events.csv`.
    let row: Int
    var frames: Int64 = 0
    /// How many the encoder did not take in.
    var dropped: Int64 = 0
  }

  init(_ frames: CustomFrames, from start: SimTime, isStated: Bool) {
    self.frames = frames
    self.start = start
    self.isStated = isStated
  }

  /// When the next frame is pushed, or would be if there were one more.
  var nextTime: SimTime { start + frames.offset(of: count) }

  var isOver: Bool { frames.count.map { count >= $0 } ?? false }
}
