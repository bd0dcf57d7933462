import ArgumentParser
import Comparison
import Files
import Ladder
import Meeting
import Metrics
import Network
import Plan
import Quantity
import ResultReading
import Scenario
import Sweep

/// Ranks variants of a scenario.
struct WhatIfCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "what-if",
    abstract: "Tries changes of a scenario and ranks them by one metric, with what each costs others.",
    discussion: """
      Every variant is repeated with the same random numbers as the scenario as it is, until the ranking is decided or \
      --limit is reached. A variant is clearly better or clearly worse where the interval of its difference from the \
      scenario as it is excludes zero; the intervals hold together with a probability of 95 %, at every look at the \
      results. 'not shown' says that these runs do not tell, not that there is no difference; 'shows less', that fewer \
      freezes, losses or less delay come with clearly more time without any frame. Means and differences are of the runs \
      in which both the variant and the scenario as it is have a value. Below the ranking stands \
      whose tiles lose quality (mean opinion score, freezes) under which variant, by paired tests with Holm's \
      correction. Exits with 3 when a run has no result.

      A variant has settings, PATH=VALUE as for 'run --set' or PATH: VALUE as in a file, separated by semicolons, and a \
      label before them; in a file of --variants it is a map of paths to values under its label. Variants may be systems, \
      each with the estimators that it is deployed with unless the scenario names them. --suggest adds what 'explain' \
      knows to try: other estimators, pages, smaller tiles, pausing, caps, other captures and ladders, and \
      counts those that leave the metric as it is in all runs.

      EXAMPLES
        meetsim what-if hotel.yaml --metric freezes_duration --viewer traveller \\
          --with '360p camera: participants.teacher.publish.camera=360p30'
        meetsim what-if hotel.yaml --metric mos --viewer traveller --suggest
        meetsim what-if hotel.yaml --metric mos --viewer traveller \\
          --with 'jitsi: policy: jitsi'
        meetsim what-if hotel.yaml --metric mos --variants settings.yaml -o out
      """)

  @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml", "yml"]))
  var scenario: String

  @Option(help: ArgumentHelp("Metric of scalars.csv to rank by ('meetsim list metrics').", valueName: "name"))
  var metric: String

  @Option(help: ArgumentHelp("Statistic of the metric, where it has several.", valueName: "name"))
  var stat: String?

  @Option(help: ArgumentHelp("Ranks by what this viewer gets.", valueName: "id"))
  var viewer: String?

  @Option(help: ArgumentHelp("Ranks by how this source, or this link, arrives.", valueName: "id"))
  var source: String?

  @Option(
    name: .customLong("with"),
    help: ArgumentHelp(
      "A variant: 'LABEL: PATH=VALUE; PATH=VALUE'; repeat it for more.", valueName: "variant"))
  var with: [String] = []

  @Option(
    help: ArgumentHelp(
      "File with more variants: a map of labels to maps of paths to values.", valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var variants: String?

  @Flag(help: "Adds the changes that 'explain' knows to try.")
  var suggest = false

  @Option(name: .customLong("set"), help: "Overrides a value of the scenario for all variants: PATH=VALUE.")
  var overrides: [String] = []

  @OptionGroup var effort: Effort

  @Option(help: "Seed; overrides the scenario's.")
  var seed: UInt64?

  @Option(name: .shortAndLong, help: "Directory to keep the runs in, as those of a sweep over 'variant'.")
  var output: String?

  @Flag(help: "Replaces an existing sweep directory.")
  var force = false

  @Flag(help: "Lists every loss, not only the worst, and names the suggestions that change nothing.")
  var all = false

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    try SeedOption.check(seed)
    try Output.checkName(output)
    if with.isEmpty, variants == nil, !suggest {
      throw ValidationError("name a variant with --with or --variants, or let --suggest find some")
    }
    let known = SweepFile.metricNames
    if !known.contains(metric) {
      throw ValidationError("--metric '\(metric)': \(Suggestion.text(forMetric: metric, among: known))")
    }
    let own = ExpectationMetric.all.filter { $0.metric == metric }
    if own.allSatisfy({ $0.direction == .neither }) {
      throw ValidationError(
        "--metric '\(metric)': neither more nor less of it is better: rank by another metric")
    }
    let stats = own.map(\.stat).uniqued()
    if let stat, !stats.contains(stat) {
      throw ValidationError("--stat '\(stat)': \(Suggestion.text(for: stat, among: stats))")
    }
    let scopes = VariantRanking.Subject.scopes(hasViewer: viewer != nil, hasSource: source != nil)
    if !own.contains(where: { scopes.contains($0.scope) && stat ?? $0.stat == $0.stat }) {
      let others = own.map(\.scope.rawValue).uniqued()
      throw ValidationError(
        "--metric '\(metric)' is of a \(others.joined(separator: " or a ")): --viewer and --source name none")
    }
  }

  private static func range(_ least: Int, _ most: Int) -> String {
    least < most ? "\(least) to \(most)" : "\(least)"
  }

  func run() throws {
    Interruption.watch()
    let loaded = try Loading.scenario(scenario, overrides: overrides)
    let source = try SweepLoading.printingErrors { () throws(ScenarioError) in
      try ScenarioSource(path: scenario)
    }
    let stated = try stated(source)
    try checkNames([loaded] + stated.map(\.scenario))
    try checkRuns(stated, loaded)
    for warning in loaded.warnings { Terminal.warning("\(warning)") }
    let systems = SystemsNote(base: loaded, variants: stated)
    for note in systems.lines(about: metric) { Terminal.remark(note) }
    if !systems.differ { for note in loaded.notes { Terminal.warning("\(note)") } }
    let chosen = try named(stated.map(\.variant), loaded, source)
    if suggest {
      Terminal.remark(
        "\(chosen.count) variants and the scenario as it is, \(Self.range(effort.repetitions, effort.most)) repetitions of each: "
          + "\(Self.range((chosen.count + 1) * effort.repetitions, (chosen.count + 1) * effort.most)) runs")
    }
    if metric == "mos", chosen.contains(where: \.changesViews) {
      Terminal.remark(
        "mos judges a tile at its own size: the same picture scores higher in a smaller tile; compare frame_height too"
      )
    }
    let run = VariantRun(
      source: source, loaded: loaded, overrides: overrides.map { Override($0) },
      variants: [Variant(label: Self.base, settings: [])] + chosen, seed: seed, output: output, force: force)
    var looks: [Int] = [effort.repetitions]
    while let last = looks.last, last < effort.most { looks.append(min(2 * last, effort.most)) }
    let (ranking, isComplete) = try run.execute(looks: looks) { results throws(ComparisonError) in
      let subject = try VariantRanking.Subject(
        metric: metric, stat: stat, viewer: viewer, source: self.source, in: results)
      return VariantRanking(results, by: subject, level: 0.95, looks: looks.count)
    }
    let suggested = Set(chosen.dropFirst(stated.count).map(\.label))
    let idle = ranking.rows.filter { $0.verdict == .same && suggested.contains($0.label) }.map(\.label)
    let table = RankingTable(
      ranking, viewer: viewer, source: self.source, omitting: idle, showsAll: all, width: Terminal.width)
    Terminal.lines(table.lines)
    printNextCommands(ranking, chosen.filter { !idle.contains($0.label) })
    if !isComplete { throw ExitCode(3) }
  }

  /// Label of the unchanged scenario.
  static let base = "as it is"

  /// Warns of variants that last longer or shorter, and refuses those with other random numbers.
  private func checkRuns(_ stated: [SystemsNote.Loaded], _ loaded: LoadedScenario) throws {
    for (variant, own) in stated {
      if own.plan.seed != loaded.plan.seed {
        throw ValidationError(
          "variant '\(variant.label)' has another seed, but variants are compared with the same random numbers"
        )
      }
      if own.plan.duration != loaded.plan.duration {
        Terminal.warning(
          "warning: '\(variant.label)' lasts \(own.plan.duration), the scenario \(loaded.plan.duration): that alone "
            + "changes totals")
      }
    }
  }

  /// Checks that viewer and source exist in the scenario, and in it or a variant a tile of theirs.
  private func checkNames(_ scenarios: [LoadedScenario]) throws {
    let loaded = scenarios[0]
    let ids = loaded.plan.participants.map(\.id)
    if let viewer, !ids.contains(viewer) {
      throw ValidationError("--viewer '\(viewer)': \(Suggestion.text(for: viewer, among: ids))")
    }
    if let viewer, loaded.plan.participants.first(where: { $0.id == viewer })?.view == nil, source != nil {
      throw ValidationError("--viewer '\(viewer)' has no view: nothing is shown there")
    }
    let sources =
      ids.flatMap { id in [false, true].map { SourceName(owner: id, isScreen: $0).description } }
      + loaded.plan.links.map(\.name)
    if let source, !sources.contains(source) {
      throw ValidationError("--source '\(source)': \(Suggestion.text(for: source, among: sources))")
    }
    guard let source, !loaded.plan.links.contains(where: { $0.name == source }) || viewer != nil else {
      return
    }
    let sent = scenarios.flatMap { $0.plan.namedSources }
    guard let own = sent.first(where: { $0.name == source }) else {
      throw ValidationError("--source '\(source)' sends no video")
    }
    if viewer == ids[own.participant] {
      throw ValidationError("--viewer '\(ids[own.participant])' does not see itself")
    }
  }

  /// Returns the variants given by options and files, as scenarios; exits with 2 if one cannot be run.
  private func stated(_ source: ScenarioSource) throws -> [SystemsNote.Loaded] {
    var stated = try with.map { try VariantText($0).variant }
    if let variants {
      stated += try SweepLoading.printingErrors { () throws(ScenarioError) in try Variant.read(path: variants)
      }
    }
    return try stated.map { variant in
      try SweepLoading.printingErrors { () throws(ScenarioError) in
        (variant, try source.load(settings: overrides.map { Override($0) } + variant.settings))
      }
    }
  }

  /// Returns the variants of all options; exits with 2 if there is none, or if two have the same label.
  private func named(
    _ stated: [Variant], _ loaded: LoadedScenario, _ source: ScenarioSource
  ) throws -> [Variant] {
    var chosen = stated
    if suggest {
      chosen += SuggestedVariants(loaded, source: source, overrides: overrides.map { Override($0) })
        .variants(viewer: viewer, of: self.source, apartFrom: stated)
    }
    for (place, variant) in chosen.enumerated()
    where variant.label == Self.base || chosen[..<place].contains(where: { $0.label == variant.label }) {
      throw ValidationError("two variants are called '\(variant.label)'")
    }
    guard !chosen.isEmpty else {
      Terminal.error("error: --suggest: there is nothing to try here: name a variant with --with")
      throw ExitCode(2)
    }
    return chosen
  }

  /// Prints the commands that show the scenario and its best variant side by side.
  private func printNextCommands(_ ranking: VariantRanking, _ chosen: [Variant]) {
    guard !chosen.isEmpty || output != nil else { return }
    Terminal.line("")
    if let output { Terminal.line("runs in \(output): meetsim report \(output) -o what-if.html") }
    let rows = ranking.rows.filter { row in chosen.contains { $0.label == row.label } }
    let isShown = rows.contains { $0.verdict == .better }
    guard let best = rows.first(where: { !isShown || $0.verdict == .better }),
      let variant = chosen.first(where: { $0.label == best.label })
    else { return }
    func command(_ settings: [String], _ directory: String) -> String {
      let sets = settings.map { " --set \(Self.quoted($0))" }.joined()
      let own = seed.map { " --seed \($0)" } ?? ""
      return "  meetsim run \(Self.quoted(scenario))\(sets)\(own) -q -o \(directory)"
    }
    Terminal.paragraph(
      isShown
        ? "To see the scenario as it is beside '\(best.label)':"
        : "No variant is shown to be better. To see the scenario as it is beside '\(best.label)' all the same:"
    )
    Terminal.line(command(overrides, "before"))
    Terminal.line(command(overrides + variant.settings.map(\.text), "after"))
    Terminal.line("  meetsim report before after -o what-if.html")
  }

  /// Quotes an argument for a shell.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      (0x2b...0x3a).contains($0) || $0 == 0x3d || $0 == 0x5f || $0 == 0x40 || (0x41...0x5a).contains($0)
        || (0x61...0x7a).contains($0)
    }
    return isPlain && !text.isEmpty ? text : text.quotedForShell
  }
}
