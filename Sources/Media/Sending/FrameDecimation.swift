/// Even selection of captured frames for an encoding of a lower frame rate.
///
/// Of `captured` frames per second, a frame is kept whenever the count at the kept rate reaches another whole number:
/// for 15 fps, every second frame of 30 fps, or five out of eight frames of 24 fps. The first frame is kept.
package struct FrameDecimation: Hashable, Sendable, BitwiseCopyable {
  /// Frame rate of the capture [1/1000 Hz].
  private let captured: Int64
  /// Frame rate of the kept frames [1/1000 Hz].
  private let kept: Int64

  /// - Parameters:
  ///   - captured: frame rate of the capture [1/1000 Hz], above 0.
  ///   - limit: frame rate of the encoding [1/1000 Hz], above 0; all frames are kept if it is not lower.
  package init(captured: Int, limit: Int) {
    self.captured = Int64(captured)
    kept = Int64(min(captured, limit))
  }

  /// Checks whether the encoding takes a captured frame, counted from 0.
  package func keeps(_ frame: Int64) -> Bool { frame % captured * kept % captured < kept }
}
