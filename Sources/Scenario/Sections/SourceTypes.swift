import JSON
import Ladder
import Media
import Parameters
import Plan
import Quantity
import Systems
import Vendors
import YAML

/// An encoding of a recording, with its name for messages.
struct NamedSize {
  var name: String
  var size: Resolution
  var node: Node

  /// Reads `{q: 320x180, h: 640x360}`, ordered by size.
  static func list(_ field: Field) -> [NamedSize]? {
    guard case .mapping(let mapping) = field.node, !mapping.isEmpty else {
      field.report("write a mapping from names to sizes, such as '{q: 320x180, h: 640x360}'")
      return nil
    }
    guard mapping.count <= RecordedFrames.encodingLimit else {
      field.report("there are \(mapping.count): a camera has at most \(RecordedFrames.encodingLimit)")
      return nil
    }
    var sizes: [NamedSize] = []
    for (key, value) in mapping {
      let name = key.string ?? ""
      guard Identifier.isValid(name) else {
        field.reading.report(key, "encoding '\(name)': \(Identifier.rule)")
        return nil
      }
      guard let size = Field(node: value, key: name, mapping: field.mapping).size() else { return nil }
      if let equal = sizes.first(where: { $0.size.pixels == size.pixels }) {
        field.at(value).report(
          "'\(name)' is as large as '\(equal.name)': viewers choose by size, so keep one of them")
        return nil
      }
      sizes.append(NamedSize(name: name, size: size, node: key))
    }
    return sizes.sorted { $0.size.pixels < $1.size.pixels }
  }
}

extension ValueType where Value == [NamedSize] {
  /// Encodings by name.
  static var encodings: Self {
    Self(
      Shape.names(to: .size).adding("minProperties", .integer(1))
        .adding("maxProperties", .integer(Int64(RecordedFrames.encodingLimit))), read: NamedSize.list)
  }
}

extension ValueType where Value == ByteCount {
  /// Bytes of a recorded frame in each packet.
  static var packet: Self {
    let range = RecordedFrames.packetRange
    return quantity(.byteCount, ByteCount.init(text:)) { size, _ in
      range.contains(Int(clamping: size.bytes))
        ? nil
        : "too \(size.bytes < range.lowerBound ? "small" : "large"): \(range.lowerBound) to \(range.upperBound) B "
          + "of a frame fit a packet"
    }
  }
}

extension ValueType where Value == Name {
  /// A ladder, which the reader looks up among those of all systems.
  static var ladder: Self {
    Self(.word(Catalogue.standard.systems.ladders.map(\.name)), read: ValueType<Name>.name.read)
  }
}

extension ValueType where Value == ScalabilityMode {
  /// A scalability mode, by its W3C name.
  static var scalabilityMode: Self {
    let names = ScalabilityMode.all.map(\.name)
    return Self(.word(names), text: { $0.name }) {
      $0.word(among: names).flatMap(ScalabilityMode.init(name:))
    }
  }
}

extension ValueType where Value == ContentComplexity {
  /// A name, or the bit rate that 720p30 would need without a limit.
  static var content: Self {
    Self(shape) { field in
      guard let text = field.text else { return nil }
      let named = ContentComplexity.named
      if let known = named.first(where: { $0.name == text }) { return known.content }
      guard text.contains(where: \.isNumber) else {
        let names = named.map(\.name).joined(separator: " nor ")
        field.report("'\(text)' is neither \(names) nor a rate such as '1800 kbps'")
        return nil
      }
      guard let rate = field.parse(text, BitRate.init(text:)) else { return nil }
      guard rate > .zero else {
        field.report("'\(text)' is too small: it is the bit rate of 720p at good quality")
        return nil
      }
      let most = ContentComplexity.uncompressed
      guard rate <= most else {
        field.report("'\(text)' is too large: 720p30 without compression takes \(most)")
        return nil
      }
      return ContentComplexity(ceiling: rate)
    }
  }

  private static var shape: Shape {
    .any(
      of: .word(ContentComplexity.named.map(\.name)),
      .quantity(.bitRate, "Bit rate of 720p at good quality, up to 331776 kbps.", examples: "700 kbps"))
  }
}
