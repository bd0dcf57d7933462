import Quantity

/// Longest time without a new frame or packet at one point of the path.
struct FrameStage {
  var count: UInt32?
  var last: SimTime
  var silence: (from: SimTime, to: SimTime)

  init() {
    last = .zero
    silence = (.zero, .zero)
  }

  mutating func note(_ count: UInt32, at now: SimTime) {
    guard count != self.count else { return }
    close(at: now)
    self.count = count
    last = now
  }

  mutating func close(at now: SimTime) {
    if now - last > silence.to - silence.from { silence = (last, now) }
  }

  /// - Parameter isRunning: `false` if the stage has been silent for another reason until now.
  mutating func begin(isRunning: Bool = true, at now: SimTime) {
    if !isRunning { last = now }
    silence = (last, last)
  }
}
