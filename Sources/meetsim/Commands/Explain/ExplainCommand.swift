import ArgumentParser
import JSON
import Metrics
import Quantity
import ResultReading

/// Explains why a tile has its quality.
struct ExplainCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Says why a tile has the quality that it has at a moment, and what would have changed it.",
    usage: "meetsim explain <directory> [<options>]",
    discussion: """
      The run is repeated up to the moment, so the scenario's traces must be where they were. The budget is followed \
      from the link to the tile, to the bit per second. What more budget would have given is asked of the rule alone, \
      with the same knowledge; a change of the scenario is tried in ten repetitions, and in ten further ones, and told \
      if the tile gets more in nineteen of the twenty (of capacities, the least that helps in all), with the other \
      tiles that get less in half of them. If none helps, wider links, lifted limits and better estimates are tried \
      together. Without --at the worst tiles of the run, or those of --viewer and --source, are explained at the \
      moment when they lack most. Each tile takes some hundred repetitions up to its moment, which is minutes in a \
      large meeting; --repetitions 0 tries nothing.

      EXAMPLES
        meetsim explain out --viewer student-1 --source teacher --at 30s
        meetsim explain out --worst 5
        meetsim explain out --viewer student-1 --repetitions 0 \\
          --format json -o out/explain.json
        meetsim explain out-sweep --run RUN_ID --worst 3
      """)

  @Argument(help: "The directory of a run, or of a sweep with --run.", completion: .directory)
  var directory: String

  @Option(help: "Id of the viewing participant.")
  var viewer: String?

  @Option(help: "The source as in the tables: a participant's id, or ID/screen.")
  var source: String?

  @Option(help: "Moment of the run, such as '50s'.")
  var at: String?

  @Option(help: "Explains this many tiles, those that lacked most over the run by --by.")
  var worst: Int?

  @Option(help: "What --worst ranks tiles by: missing pixels and frames, or the time in freezes.")
  var by = TileShortfall.Measure.pixels

  @Option(name: .customLong("run"), help: "Run id of a sweep's runs.csv.")
  var runID: String?

  @Option(
    help: "In how many repetitions a change of the scenario is tried, and once more in as many; 0 for none.")
  var repetitions = 10

  @Option(help: "text or json.")
  var format: Format = .text

  @Option(name: [.customShort("o"), .long], help: "File for the explanation; without it, standard output.")
  var output: String?

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    try Output.checkName(output)
    if at != nil, viewer == nil || source == nil {
      throw ValidationError("--at needs --viewer and --source: such as --viewer bob --source ann --at 30s")
    }
    if at != nil, by != .pixels { throw ValidationError("--by is for --worst: leave --at or --by out") }
    if at != nil, worst != nil {
      throw ValidationError("--worst chooses tiles and moments itself: leave --at out")
    }
    if let worst, !(1...100).contains(worst) {
      throw ValidationError("--worst '\(worst)' is out of range: from 1 to 100")
    }
    if !(0...100).contains(repetitions) {
      throw ValidationError("--repetitions '\(repetitions)' is out of range: from 0 to 100")
    }
  }

  func run() throws {
    if !isForReport { try Output.checkApart(output, from: [directory]) }
    let explained = try ExplainedRun.load(directory, run: runID)
    if let viewer { _ = try explained.participant(viewer) }
    if let source { _ = try explained.source(source) }
    var explanations: [Explanation] = []
    for (viewer, source, moment) in try tiles(of: explained) {
      explanations.append(
        try Explanation(explained, viewer: viewer, source: source, at: moment, repetitions: repetitions) {
          if Terminal.showsProgress { Terminal.progress($0) }
        })
    }
    if Terminal.showsProgress { Terminal.progress("") }
    let text =
      switch format {
      case .text: explanations.map(\.text).joined(separator: "\n")
      case .json: JSONValue.list(explanations.map(\.json)).description
      }
    if let output { try Output.write(text, to: output) } else { Terminal.data(text) }
  }

  /// Indicates an `explain*.json`, which belongs beside the tables, where reports look for it.
  private var isForReport: Bool {
    guard format == .json, let name = output?.split(separator: "/").last else { return false }
    return name.hasPrefix("explain") && name.hasSuffix(".json")
  }

  private func tiles(of explained: ExplainedRun) throws -> [(viewer: String, source: String, moment: SimTime)]
  {
    if let viewer, let source, let at {
      return [(viewer, source, try ViewerOption.moment(at, in: explained.plan))]
    }
    do {
      let found = try explained.worstTiles(viewer: viewer, source: source, count: worst ?? 1, by: by)
      if found.isEmpty {
        let whose = [source.map { " of \($0)" }, viewer.map { " that \($0) sees" }].compactMap { $0 }.joined()
        let sentence =
          switch by {
          case .pixels: "every visible tile\(whose) had what was asked of it"
          case .freezes: "no visible tile\(whose) was frozen"
          }
        if format == .text { Terminal.line(sentence) } else { Terminal.error(sentence) }
      }
      return found.map {
        (
          $0.viewer, $0.source,
          .zero + SimDuration(nanoseconds: Int64(($0.worstAt * 1000).rounded()) * 1_000_000)
        )
      }
    } catch let error as ResultError {
      throw Terminal.exitCode(for: error)
    } catch let error as ResultReadingError {
      Terminal.error("\(error)")
      throw ExitCode(2)
    }
  }
}

extension TileShortfall.Measure: ExpressibleByArgument {}
