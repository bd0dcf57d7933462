import ArgumentParser
import Files
import Metrics

/// Says what a key, column, metric, event or word means.
struct ReferenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reference",
    abstract: "Explains a key of a file, or a column, metric, event or word of a result.",
    discussion: """
      Prints meaning, type, unit, default, systems and an example of everything that has this name; the last parts of \
      a key's path are enough. Without a name it prints an index.

      EXAMPLES
        meetsim reference view.pin
        meetsim reference limitation
        meetsim reference sender-uplink
        meetsim reference --markdown docs/reference
      """)

  @Argument(help: "The name: a key such as view.pin, a column, a metric, an event, a limitation or a model.")
  var name: String?

  @Option(help: "Writes the whole reference as Markdown into this directory.", completion: .directory)
  var markdown: String?

  /// Of more entries than these there are only the names.
  private static let most = 8

  func run() throws {
    if let markdown {
      guard name == nil else { throw ValidationError("'--markdown' writes everything: leave the name out") }
      try write(to: markdown)
    } else if let name {
      try explain(name)
    } else {
      printIndex()
    }
  }

  private func explain(_ name: String) throws {
    let found = Reference.entries(matching: name)
    guard !found.isEmpty else {
      let near = Reference.names(near: name).map { "'\($0)'" }
      let hint = near.isEmpty ? "" : "did you mean \(near.joined(separator: ", "))? "
      Terminal.error("error: the reference has no '\(name)': \(hint)'meetsim reference' lists all names")
      throw ExitCode(2)
    }
    guard found.count <= Self.most else {
      for entry in found { Terminal.line("\(entry.name)  (\(entry.kind.rawValue))  \(entry.summary)") }
      return
    }
    for (number, entry) in found.enumerated() {
      if number > 0 { Terminal.result("\n") }
      Terminal.result("\n" + ReferenceText.body(of: entry), heading: entry.title)
    }
  }

  private func printIndex() {
    for kind in ReferenceEntry.Kind.allCases {
      var names: [String] = []
      for entry in Reference.entries(of: kind) where !names.contains(entry.name) { names.append(entry.name) }
      Terminal.result("\n", heading: kind.plural)
      Terminal.result(ReferenceText.wrapped(names.joined(separator: " "), indent: 2))
    }
  }

  private func write(to directory: String) throws {
    do {
      try Directory.make(directory)
      for page in ReferencePages.files {
        try WholeFile.write(Array(page.text.utf8), to: "\(directory)/\(page.name)", synchronizing: false)
      }
    } catch {
      Terminal.error("error: \(error)")
      throw ExitCode(2)
    }
  }
}
