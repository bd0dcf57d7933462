extension Ladder {
  /// The picture sizes at which the encodings carry frames that an app makes itself, before any turn.
  ///
  /// Each encoding takes the largest even size of the frame's shape within its own size and never enlarges a frame; an
  /// encoding above the first that carries the frame as it is would be the same again, and is not made. Our
  /// model, after libwebrtc's `VideoStreamEncoder`, which scales down only.
  ///
  /// - Parameter frame: size of a pushed frame, above zero.
  /// - Returns: a size for each encoding; `nil` for one that is not made.
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
  /// The largest even size of the same shape, rounded down, within another size; at least 2x2.
  func fitted(into box: Resolution) -> Resolution {
    // Which side meets the box first, in integers.
    let isWide = width * box.height >= height * box.width
    let fittedWidth = isWide ? box.width : width * box.height / height
    let fittedHeight = isWide ? height * box.width / width : box.height
    return Resolution(width: max(2, fittedWidth / 2 * 2), height: max(2, fittedHeight / 2 * 2))
  }
}
