import JSON
import Testing

/// Values read from texts, and the positions of errors.
@Suite("JSON")
struct JSONReaderTests {
  private func value(_ text: String) throws(JSONDefect) -> JSONValue {
    var reader = JSONReader(Array(text.utf8))
    let value = try reader.value()
    guard reader.isAtEnd else { throw reader.trailing }
    return value
  }

  @Test func textsComeBackAsTheyWere() throws {
    let text = #"{"a":[1.5,true,null,"x\n\"\\"],"b":{},"a b":"ü"}"#
    #expect(try value(text).compact == text)
  }

  @Test func sixtyFourLevelsAreReadAndNoMore() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    #expect(try value(nested(64)).compact == nested(64))
    let defect = #expect(throws: JSONDefect.self) { try value(nested(65)) }
    #expect(defect?.text == "it is nested too deeply" && defect?.offset == 64)
  }

  @Test func wholeNumbersAreWrittenWithoutAPoint() {
    #expect(JSONValue.number(1_767_225_600_000).compact == "1767225600000")
    #expect(JSONValue.number(-0.25).compact == "-0.25")
    #expect(JSONValue.number(1e15).compact == "1000000000000000.0")
  }

  @Test func whatPythonWritesForNoNumberIsNull() throws {
    #expect(try value("[NaN,-Infinity]").compact == "[null,null]")
  }

  @Test(arguments: [
    ("[1,\n 2;]", 2, 3, "',' or ']' was expected here"),
    ("{\"ä\" 1}", 1, 6, "':' was expected here"),
    ("{a: 1}", 1, 2, "a key in quotation marks was expected here"),
    ("[0x10]", 1, 2, "'0x10' is no value"),
    ("[+1]", 1, 2, "'+1' is no value"),
    ("[]\n]", 2, 1, "the end of the file was expected here"),
    ("[\"ab", 1, 2, "the text has no end"),
    ("", 1, 1, "a value was expected here"),
  ])
  func defectsHaveTheirPlace(_ text: String, _ line: Int, _ column: Int, _ says: String) {
    #expect {
      try value(text)
    } throws: { error in
      guard let defect = error as? JSONDefect else { return false }
      let place = defect.place(in: Array(text.utf8))
      return place == (line, column) && defect.text == says
    }
  }

  @Test func nestingIsBounded() {
    #expect(throws: JSONDefect.self) { try value(String(repeating: "[", count: 65)) }
    #expect(throws: Never.self) {
      try value(String(repeating: "[", count: 64) + String(repeating: "]", count: 64))
    }
  }

  @Test func placedValuesSayWhereTheyBegin() throws {
    let bytes = Array("{\"a\":\n  [10, true]}".utf8)
    let root = try PlacedJSON(bytes)
    let elements = try #require(root["a"]?.elements)
    #expect(elements[0].number == 10 && elements[1].flag == true)
    #expect(elements[1].place(in: bytes) == (2, 8))
  }
}
