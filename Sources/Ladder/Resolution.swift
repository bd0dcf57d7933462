/// A frame size in pixels.
@frozen
public struct Resolution: Hashable, Sendable, BitwiseCopyable {
  /// Width [px], 1 to 16384.
  public var width: Int
  /// Height [px], 1 to 16384.
  public var height: Int

  /// Creates a size.
  @inlinable
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Width times height [px].
  @inlinable
  public var pixels: Int { width * height }

  /// Shorter side [px], the number in "720p", whichever way the camera is held.
  @inlinable
  public var lines: Int { min(width, height) }

  /// Size with width and height swapped.
  @inlinable
  public var rotated: Resolution { .init(width: height, height: width) }

  /// Set if the height exceeds the width.
  @inlinable
  public var isPortrait: Bool { height > width }

  /// Checks whether a picture has the lines of a request. Rules compare the shorter sides; two portrait pictures may
  /// also match by height, which is what results report.
  package func hasLines(of request: Resolution) -> Bool {
    lines >= request.lines || isPortrait && request.isPortrait && height >= request.height
  }

  /// Checks whether the size fits a box; a box of the other orientation is rotated first, like a phone's window.
  @inlinable
  public func fits(in box: Resolution) -> Bool {
    let turned = box.turned(like: self)
    return width <= turned.width && height <= turned.height
  }

  /// Returns the size, rotated if needed to match the orientation of another one, portrait or landscape.
  @inlinable
  public func turned(like other: Resolution) -> Resolution {
    isPortrait == other.isPortrait ? self : rotated
  }

  package static let p90 = Resolution(width: 160, height: 90)
  package static let p180 = Resolution(width: 320, height: 180)
  package static let p270 = Resolution(width: 480, height: 270)
  package static let p360 = Resolution(width: 640, height: 360)
  package static let p540 = Resolution(width: 960, height: 540)
  package static let p720 = Resolution(width: 1280, height: 720)
  package static let p1080 = Resolution(width: 1920, height: 1080)

  /// 16:9 sizes that are named by their height.
  package static let named: [(name: String, resolution: Resolution)] = [
    ("90p", p90), ("180p", p180), ("270p", p270), ("360p", p360), ("540p", p540), ("720p", p720),
    ("1080p", p1080),
  ]
}

extension Resolution: CustomStringConvertible {
  /// Name of the size if it has one, else `WIDTHxHEIGHT`.
  public var description: String {
    Resolution.named.first { $0.resolution == self }?.name ?? "\(width)x\(height)"
  }
}
