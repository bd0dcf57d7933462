import TestSupport
import Testing

/// Protocols stay narrow: numbers and choices are values, what happens is an input.
@Suite("Protocol requirements")
struct ProtocolTests {
  /// Counts the requirements of each protocol in a file: members indented by two more spaces than its declaration.
  private func requirements(of lines: [Substring]) -> [String: Int] {
    var counts: [String: Int] = [:]
    var open: (name: String, indent: Int)?
    for line in lines {
      let indent = line.prefix { $0 == " " }.count
      let words = line.split { $0 == " " || $0 == "(" || $0 == ":" || $0 == "<" }.map(String.init)
      if let place = words.firstIndex(of: "protocol"), place < 2, place + 1 < words.count, line.hasSuffix("{")
      {
        open = (words[place + 1], indent)
        counts[words[place + 1]] = 0
      } else if let owner = open, indent == owner.indent, line.drop(while: { $0 == " " }).hasPrefix("}") {
        open = nil
      } else if let owner = open, indent == owner.indent + 2,
        let first = words.first(where: { !["mutating", "static"].contains($0) && !$0.hasPrefix("@") }),
        ["func", "var", "init", "associatedtype", "subscript"].contains(first)
      {
        counts[owner.name, default: 0] += 1
      }
    }
    return counts
  }

  @Test func noProtocolHasMoreThanEight() {
    var all: [String: Int] = [:]
    for file in sourceFiles(below: "\(Repository.root)/Sources") {
      all.merge(requirements(of: file.lines)) { max($0, $1) }
    }
    #expect(all.filter { $0.value > 8 } == [:])
    #expect(all["Client"] == 8 && all["System"] == 8 && all.count > 20, "the count finds requirements")
  }

  @Test func requirementsAreCounted() {
    let lines: [Substring] = [
      "package protocol A: B {", "  associatedtype C: D", "  static var e: Int { get }",
      "  /// var", "  mutating func f(", "    g: Int", "  ) -> Int", "  init(h: Int)", "}",
      "extension A {", "  var i: Int { 1 }", "}",
    ]
    #expect(requirements(of: lines) == ["A": 4])
  }
}
