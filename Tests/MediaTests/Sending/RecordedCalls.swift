import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Tables of real calls, read beside the checkout if present: one row per second, columns by name.
struct RecordedCall {
  private let columns: [Substring]
  let rows: [[Substring]]

  static var isPresent: Bool { RecordedCall(named: "p2p-const-500") != nil }

  init?(named name: String) {
    // Beside the checkout, or beside the folder that contains several checkouts.
    let places = ["/../", "/../../"].flatMap { place in
      ["calls/", "calls-bad/"].map { Repository.root + place + "shared/" + $0 + name + ".csv" }
    }
    guard let file = places.lazy.compactMap({ fopen($0, "r") }).first else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count <= 0 { break }
      bytes.append(contentsOf: buffer[..<count])
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard let header = lines.first else { return nil }
    columns = header.split(separator: ",", omittingEmptySubsequences: false)
    rows = lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
  }

  /// Returns a column's numbers, `nil` for empty cells.
  func column(_ name: String) throws -> [Double?] {
    let index = try #require(columns.firstIndex { $0 == name })
    return rows.map { $0.indices.contains(index) ? Double($0[index]) : nil }
  }
}
