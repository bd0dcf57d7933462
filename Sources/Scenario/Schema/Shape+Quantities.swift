import JSON
import Ladder
package import Quantity

/// Shapes of values with a unit, and of sizes.
extension Shape {
  /// Shape of a value with a unit; the description lists the units.
  package static func quantity(_ kind: QuantityKind, _ sentence: String, examples: String...) -> Shape {
    quantity(kind).described("\(sentence) Units: \(kind.unitList).").adding("examples", .words(examples))
  }

  /// Shape of a value with a unit, without a description.
  static func quantity(_ kind: QuantityKind) -> Shape {
    text(kind.pattern).ofType("\(kind.name) (\(kind.unitList))")
  }

  /// Shape of a size in pixels, or a named size.
  static let size = text("^(\(sizeNames)|(\(side))x(\(side)))$")
    .described("Width and height in pixels (16 to 8192), or the name of a 16:9 size.")
    .examples(.text("640x360"), .text("360p")).ofType("size in pixels")

  /// Shape of a size in points, or a named size.
  static let points = text("^(\(sizeNames)|(\(side))x(\(side)))$")
    .described("Width and height in points (16 to 8192), or the name of a 16:9 size.")
    .examples(.text("320x180"), .text("180p")).ofType("size in points")

  /// Shape of a size with a frame rate.
  static let format = text("^\(formatPattern)$")
    .described("Frame size and frame rate (1 to 120): 720p30, 360p7.5 or 640x360@15.")
    .examples(.text("720p30"), .text("180p15"), .text("640x360@15")).ofType("size and frame rate")

  /// Shape of a capture format.
  static let capture = text("^((\(sizeNames))|(\(side))x(\(side))@)(\(captureRate))$")
    .described("Captured size and frame rate (1 to 60): 720p30, 720x1280@24.")
    .examples(.text("720p30"), .text("640x360@15")).ofType("size and frame rate")

  /// Shape of a format, or of the SDK's name for one.
  static let quality = text("^(\(formatPattern)|r(\(sizeNames))_?(\(rate))fps)$").described(
    "Requested quality, such as 720p30 or, as in the SDK, r720p_30fps; under bluejeans one of its twelve: 90p3, 90p7, 90p15, "
      + "and 180p, 360p and 720p at 7, 15 or 30."
  ).examples(.text("720p30"), .text("r360p_15fps")).ofType("size and frame rate")

  /// Shape of a display size in points, with optional pixels per point.
  static let screen = text(
    "^(\(screenSide))x(\(screenSide))(@([1-3](\\.[0-9]+)?|4(\\.0+)?))?$"
  ).described(
    "The display: width and height in points (100 to 10000) and, after @, pixels per point (1 to 4; 1 if not stated). By "
      + "default 390x844@3 for a grid or a container; elsewhere a point is a pixel."
  ).examples(.text("390x844@3"), .text("1280x720")).ofType("size in points, with pixels per point")

  /// Shape of an expectation's condition.
  package static let bound = text(
    "^ *(>=|<=|>|<|==) +[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?"
      + "(p| (px|fps|Hz|MB)| *(ns|us|µs|ms|s|min|h|bps|kbps|Mbps|Gbps|%))? *$"
  ).described(
    "Condition on the value: a relation (>=, <=, >, <, ==), a space, a number in the metric's unit, which may be written."
  ).examples(.text(">= 720"), .text("<= 0.5"), .text("<= 500 ms")).ofType("condition")

  private static let sizeNames = Resolution.named.map(\.name).joined(separator: "|")
  /// Pattern of integers from 16 to 8192.
  private static let side = "1[6-9]|[2-9][0-9]|[1-9][0-9]{2}|[1-7][0-9]{3}|80[0-9]{2}|81[0-8][0-9]|819[0-2]"
  /// Pattern of numbers from 1 to 120.
  private static let rate = "([1-9][0-9]?|1[01][0-9])(\\.[0-9]+)?|120(\\.0+)?"
  /// Pattern of numbers from 1 to 60.
  private static let captureRate = "([1-9]|[1-5][0-9])(\\.[0-9]+)?|60(\\.0+)?"
  /// Pattern of numbers from 100 to 10000.
  private static let screenSide = "[1-9][0-9]{2,3}(\\.[0-9]+)?|10000(\\.0+)?"
  private static let formatPattern = "((\(sizeNames))|(\(side))x(\(side))@)(\(rate))"
}

extension QuantityKind {
  /// Name of the quantity, in words.
  fileprivate var name: String {
    switch self {
    case .duration: "time"
    case .bitRate: "bit rate"
    case .byteCount: "amount of data"
    case .fraction: "share"
    }
  }
}
