import Quantity

/// Effect of a source's frame rate on its encodings; depends on the rates alone.
extension Encoding {
  /// Returns the frame rate at which the encoding runs [1/1000 Hz]: the source's, capped at the encoding's full rate.
  package func milliFramesPerSecond(of source: Int) -> Int { min(source, format.milliFramesPerSecond) }

  /// Returns the encoding's actual frame rate relative to its full one, 0 to 1.
  package func rateShare(of source: Int) -> Double {
    Double(milliFramesPerSecond(of: source)) / Double(max(format.milliFramesPerSecond, 1))
  }

  /// Returns the encoding as it runs at its source's frame rate.
  ///
  /// Temporal layers halve the rate at which the encoding runs, not its full rate: at 15 frames per second, the top
  /// layer yields 15 and the one below it 7.5. Frames keep their size in bits, so bit rates fall with the frame rate
  /// [our model].
  ///
  /// - Parameter source: frame rate of the source [1/1000 Hz], at least 0.
  package func running(at source: Int) -> Encoding {
    let share = rateShare(of: source)
    var encoding = self
    encoding.format.milliFramesPerSecond = milliFramesPerSecond(of: source)
    encoding.cumulativeBitrates = cumulativeBitrates.map { $0.scaled(by: share) }
    return encoding
  }
}

extension Ladder {
  /// Returns the ladder as it runs at its source's frame rate: a viewer gets the frames of the highest layer within
  /// the requested frame rate.
  package func running(at source: Int) -> Ladder {
    var ladder = self
    ladder.encodings = encodings.map { $0.running(at: source) }
    return ladder
  }
}
