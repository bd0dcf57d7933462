package import Quantity

/// What a tile was asked to show over an interval and what it showed of that, in pixels: the only definition of what is
/// missing of it.
///
/// Pictures count by their height, as if all had one shape: the square of the lines, times frames. More lines or frames
/// than were asked for count for nothing, and one frame too few for none missing: it may fall on either side of the
/// interval's end.
package struct PixelShortfall: Hashable, Sendable {
  /// [px² x 1/1000 Hz x ns]
  package let wanted: Int128
  package let shown: Int128

  /// - Parameters:
  ///   - requestedHeight: [px]
  ///   - requestedMilliFrames: [1/1000 Hz]; 0 where none is stated, so that any frame will do.
  ///   - height: of the last picture [px]; 0 for none.
  ///   - frames: pictures that were shown.
  package init(
    requestedHeight: Int, requestedMilliFrames: Int, height: Int, frames: Int, over length: SimDuration
  ) {
    let nanoseconds = Int128(length.nanoseconds)
    let asked = Int128(requestedMilliFrames) * nanoseconds
    let isFullRate = frames > 0 && (Int128(frames) + 1) * Self.frame >= asked
    let rate = Int128(max(requestedMilliFrames, 1)) * nanoseconds
    let shownRate = isFullRate ? rate : min(rate, Int128(frames) * Self.frame)
    let lines = Int128(min(height, requestedHeight))
    wanted = Int128(requestedHeight) * Int128(requestedHeight) * rate
    shown = lines * lines * shownRate
  }

  /// The same of what `streams.csv` has: heights [px], frame rates [Hz] and the length of the interval.
  package init(
    requestedHeight: Double, requestedRate: Double, height: Double, rate: Double, seconds: Double
  ) {
    self.init(
      requestedHeight: Int(requestedHeight), requestedMilliFrames: Int((requestedRate * 1000).rounded()),
      height: Int(height), frames: Int((rate * seconds).rounded()),
      over: SimDuration(nanoseconds: Int64((seconds * 1e9).rounded())))
  }

  package var missing: Int128 { wanted - shown }

  /// One frame [1/1000 Hz x ns].
  private static let frame: Int128 = 1_000_000_000_000
}
