import JSON
import Ladder
import Layout
import Plan
import Quantity
import Systems
import Vendors
import YAML

/// A screen size in points, with the pixels per point if stated.
struct StatedScreen {
  var width: Double
  var height: Double
  var scale: Double?

  func screen(scale standard: Double = 1) -> Screen {
    Screen(width: width, height: height, scale: scale ?? standard)
  }
}

extension ValueType where Value == StatedScreen {
  /// `390x844` or `390x844@3`.
  static var screen: Self {
    Self(.screen) { field in
      guard let text = field.text else { return nil }
      let parts = text.split(separator: "@", omittingEmptySubsequences: false)
      let sides = parts[0].split(separator: "x", omittingEmptySubsequences: false)
      let scale = parts.count == 2 ? Double(plain: parts[1]) : nil
      guard sides.count == 2, let width = Double(plain: sides[0]), let height = Double(plain: sides[1]),
        parts.count == 1 || parts.count == 2 && scale != nil, (100...10_000).contains(width),
        (100...10_000).contains(height), (1...4).contains(scale ?? 1)
      else {
        field.report("'\(text)' is not a size in points such as '390x844@3'")
        return nil
      }
      return StatedScreen(width: width, height: height, scale: scale)
    }
  }
}

extension ValueType where Value == String {
  /// A client's grid; the message on rows and columns suggests tiles on pages.
  static var grid: Self {
    let type = ValueType.word { $0.systems.grids.map(\.name) }
    return Self(type.shape) { field in
      let sides = field.node.string?.split(separator: "x").compactMap { Int(plain: $0) } ?? []
      guard sides.count == 2, sides.allSatisfy((1...100).contains) else { return type.read(field) }
      let pages = ViewSection.pages(of: sides[0] * sides[1])
      field.report("'\(sides[0])x\(sides[1])' is no client's grid: write '\(pages)' in place of 'grid'")
      return nil
    }
  }
}

extension ViewSection {
  /// Writes a view of everybody with a number of tiles on a page.
  static func pages(of tiles: Int) -> String { "everybody: 320x180, per-page: \(tiles)" }
}

extension ValueType where Value == Int {
  /// Number of a page, or of tiles on a page.
  static var page: Self { .integer(1...10_000) }
}

extension ValueType where Value == Bool {
  /// Stream type of a dual-stream system; `true` for the low one.
  static var lowStream: Self { .either(("high", false), or: ("low", true)) }
}

extension ValueType where Value == Name {
  /// Participant in a picture-in-picture window, or `@automatic`.
  static var windowSubject: Self {
    Self(
      Shape.anyText.adding("pattern", .text("^([^@].*|@automatic)?$")).ofType(
        "participant's id, or @automatic"
      ).described("Participant shown in the window, or @automatic.").examples(.text("@automatic")),
      read: ValueType<Name>.name.read)
  }

  /// Quality of a requested stream.
  static var quality: Self { Self(.quality, read: ValueType<Name>.name.read) }
}

extension ValueType where Value == StreamPreference.Size {
  static var preferredSize: Self {
    Self(.any(of: .word(["auto", "none"]), .size)) { field in
      switch field.node.string {
      case "none": .any
      case "auto": .tile
      default: field.size(or: "'auto', nor 'none'").map { .atMost($0) }
      }
    }
  }
}

extension ValueType where Value == RateLimit {
  /// A bit rate, or none for no limit.
  static var rateLimit: Self {
    Self(.any(of: .word(["none"]), ValueType<BitRate>.rate.shape)) { field in
      field.node.string == "none" ? .unlimited : ValueType<BitRate>.rate.read(field).map { RateLimit($0) }
    }
  }
}

extension ValueType where Value == StreamPreference.Rate {
  /// A frame rate that a subscriber can prefer, as the SDK names them.
  static var preferredRate: Self {
    let rates = [30, 15, 7, 1]
    return Self(
      Shape([("enum", .list(rates.map { .integer(Int64($0)) } + [.text("none")]))])
    ) { field in
      guard let text = field.text else { return nil }
      if text == "none" { return .any }
      guard let plain = field.plainText else { return nil }
      if let rate = rates.first(where: { "\($0)" == plain }) { return .atMost(rate * 1000) }
      field.report("'\(text)' is not one of \(rates.map { "\($0)" }.joined(separator: ", ")), none")
      return nil
    }
  }
}
