extension Ladder {
  /// The frame sizes at which the encodings send frames pushed by an app (custom video source), before rotation.
  ///
  /// Each encoding uses the largest even size of the frame's aspect ratio within its own size and never upscales;
  /// encodings above the first that sends the frame unscaled would duplicate it and stay off. Our model, after
  /// libwebrtc's `VideoStreamEncoder`, which only downscales.
  ///
  /// - Parameter frame: size of a pushed frame, above zero.
  /// - Returns: a size per encoding; `nil` for one that stays off.
  package func sizes(carrying frame: Resolution) -> [Resolution?] {
    var isWhole = false
    return encodings.map { encoding in
      guard !isWhole else { return nil }
      let box = encoding.format.resolution
      isWhole = frame.width <= box.width && frame.height <= box.height
      return isWhole ? frame : frame.fitted(into: box)
    }
  }
}

extension Resolution {
  /// The largest even size of the same aspect ratio within another size, rounded down; at least 2x2.
  func fitted(into box: Resolution) -> Resolution {
    // Whether the width is the limiting side, in integers.
    let isWide = width * box.height >= height * box.width
    let fittedWidth = isWide ? box.width : width * box.height / height
    let fittedHeight = isWide ? height * box.width / width : box.height
    return Resolution(width: max(2, fittedWidth / 2 * 2), height: max(2, fittedHeight / 2 * 2))
  }
}
