import Quantity

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A value of a sweep variable.
package struct SweepValue: Hashable, Sendable {
  /// Kind of a value, determined from its text.
  package enum Kind: String, Hashable, Sendable {
    case rate, duration, share, size, number, flag, text

    /// Unit suffix of column names.
    package var suffix: String {
      switch self {
      case .rate: "_bps"
      case .duration: "_s"
      case .share: "_frac"
      case .size: "_bytes"
      case .number, .flag, .text: ""
      }
    }

    /// Example value, for messages.
    package var example: String {
      switch self {
      case .rate: "a bit rate such as '1 Mbps'"
      case .duration: "a time such as '20 ms'"
      case .share: "a share such as '2 %'"
      case .size: "a size such as '10 kB'"
      case .number: "a number such as '5'"
      case .flag: "true or false"
      case .text: "a text such as \"bluejeans\""
      }
    }
  }

  package var kind: Kind
  /// Numeric value in the kind's base unit (bit/s, s, 1, byte); `nil` for flags and texts.
  package var number: Double?
  /// Value for display.
  package var text: String
  /// Value as set in the scenario, in flow-style YAML.
  package var yaml: String
  /// Settings that the value stands for, used instead of setting it at the variable's paths.
  package var settings: [Override]?

  /// Creates a value from a text that determines its kind.
  package init(text: String, yaml: String? = nil) {
    self.text = text
    self.yaml = yaml ?? text
    if let rate = try? BitRate(text: text) {
      kind = .rate
      number = Double(rate.bitsPerSecond)
    } else if let duration = try? SimDuration(text: text) {
      kind = .duration
      number = duration.seconds
    } else if let share = try? Fraction(text: text) {
      kind = .share
      number = share.value
    } else if let size = try? ByteCount(text: text) {
      kind = .size
      number = Double(size.bytes)
    } else if let value = Double(text), value.isFinite {
      kind = .number
      number = value
    } else {
      kind = text == "true" || text == "false" ? .flag : .text
    }
  }

  /// Creates a quantity of `number` base units, rounded to a precision that scenarios can represent.
  package init(kind: Kind, number: Double) {
    switch kind {
    case .rate: self.init(text: "\(BitRate(bitsPerSecond: Int64(number.rounded())))")
    case .duration: self.init(text: "\(SimDuration(nanoseconds: Int64((number * 1e9).rounded())))")
    case .share: self.init(text: "\(Self.shortened(number * 100)) %")
    case .size: self.init(text: "\(Int64(number.rounded())) B")
    case .number, .flag, .text:
      let short = Self.shortened(number)
      self.init(text: short == short.rounded() && abs(short) < 1e15 ? "\(Int64(short))" : "\(short)")
    }
  }

  /// Rounds to nine significant digits, since logarithms may differ in the last bits between platforms.
  private static func shortened(_ number: Double) -> Double {
    guard number != 0, number.isFinite else { return number }
    var scale = 1.0
    while abs(number) * scale < 1e8, scale < 1e22 { scale *= 10 }
    return (number * scale).rounded() / scale
  }
}

/// A range of values.
package struct SweepRange: Hashable, Sendable {
  package enum Scale: String, CaseIterable, Hashable, Sendable { case linear, log }

  package var kind: SweepValue.Kind
  /// First value, in the kind's base unit.
  package var from: Double
  /// Last value, in the kind's base unit.
  package var to: Double
  package var scale: Scale

  /// Returns the value at a relative position in the range, 0 to 1.
  package func value(at share: Double) -> SweepValue {
    if share <= 0 { return SweepValue(kind: kind, number: from) }
    if share >= 1 { return SweepValue(kind: kind, number: to) }
    switch scale {
    case .linear: return SweepValue(kind: kind, number: from + (to - from) * share)
    case .log: return SweepValue(kind: kind, number: from * pow(to / from, share))
    }
  }
}

/// A variable of a sweep.
package struct SweepVariable: Hashable, Sendable {
  package var name: String
  /// Paths in the scenario at which the value is set, as for `run --set`.
  package var paths: [String]
  /// Values of a grid; empty for a range that is only sampled, and for points from a file.
  package var values: [SweepValue]
  /// Range from which samples are drawn, if any.
  package var range: SweepRange?
  /// Position of the declaration.
  package var position: FilePosition

  /// Returns the settings that assign a value to the variable.
  package func overrides(with value: SweepValue) -> [Override] {
    value.settings ?? paths.map { Override("\($0)=\(value.yaml)", origin: .file(position)) }
  }
}
