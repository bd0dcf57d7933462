import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The recipes of `docs/design.md` name files and folders that exist.
@Suite("The page on the design")
struct DesignPageTests {
  /// Returns the texts in backquotes that name a Swift file, or a path from the root.
  private func places(in page: String) -> [String] {
    page.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
      .filter { name in
        name.hasSuffix(".swift")
          || ["Sources/", "Tests/", "docs/", "results/", "scenarios/"].contains(where: name.hasPrefix)
      }
  }

  @Test func itNamesFilesThatExist() throws {
    let bytes = try #require(Repository.bytes(of: "\(Repository.root)/docs/design.md"))
    let named = places(in: String(decoding: bytes, as: UTF8.self))
    let files = ["Sources", "Tests"].flatMap { sourceFiles(below: "\(Repository.root)/\($0)").map(\.path) }
    for name in named {
      let isThere =
        access("\(Repository.root)/\(name)", F_OK) == 0 || files.contains { $0.hasSuffix("/\(name)") }
      #expect(isThere, "\(name)")
    }
    #expect(named.count > 40)
  }

  @Test func textInBackquotesIsFound() {
    #expect(
      places(in: "A `B.swift` beside `Sources/C`, `run` and\n`docs/d.md`.") == [
        "B.swift", "Sources/C", "docs/d.md",
      ])
  }
}
