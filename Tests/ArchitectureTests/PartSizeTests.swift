import TestSupport
import Testing

/// Parts of a meeting, and sections of a scenario, stay small.
@Suite("Sizes of parts")
struct PartSizeTests {
  /// Returns the stored properties of each type in a file, by indentation: a type's members are indented by two more
  /// spaces than its declaration, and a computed property has a brace on its line or the next.
  private func storedProperties(of lines: [Substring]) -> [String: Int] {
    var counts: [String: Int] = [:]
    var open: [(name: String, indent: Int)] = []
    for line in lines {
      let indent = line.prefix { $0 == " " }.count
      let words = line.split(separator: " ").map(String.init)
      if line.trimmed == "}" { open.removeAll { $0.indent >= indent } }
      if let place = words.firstIndex(where: { ["struct", "class", "enum", "extension"].contains($0) }),
        line.hasSuffix("{"), place + 1 < words.count
      {
        open.append((words[place + 1].filter { $0 != ":" }, indent))
      }
      guard let owner = open.last, indent == owner.indent + 2,
        let place = words.firstIndex(where: { $0 == "var" || $0 == "let" }), !words.contains("static"),
        words[..<place].allSatisfy({ $0.hasPrefix("private") || $0 == "package" || $0 == "fileprivate" }),
        !line.contains("{")
      else { continue }
      counts[owner.name, default: 0] += 1
    }
    return counts
  }

  @Test(arguments: ["Decision", "Endpoint", "Publishing", "Serving", "Viewing", "Meeting", "Scenario"])
  func noTypeKeepsFifteenProperties(module: String) {
    var greatest = 0
    for file in sourceFiles(below: "\(Repository.root)/Sources/\(module)")
    where !file.path.contains("/Meeting/Run/") {
      for (type, count) in storedProperties(of: file.lines) {
        greatest = max(greatest, count)
        #expect(count < 15, "\(type) in \(file.path)")
      }
    }
    #expect(greatest > 5, "the count finds properties")
  }

  @Test func propertiesAreCounted() {
    let lines: [Substring] = [
      "struct A: B {", "  let a: Int", "  private(set) var b = 1", "  var c: Int { 1 }",
      "  static let d = 1", "  struct E {", "    var f = 1", "  }", "  func g() {", "    let h = 1", "  }",
      "}",
    ]
    #expect(storedProperties(of: lines) == ["A": 2, "E": 1])
  }
}

extension Substring {
  fileprivate var trimmed: Substring { drop { $0 == " " } }
}
