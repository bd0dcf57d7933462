import ArgumentParser
import Files
import Metrics
import TextLayout

/// Explains a key, column, metric, event or word.
struct ReferenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reference",
    abstract: "Explains a key of a file, or a column, metric, event or word of a result.",
    discussion: """
      Prints meaning, type, unit, default, systems and an example of everything that has one of these names; the last \
      parts of a key's path are enough. Without a name it prints an index.

      EXAMPLES
        meetsim reference view.pin
        meetsim reference limitation
        meetsim reference sender-uplink request-cap
        meetsim reference --markdown docs/reference
      """)

  @Argument(help: "Names: keys such as view.pin, columns, metrics, events, limitations or models.")
  var names: [String] = []

  @Option(help: "Writes the whole reference as Markdown into this directory.", completion: .directory)
  var markdown: String?

  @Flag(help: "Writes into a directory that has other files, and replaces those of the pages' names.")
  var force = false

  /// Maximum number of entries printed in full; if there are more, only names and summaries are listed.
  private static let most = 8

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    try Output.checkName(markdown, option: "--markdown")
    if force, markdown == nil { throw ValidationError("--force goes with --markdown") }
  }

  func run() throws {
    if let markdown {
      guard names.isEmpty else {
        throw ValidationError("'--markdown' writes everything: leave the names out")
      }
      try write(to: markdown)
    } else if names.isEmpty {
      printIndex()
    } else {
      try explainAll()
    }
  }

  /// Explains all entries that match the names; throws if there are none for a name.
  private func explainAll() throws {
    let answers = names.map { (name: $0, entries: Reference.entries(matching: $0)) }
    for (number, answer) in answers.filter({ !$0.entries.isEmpty }).enumerated() {
      if number > 0 { Terminal.result("\n") }
      explain(answer.entries)
    }
    let unknown = answers.filter(\.entries.isEmpty)
    for answer in unknown { complain(about: answer.name) }
    guard unknown.isEmpty else { throw ExitCode(2) }
  }

  private func complain(about name: String) {
    let near = Reference.names(near: name).map { "'\($0)'" }
    let hint = near.isEmpty ? "" : "did you mean \(near.joined(separator: ", "))? "
    Terminal.error("error: the reference has no '\(name)': \(hint)'meetsim reference' lists all names")
  }

  private func explain(_ found: [ReferenceEntry]) {
    guard found.count <= Self.most else {
      for entry in found {
        let text = "\(entry.name) (\(entry.kind.rawValue)): \(entry.summary)"
        for line in text.hanging(by: 4, to: Terminal.width) { Terminal.line(line) }
      }
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
    let place: String
    do throws(FileError) {
      place = try OutputPlace.directory(directory)
      if !force, Directory.exists(place), let entry = try Self.foreignEntry(of: place) {
        throw FileError(
          action: "write to '\(directory)'",
          cause:
            "it contains '\(entry)', which is no page of the reference: choose another directory, or replace "
            + "files of the pages' names with --force", isUsage: true)
      }
      try Directory.make(place)
    } catch {
      throw Output.exitCode(after: error)
    }
    for page in ReferencePages.files { try Output.write(page.text, to: "\(place)/\(page.name)") }
  }

  /// Finds an entry that prevents writing into a directory: a file with a page's name that is not a generated page or,
  /// if there are no pages, any entry. Returns `nil` for an empty directory, and for one with pages written by this
  /// command.
  private static func foreignEntry(of path: String) throws(FileError) -> String? {
    let names = ReferencePages.files.map(\.name)
    let entries = try Directory.entries(of: path)
    let pages = entries.filter { names.contains($0) }
    return pages.isEmpty ? entries.first : pages.first { !isPage("\(path)/\($0)") }
  }

  private static func isPage(_ path: String) -> Bool {
    guard Directory.isRegularFile(path),
      let bytes = try? FileReader.bytes(of: path, limit: FileReader.traceLimit)
    else { return false }
    return String(decoding: bytes, as: UTF8.self).contains(ReferencePages.generated)
  }
}
