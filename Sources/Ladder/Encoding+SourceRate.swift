import Quantity

/// What a source's frame rate makes of its encodings: functions of the rates alone.
extension Encoding {
  /// The frame rate at which it runs [1/1000 Hz]: the source's, at most its own.
  package func milliFramesPerSecond(of source: Int) -> Int { min(source, format.milliFramesPerSecond) }

  /// The share of its full frame rate at which it runs, 0 to 1.
  package func rateShare(of source: Int) -> Double {
    Double(milliFramesPerSecond(of: source)) / Double(max(format.milliFramesPerSecond, 1))
  }

  /// The encoding as its source makes it run.
  ///
  /// Temporal layers halve the rate at which it runs, not its full rate: of 15 frames per second the top layer yields 15
  /// and the one below 7.5. Every frame keeps its size, so bit rates fall with the frame rate [our model].
  ///
  /// - Parameter source: frames per second of the source [1/1000 Hz], at least 0.
  package func running(at source: Int) -> Encoding {
    let share = rateShare(of: source)
    var encoding = self
    encoding.format.milliFramesPerSecond = milliFramesPerSecond(of: source)
    encoding.cumulativeBitrates = cumulativeBitrates.map { $0.scaled(by: share) }
    return encoding
  }
}

extension Ladder {
  /// The ladder as its source makes it run: the highest layer within a requested frame rate is the one whose frames a
  /// viewer gets.
  package func running(at source: Int) -> Ladder {
    Ladder(encodings: encodings.map { $0.running(at: source) }, lowStream: lowStream)
  }
}
