import Files
import Ladder
import Plan
import Quantity
import YAML

/// Cameras that play an encoder's recording: `publish: {camera: {frames: …}}`.
extension PlanBuilder {
  /// Keys of a camera that captures.
  private static let captureKeys = [
    "capture", "ladder", "low", "maximum", "minimum", "content", "degradation",
  ]

  /// Reads a camera's `frames`.
  func readRecordedCamera(_ node: Node, _ camera: Fields) -> VideoSourcePlan? {
    for key in Self.captureKeys where camera.take(key) != nil {
      camera.report(
        camera.key(key),
        "\(key): recorded frames have their sizes and rates from their table: remove '\(key)', or 'frames'")
    }
    let startsOn = camera.flag("on")
    guard let own = Fields(node, "frames of \(camera.subject)", reading) else { return nil }
    defer { own.finish() }
    let file = own.require("file", example: "frames.csv")
    let fps = own.require("fps", example: "30").flatMap { _ in
      own.number("fps", in: 1...Double(Self.captureLimit))
    }
    let sizes = own.require("encodings", example: "{q: 320x180}").flatMap { readEncodings($0, own) }
    let packetBytes = readPacketBytes(own) ?? RecordedFrames.usualPacketBytes
    let start = own.integer("start", in: 0...Self.startLimit) ?? 0
    guard let file, let path = own.text(of: file, "file"), let table = frameTable(path, file, own),
      let fps, let sizes, let columns = columns(of: sizes, in: table, path, own)
    else { return nil }
    guard start < table.count else {
      own.report(
        own.take("start"),
        "start: \(start) is beyond the table's last row: '\(path)' has \(table.count) frames, the first is 0")
      return nil
    }
    let recording = RecordedFrames(table, columns: columns, start: start, packetBytes: packetBytes)
    let milliFrames = Int((fps * 1000).rounded())
    let ladder = recording.ladder(sizes.map(\.size), milliFramesPerSecond: milliFrames)
    guard let top = sizes.last else { return nil }
    var source = VideoSourcePlan(
      kind: .camera, capture: VideoFormat(top.size, milliFramesPerSecond: milliFrames), ladder: ladder,
      startsOn: startsOn ?? true)
    source.recordedFrames = recording
    return source
  }

  /// Largest start row: a table cannot have more rows than its file may have bytes.
  static let startLimit = FileReader.traceLimit

  /// An encoding with the name used in the scenario.
  private typealias NamedSize = (name: String, size: Resolution, node: Node)

  /// Reads `{q: 320x180, h: 640x360}` and orders the encodings by size.
  private func readEncodings(_ node: Node, _ fields: Fields) -> [NamedSize]? {
    guard case .mapping(let mapping) = node, !mapping.isEmpty else {
      fields.report(
        node, "encodings: write a mapping from names to sizes, such as '{q: 320x180, h: 640x360}'")
      return nil
    }
    guard mapping.count <= RecordedFrames.encodingLimit else {
      fields.report(
        node, "encodings: there are \(mapping.count): a camera has at most \(RecordedFrames.encodingLimit)")
      return nil
    }
    var sizes: [NamedSize] = []
    for (key, value) in mapping {
      let name = key.string ?? ""
      guard Self.isIdentifier(name) else {
        fields.report(key, "encoding '\(name)': \(Self.identifierRule)")
        return nil
      }
      guard let size = readSize(value, name, fields) else { return nil }
      if let equal = sizes.first(where: { $0.size.pixels == size.pixels }) {
        fields.report(
          value,
          "encodings: '\(name)' is as large as '\(equal.name)': viewers choose by size, so keep one of them")
        return nil
      }
      sizes.append((name, size, key))
    }
    return sizes.sorted { $0.size.pixels < $1.size.pixels }
  }

  private func readPacketBytes(_ fields: Fields) -> Int? {
    guard let node = fields.take("packet"), let text = fields.text(of: node, "packet"),
      let size = fields.parse(node, "packet", text, ByteCount.init(text:))
    else { return nil }
    let range = RecordedFrames.packetRange
    guard range.contains(Int(size.bytes)) else {
      fields.report(
        node,
        "packet: '\(text)' is too \(size.bytes < range.lowerBound ? "small" : "large"): "
          + "\(range.lowerBound) to \(range.upperBound) B of a frame fit a packet")
      return nil
    }
    return Int(size.bytes)
  }

  /// Reads the table of a file, each file once; an error in the table is reported at its position there.
  private func frameTable(_ path: String, _ node: Node, _ fields: Fields) -> FrameTable? {
    if let known = frameTables[path] { return known }
    frameTables[path] = .some(nil)
    let full = path.hasPrefix("/") ? path : reading.directory + path
    do {
      let bytes = try FileReader.bytes(of: full, limit: FileReader.traceLimit)
      let table = try FrameTableReader.table(of: bytes)
      if !traces.contains(where: { $0.path == path }) { traces.append((path, bytes)) }
      frameTables[path] = table
      return table
    } catch let error as FrameTableError {
      reading.report(FilePosition(file: full, line: error.line, column: error.column), error.message)
    } catch {
      fields.report(node, "file: \(error)")
    }
    return nil
  }

  /// Returns the columns of the encodings; `nil` unless encodings and columns correspond one to one.
  private func columns(
    of sizes: [NamedSize], in table: FrameTable, _ path: String, _ fields: Fields
  ) -> [Int]? {
    let columns = sizes.map { table.encodings.firstIndex(of: $0.name) }
    for (size, column) in zip(sizes, columns) where column == nil {
      let known = table.encodings.joined(separator: ", ")
      fields.report(
        size.node, "encodings: '\(path)' has no column '\(size.name)_bytes': its encodings are \(known)")
    }
    for name in table.encodings where !sizes.contains(where: { $0.name == name }) {
      fields.report(
        fields.take("encodings"),
        "encodings: '\(path)' has a column '\(name)_bytes' too: add '\(name)' with its size, or remove the column"
      )
    }
    let found = columns.compactMap { $0 }
    return found.count == table.encodings.count && found.count == sizes.count ? found : nil
  }
}
