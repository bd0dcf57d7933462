import Files
import Metrics
import Statistics
import Testing

/// The fields of every record.
private func records(_ text: String) throws(CSVError) -> [[String]] {
  var reader = CSVReader(Array(text.utf8))
  var records: [[String]] = []
  while try reader.next() {
    var fields: [String] = []
    for field in 0..<reader.fieldCount { fields.append(try reader.text(field)) }
    records.append(fields)
  }
  return records
}

@Suite("Reading RFC 4180")
struct CSVReaderTests {
  @Test(arguments: [
    ("", []), ("\n\r\n", []), ("\u{FEFF}", []), ("\u{FEFF}a,b\n", [["a", "b"]]),
    ("\u{FEFF}\"a\",b\n", [["a", "b"]]), ("a\n\u{FEFF}b", [["a"], ["\u{FEFF}b"]]), ("a", [["a"]]),
    ("a\n", [["a"]]),
    ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
    (",\n", [["", ""]]), ("a,\n\n,b", [["a", ""], ["", "b"]]), ("\"\"", [[""]]),
    ("\"a,b\",\"c\"\"d\"\n", [["a,b", "c\"d"]]),
    ("\"two\nlines\",x\ny,z", [["two\nlines", "x"], ["y", "z"]]),
    ("\"\"\"\"\"\",é", [["\"\"", "é"]]), ("a\"b,c", [["a\"b", "c"]]),
  ])
  func recordsAreThoseOfTheStandard(text: String, expected: [[String]]) throws {
    #expect(try records(text) == expected)
  }

  @Test(arguments: [
    ("a\n\"b", 2, "field 1 has no closing quote"),
    ("a,\"b\"c", 1, "field 2 continues after its closing quote"),
    ("\"x\ny\",z\nq,\"", 3, "field 2 has no closing quote"),
  ])
  func whatIsWrongHasItsLine(text: String, line: Int, description: String) throws {
    let error = #expect(throws: CSVError.self) { try records(text) }
    #expect(error?.line == line && error?.description == description)
  }

  /// Characters, not bytes, from the beginning of the record.
  @Test func fieldsHaveTheirColumns() throws {
    var reader = CSVReader(Array("\u{FEFF}é,\"b\",c\n\n,,x".utf8))
    #expect(try reader.next())
    #expect((0..<3).map { reader.column(of: $0) } == [1, 3, 7])
    #expect(try reader.next())
    #expect(reader.line == 3 && (0..<3).map { reader.column(of: $0) } == [1, 2, 3])
  }

  @Test func bytesThatAreNoTextAreAnError() throws {
    var reader = CSVReader([0x61, 0x2c, 0xff])
    #expect(try reader.next())
    #expect(try reader.text(0) == "a")
    #expect(throws: CSVError.self) { try reader.text(1) }
  }

  @Test func whateverIsWrittenIsReadBack() throws {
    var stream = RandomStream(seed: 1, name: "tables")
    let letters: [Character] = ["a", "é", "\"", ",", "\n", "\r", " ", "7"]
    for _ in 0..<500 {
      let table = (0...stream.index(below: 4)).map { _ in
        // A first field that is never empty distinguishes a record from an empty line.
        ["x", "", ""].map {
          let text = $0 + String((0..<stream.index(below: 6)).map { _ in letters[stream.index(below: 8)] })
          // A leading carriage return would get an apostrophe, as formulas do.
          return text.utf8.first == 0x0d ? "7" + text : text
        }
      }
      var writer = ByteWriter()
      for record in table {
        for (place, field) in record.enumerated() {
          if place > 0 { writer.comma() }
          writer.field(field)
        }
        writer.newline()
      }
      #expect(try records(String(decoding: writer.bytes, as: UTF8.self)) == table)
    }
  }
}
