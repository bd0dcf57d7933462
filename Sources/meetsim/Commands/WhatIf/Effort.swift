import ArgumentParser

/// How often variants are repeated.
struct Effort: ParsableArguments {
  @Option(help: "Repetitions of each variant before the first look; each further look doubles them.")
  var repetitions = 10

  @Option(
    help: ArgumentHelp(
      "Maximum number of repetitions of each variant; by default 40, or --repetitions if that is more.",
      valueName: "limit"))
  var limit: Int?

  /// Maximum number of repetitions of each variant.
  var most: Int { limit ?? max(40, repetitions) }

  func validate() throws {
    if !(2...10_000).contains(repetitions) {
      throw ValidationError("--repetitions '\(repetitions)' is out of range: from 2 to 10000")
    }
    if let limit, !(repetitions...10_000).contains(limit) {
      throw ValidationError("--limit '\(limit)' is out of range: from \(repetitions) to 10000")
    }
  }
}
