package import Quantity

/// Wanted and shown pixels of a tile over an interval; the only definition of its missing pixels.
///
/// Pixels or frames beyond those wanted do not count, and a single missing frame counts as shown, since it may fall on
/// either side of the interval's end. Against a request, pictures count by height, as the square of the lines, as if
/// all had the same shape.
package struct PixelShortfall: Hashable, Sendable {
  /// Wanted pixels [px x 1/1000 Hz x ns].
  package let wanted: Int128
  /// Shown pixels of those wanted, in the unit of ``wanted``.
  package let shown: Int128

  /// - Parameters:
  ///   - pixels: pixels of a whole picture [px].
  ///   - milliFrames: wanted frame rate [1/1000 Hz]; 0 if none is stated, so that any frame suffices.
  ///   - shown: pixels of the last picture [px]; 0 for none.
  ///   - frames: number of pictures shown.
  package init(pixels: Int, milliFrames: Int, shown: Int, frames: Int, over length: SimDuration) {
    let nanoseconds = Int128(length.nanoseconds)
    let isFullRate = frames > 0 && (Int128(frames) + 1) * Self.frame >= Int128(milliFrames) * nanoseconds
    let rate = Int128(max(milliFrames, 1)) * nanoseconds
    let shownRate = isFullRate ? rate : min(rate, Int128(frames) * Self.frame)
    wanted = Int128(pixels) * rate
    self.shown = Int128(min(shown, pixels)) * shownRate
  }

  /// - Parameters:
  ///   - requestedHeight: requested height [px].
  ///   - requestedMilliFrames: requested frame rate [1/1000 Hz]; 0 if none is stated, so that any frame suffices.
  ///   - height: height of the last picture [px]; 0 for none.
  ///   - frames: number of pictures shown.
  package init(
    requestedHeight: Int, requestedMilliFrames: Int, height: Int, frames: Int, over length: SimDuration
  ) {
    self.init(
      pixels: requestedHeight * requestedHeight, milliFrames: requestedMilliFrames, shown: height * height,
      frames: frames, over: length)
  }

  /// Creates the shortfall from values of `streams.csv`: heights [px], frame rates [Hz] and the interval's length [s].
  package init(
    requestedHeight: Double, requestedRate: Double, height: Double, rate: Double, seconds: Double
  ) {
    self.init(
      requestedHeight: Int(requestedHeight), requestedMilliFrames: Int((requestedRate * 1000).rounded()),
      height: Int(height), frames: Int((rate * seconds).rounded()),
      over: SimDuration(nanoseconds: Int64((seconds * 1e9).rounded())))
  }

  package var missing: Int128 { wanted - shown }

  /// One frame per second for one second [1/1000 Hz x ns].
  private static let frame: Int128 = 1_000_000_000_000
}
