import Files
import TestSupport
import Testing

@Suite("Compressed tables")
struct StoredTableTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ pieces: [[UInt8]], _ name: String = "a.csv.gz") throws -> [UInt8] {
    let open = try OpenFile(creating: "\(folder.path)/\(name)")
    let file = CompressedFile(open, isCompressed: true)
    for piece in pieces { try file.write(piece) }
    try file.finish()
    try open.close()
    return try FileReader.bytes(of: "\(folder.path)/\(name)", limit: .max)
  }

  private func read(_ bytes: [UInt8], limit: Int = .max) throws(FileError) -> String {
    try WholeFile.write(bytes, to: "\(folder.path)/b.csv.gz")
    return String(decoding: try StoredTable.bytes(of: "\(folder.path)/b.csv.gz", limit: limit), as: UTF8.self)
  }

  private func problem(_ bytes: [UInt8], limit: Int = .max) -> String? {
    do throws(FileError) {
      _ = try read(bytes, limit: limit)
      return nil
    } catch {
      return error.cause
    }
  }

  /// Output of `printf 'a,b
  /// ' | gzip -n` with GNU gzip 1.12.
  private let small: [UInt8] = [
    0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b, 0xd4, 0x49, 0xe2, 2, 0, 0xc5, 0x10, 0x97, 0x24, 4, 0, 0, 0,
  ]

  @Test func whatAnotherProgramCompressedIsRead() throws {
    #expect(try read(small) == "a,b\n")
    // Concatenated files count as one.
    #expect(try read(small + small) == "a,b\na,b\n")
  }

  /// Larger than any buffer and incompressible, to cover every path through the buffers.
  @Test func whatIsWrittenIsReadAgain() throws {
    var state: UInt32 = 1
    let noise = (0..<300_000).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
    let text = Array(String(repeating: "r1,0.500,ann\n", count: 50_000).utf8)
    _ = try write([Array(text[..<7]), [], Array(text[7...]), noise])
    #expect(try StoredTable.bytes(of: "\(folder.path)/a.csv.gz", limit: .max) == text + noise)
  }

  /// The header contains neither time nor name nor system (RFC 1952, section 2.3).
  @Test func theSameBytesMakeTheSameFile() throws {
    let pieces = [Array("time_s,viewer\n".utf8), Array("1.000,ann\n".utf8)]
    let first = try write(pieces)
    #expect(first[..<10].elementsEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]))
    #expect(try write(pieces, "other.csv.gz") == first)
  }

  @Test func whatIsDamagedIsNotRead() {
    #expect(problem(Array(small.dropLast())) == "it ends too early: it was cut off")
    #expect(problem(Array(small.prefix(12))) == "it ends too early: it was cut off")
    #expect(problem([]) == "it ends too early: it was cut off")
    var wrong = small
    wrong[18] ^= 1
    #expect(problem(wrong) == "it is no gzip file, or a damaged one")
    #expect(problem(Array("a,b\n".utf8)) == "it is no gzip file, or a damaged one")
    #expect(problem(small + [0x61]) == "it ends too early: it was cut off")
  }

  /// A small file can expand to a large one.
  @Test func theLimitIsOfTheContent() throws {
    let file = try write([[UInt8](repeating: 0x61, count: 100_000)])
    #expect(file.count < 1000)
    #expect(problem(file, limit: 100_000) == nil)
    #expect(problem(file, limit: 99_999) == "it is larger than 99999 bytes")
  }

  @Test func aTableIsFoundBesideItsName() throws {
    let path = "\(folder.path)/a.csv"
    #expect(StoredTable.path(of: path) == path)
    try WholeFile.write(small, to: path + ".gz")
    #expect(StoredTable.path(of: path) == path + ".gz")
    try WholeFile.write([], to: path)
    #expect(StoredTable.path(of: path) == path)
    #expect(StoredTable.name(of: "a.csv") == "a.csv" && StoredTable.name(of: "a.csv.gz") == "a.csv")
    #expect(StoredTable.name(of: "a.json") == nil && StoredTable.name(of: "a.gz") == nil)
  }
}
