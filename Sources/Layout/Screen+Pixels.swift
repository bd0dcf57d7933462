package import Ladder

extension Screen {
  /// Converts a size in points to pixels, rounded; at least one.
  package func pixels(of points: Resolution) -> Resolution {
    Resolution(
      width: max(1, Int((Double(points.width) * scale).rounded())),
      height: max(1, Int((Double(points.height) * scale).rounded())))
  }

  /// Converts a size in pixels to points, rounded; at least one.
  package func points(of pixels: Resolution) -> Resolution {
    Resolution(
      width: max(1, Int((Double(pixels.width) / scale).rounded())),
      height: max(1, Int((Double(pixels.height) / scale).rounded())))
  }
}
