import Files

/// Rows of a table of samples, with columns found by name.
struct GetStatsRows {
  /// Position of a column in the table.
  struct Place {
    var field: Int
    /// Factor from the column's unit to ours.
    var factor: Double
    /// Maximum value in our unit.
    var most: Double
    /// Indicates a time in a column whose name does not state the unit.
    var isOfUnknownUnit = false
  }

  /// Maximum sampling interval in seconds; larger values are in milliseconds.
  private static let longestSeconds = 30.0

  private let path: String
  private let header: [String]
  private var reader: CSVReader
  /// Indicates fields not separated by commas, so that numbers may have a decimal comma.
  private let hasDecimalComma: Bool

  init(_ whole: [UInt8], path: String) throws(CallRecordError) {
    self.path = path
    let bytes = whole.hasByteOrderMark ? [UInt8](whole.dropFirst(3)) : whole
    // Decided by the header, since column names have no commas, semicolons or tabs.
    let separator = bytes.first { [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09, 0x0a].contains($0) }
    hasDecimalComma = [UInt8(ascii: ";"), 0x09].contains(separator)
    reader = CSVReader(bytes, separator: hasDecimalComma ? separator ?? 0x09 : UInt8(ascii: ","))
    do throws(CSVError) {
      header = try reader.record() ?? []
    } catch {
      throw CallRecordError(path: path, line: error.line, text: error.description)
    }
    guard !header.isEmpty else { throw CallRecordError(path: path, text: "the file is empty") }
  }

  // MARK: Columns

  /// Finds a column and its factor; `nil` if the table has none.
  ///
  /// - Throws: ``CallRecordError`` if several columns have the name, such as one for audio and one for video.
  func place(of column: GetStatsTable.Column) throws(CallRecordError) -> Place? {
    for (name, factor) in column.names {
      if let field = header.firstIndex(of: name) { return place(field, name, factor, column) }
    }
    for (name, factor) in column.names where name.count > 2 {
      var fields = header.indices.filter { Self.plain(header[$0]) == Self.plain(name) }
      if fields.count > 1 {
        let videos = fields.filter { header[$0].lowercased().contains("video") }
        guard videos.count == 1 else {
          let found = fields.map { "'\(header[$0])'" }.joined(separator: " and ")
          throw error("\(found) are all '\(name)': keep the one of the video")
        }
        fields = videos
      }
      if let field = fields.first { return place(field, name, factor, column) }
    }
    return nil
  }

  private func place(_ field: Int, _ name: String, _ factor: Double, _ column: GetStatsTable.Column) -> Place
  {
    let isOfUnknownUnit = ["timestamp", "time", "ts", "date", "datetime"].contains(name)
    return Place(field: field, factor: factor, most: column.most, isOfUnknownUnit: isOfUnknownUnit)
  }

  /// Name without its object prefix, case and separators.
  private static func plain(_ name: String) -> String {
    let last = name.split { ".:/".contains($0) }.last.map(String.init) ?? name
    return last.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  func require(_ column: GetStatsTable.Column) throws(CallRecordError) -> Place {
    guard let place = try place(of: column) else {
      throw error("there is no column '\(column.names.prefix(2).map(\.name).joined(separator: "' or '"))'")
    }
    return place
  }

  mutating func next() throws(CallRecordError) -> Bool {
    do throws(CSVError) {
      guard try reader.next() else { return false }
    } catch {
      throw CallRecordError(path: path, line: error.line, text: error.description)
    }
    guard reader.fieldCount == header.count else {
      throw error("\(reader.fieldCount) fields where the header has \(header.count)")
    }
    return true
  }

  // MARK: Values

  private func text(_ field: Int) -> String? {
    let bytes = reader.raw(field).drop { $0 == 0x20 }
    guard let end = bytes.lastIndex(where: { $0 != 0x20 }) else { return nil }
    let text = String(decoding: bytes[...end], as: UTF8.self)
    return FieldText.isAbsent(text) ? nil : text
  }

  /// Parses a field in our unit; `nil` for a missing column or an empty field.
  func number(_ place: Place?) throws(CallRecordError) -> Double? {
    guard let place, let text = text(place.field) else { return nil }
    guard let value = FieldText.number(text, hasDecimalComma: hasDecimalComma) else {
      throw error("\(header[place.field]): '\(text)' is not a number")
    }
    let name = header[place.field]
    // Browsers count duplicates as negative losses.
    let isLost = ["lost", "packetslost"].contains(Self.plain(name))
    guard ((isLost ? -place.most : 0)...place.most).contains(value * place.factor) else {
      throw error("\(name): '\(text)' is out of range: from 0 to \(Int(place.most / place.factor))")
    }
    return value * place.factor
  }

  /// Parses a time [s], or in the column's unknown unit; times since 1970 are recognized by their magnitude.
  func time(_ place: Place, after last: Double?) throws(CallRecordError) -> Double {
    guard let text = text(place.field) else { throw error("\(header[place.field]) has no value") }
    let now: Double
    if let date = ISOTime.milliseconds(text) {
      now = date / 1000
    } else {
      guard let value = try number(place) else { throw error("\(header[place.field]) has no value") }
      let raw = value / place.factor
      now = raw > 1e8 ? StatsReports.milliseconds(raw) / 1000 : value
    }
    // Equal ones are closer than the shortest interval between samples.
    guard let last, now < last else { return now }
    throw error("time \(now) s after \(last) s: sort the rows by time")
  }

  /// Factor to seconds for times in an unknown unit.
  static func seconds(_ times: [Double]) -> Double {
    guard times.count > 1, (times.last ?? 0) < 1e8 else { return 1 }
    return CapacityCourse.median(zip(times, times.dropFirst()).map { $1 - $0 }) <= longestSeconds ? 1 : 0.001
  }

  func error(_ text: String) -> CallRecordError {
    CallRecordError(path: path, line: reader.line, text: text)
  }

  // MARK: Statistics objects

  /// Indicates a table with one row per statistics object.
  var isOfObjects: Bool { header.contains("type") && (header.contains("id") || header.contains("ssrc")) }

  /// Reads the rows as statistics objects.
  mutating func objects() throws(CallRecordError) -> StatsLog {
    guard let type = header.firstIndex(of: "type") else { return StatsLog(format: "a table") }
    let time = try require(.time)
    let id = header.firstIndex(of: "id") ?? header.firstIndex(of: "ssrc") ?? type
    let connection = header.firstIndex {
      ["pcid", "peerconnectionid", "connectionid", "pc"].contains(Self.plain($0))
    }
    var reports = StatsReports()
    while try next() {
      guard let name = text(type), let kind = StatsReports.type(name, id: text(id) ?? "") else { continue }
      let now = try self.time(time, after: nil)
      let members = header.indices.compactMap { field in
        text(field).map { (name: header[field], value: value($0)) }
      }
      let object = header[id] == "id" ? text(id) ?? kind : "\(kind) \(text(id) ?? "")"
      reports.add(
        members, of: object, kind, to: connection.flatMap(text) ?? "",
        at: now > 1e8 ? now * 1000 : now)
    }
    return reports.log(format: "a table of getStats() objects")
  }

  private func value(_ text: String) -> StatsValue {
    switch text {
    case "true", "True", "TRUE": .flag(true)
    case "false", "False", "FALSE": .flag(false)
    default: FieldText.number(text, hasDecimalComma: hasDecimalComma).map(StatsValue.number) ?? .text(text)
    }
  }
}
