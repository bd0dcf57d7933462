import Testing

@Suite("Help texts")
struct HelpTests {
  /// A terminal of 80 columns shows every line of an example as it stands, so that it can be copied.
  @Test func examplesFitATerminal() throws {
    let dump = try Program.shell("$meetsim --experimental-dump-help").output
    let examples = dump.replacing("\\\"", with: "'").replacing("\\\\", with: "\\")
      .replacing("\\/", with: "/").split(separator: "\"")
      .filter { $0.contains("EXAMPLE") }
      .flatMap { $0.split(separator: "\\n").filter { $0.hasPrefix("  ") } }
    #expect(examples.count > 60)
    for line in examples { #expect(line.count <= 80, "\(line)") }
  }
}
