import ArgumentParser
import CallStatistics
import Files
import Ladder
import Quantity
import Verification

/// Creates a scenario from the statistics of a real call.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Makes a scenario with the capacity, loss and round trip that a real call saw.",
    discussion: """
      What the sender's browser knew is enough: its estimate, what arrived, round trips and losses. docs/import.md \
      describes how capacities are inferred, and how well that works for calls on known links.
      """,
    subcommands: [GetStats.self, WebRTCInternals.self, RTCStats.self, RTCEvents.self])

  /// Options common to both kinds of files.
  struct Options: ParsableArguments {
    @Option(name: .shortAndLong, help: "Scenario file to write; standard output by default.")
    var output: String?

    @Option(
      help:
        "Format of the sender's camera, such as '1280x720@30'; by default as the file has it, else 720p30.")
    var capture: String?

    @Option(
      help: "Content of the video: talking-head, textured, rich or screen; by default what the rates suggest."
    )
    var content: VideoContent?

    @Option(
      help: ArgumentHelp(
        "Begin of the part that is imported, since the call began, such as '90s'; by default all.",
        valueName: "time"))
    var from: String?

    @Option(help: ArgumentHelp("End of that part.", valueName: "time"))
    var to: String?

    @Flag(
      help: """
        Simulates the call with ten seeds and prints its settled stretches beside the recorded ones, as 'verify --calls' \
        does. Exits with 1 if one differs by more than 15 %.
        """)
    var compare = false

    @Option(
      help: ArgumentHelp(
        "Also writes the recorded call as a table, for 'plots/plot.py call FILE --simulated DIR'.",
        valueName: "file"))
    var series: String?

    @Flag(help: "Replaces an existing file.")
    var force = false

    enum VideoContent: String, ExpressibleByArgument, CaseIterable {
      case talkingHead = "talking-head"
      case textured, rich, screen
    }

    func validate() throws {
      try Output.checkName(output)
      try Output.checkName(series, option: "--series")
      _ = try format
      _ = try part
    }

    /// Part of the call to import.
    var part: CallPart { get throws { try Self.part(from: from, to: to) } }

    /// Reads the options `--from` and `--to`.
    static func part(from: String?, to: String?) throws -> CallPart {
      let begin = try TimeOption.time(from, "--from")?.seconds
      let end = try TimeOption.time(to, "--to")?.seconds
      guard begin ?? 0 < end ?? .infinity else { throw ValidationError("--to: it is not after --from") }
      return CallPart(from: begin, to: end)
    }

    private var format: VideoFormat? { get throws { try Self.format(capture) } }

    /// Reads the option `--capture`.
    static func format(_ text: String?) throws -> VideoFormat? {
      guard let text else { return nil }
      do throws(VideoFormatError) {
        return try VideoFormat(captureText: text)
      } catch {
        throw ValidationError("--capture: \(error)")
      }
    }

    /// Returns the result of `read`; exits with 2 for an unusable file.
    static func checked<Value>(_ read: () throws(CallRecordError) -> Value) throws -> Value {
      do throws(CallRecordError) {
        return try read()
      } catch {
        Terminal.error(error.description)
        throw ExitCode(2)
      }
    }

    static func fileName(_ path: String) -> String {
      path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Writes the scenario of the record returned by `read`; exits with 2 for an unusable file.
    func write(_ files: [String], _ read: () throws(CallRecordError) -> CallRecord) throws {
      try Output.checkApart(output, from: files)
      let record = try Self.checked(read)
      for note in record.notes { Terminal.warning("note: \(note)") }
      let scenario = ImportedScenario(record, capture: try format, content: content?.rawValue)
      let source = files.map(Self.fileName).joined(separator: " and ")
      let text = scenario.text(name: Self.name(of: source), source: source)
      if let output {
        if try NewScenarioFile.write(text, to: output, force: force) {
          Terminal.paragraph("\(output): \(scenario.summary)")
        }
      } else if !compare {
        Terminal.data(text)
      }
      if let series { try write(scenario.table, to: series) }
      if compare { try compare(scenario, text: text, name: Self.name(of: source)) }
    }

    private func write(_ table: String, to path: String) throws {
      var file = try Output.open(path)
      do throws(FileError) {
        try file.write(Array(table.utf8))
        try file.finish()
      } catch {
        throw Output.exitCode(after: error)
      }
    }

    /// Prints the recorded stretches beside simulated ones.
    private func compare(_ scenario: ImportedScenario, text: String, name: String) throws {
      let one = ComparedCall(name: name, scenario: text, values: Self.values(of: scenario)).verification
      var table = VerificationTable(isCSV: false)
      table.begin()
      table.add(one, one.run())
      table.end()
      if table.failed > 0 { throw ExitCode(1) }
    }

    private static func values(of scenario: ImportedScenario) -> [ComparedCall.Value] {
      scenario.stretches.flatMap { stretch in
        var values: [ComparedCall.Value] = []
        if stretch.sources.contains(where: \.hasSeveralEncodings) {
          values.append(.init(.sent(participant: "sender"), stretch.seconds, recorded: stretch.sent))
        }
        for source in stretch.sources where !source.hasSeveralEncodings {
          values.append(.init(.received(source: source.name), stretch.seconds, recorded: source.rate))
          if let height = source.height {
            values.append(.init(.height(source: source.name), stretch.seconds, recorded: height))
          }
        }
        if let estimate = stretch.estimate {
          values.append(.init(.estimate(participant: "sender"), stretch.seconds, recorded: estimate))
        }
        return values
      }
    }

    /// Derives the scenario's name from the file name without extension; everything but letters and digits becomes a
    /// hyphen.
    private static func name(of file: String) -> String {
      let stem = file.split(separator: ".").first.map(String.init) ?? ""
      let words = stem.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
      return "call-" + (words.isEmpty ? "imported" : words.joined(separator: "-").lowercased())
    }
  }

  /// Choice of a call's media sources.
  struct Sources: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Media source that is the camera, by its id or SSRC; for calls with several.", valueName: "id"))
    var camera: String?

    @Option(help: ArgumentHelp("Media source that is the screen share.", valueName: "id"))
    var screen: String?

    func choosing(_ part: CallPart) -> CallPart {
      CallPart(from: part.from, to: part.to, camera: camera, screen: screen)
    }
  }

  /// Imports a table of `getStats()` samples.
  struct GetStats: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "getstats",
      abstract: "From getStats() samples as JSON or CSV, about one per second.",
      usage: "meetsim import getstats <file> [<options>]",
      discussion: """
        JSON: reports in an array, one a line, or in objects that say when and of which connection they are; whatever has \
        a 'type' of webrtc-stats is read. CSV with a row for each statistics object (type, id) is read likewise, and CSV \
        with a row for each sample by its columns, in any order; others are ignored:

          t, time_s, timestamp                [s], [s or ms since 1970], or ISO 8601
          bwe_kbps, availableOutgoingBitrate  candidate pair's [kbps; bit/s], optional
          recv_bytes, bytesReceived           receiver's video, headers included
          sent_bytes, bytesSent               sender's, where the receiver's is missing
          rtt_ms, roundTripTime               [ms; s], optional
          lost, packetsLost, packetsSent      optional
          w, h, fps, frameWidth, frameHeight, framesPerSecond
                                              optional

        A call with three encodings has l_bytes, m_bytes and h_bytes (sent) in place of one, l_h, m_h and h_h for their \
        heights, and substream for what the viewer asked for: 0 is the highest. docs/import.md has all names and units.

        EXAMPLES
          meetsim import getstats reports.jsonl -o call.yaml
          meetsim import getstats call.csv -o call.yaml
          meetsim import getstats call.csv --capture 1280x720@30 --content talking-head
        """)

    @Argument(
      help: "The table or JSON file, packed or not.", completion: .file(extensions: ["csv", "json", "gz"]))
    var file: String

    @OptionGroup var options: Options
    @OptionGroup var sources: Sources
    @OptionGroup var quiet: QuietOption

    func run() throws {
      let part = sources.choosing(try options.part)
      try options.write([file]) { () throws(CallRecordError) in try GetStatsFile.read(path: file, part) }
    }
  }

  /// Imports a dump of Chromium's `chrome://webrtc-internals`.
  struct WebRTCInternals: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "webrtc-internals",
      abstract: "From a dump of chrome://webrtc-internals.",
      usage: "meetsim import webrtc-internals <files> ... [<options>]",
      discussion: """
        Open chrome://webrtc-internals in another tab before the call; at its end, choose 'Create a WebRTC-Internals \
        dump', then 'Download the "webrtc-internals dump"'. Dumps of all versions are read, packed or not. The scenario is that \
        of the connection that sent the most video; of a dump that only received, the path is the receiver's downlink.

        EXAMPLE
          meetsim import webrtc-internals webrtc_internals_dump.txt -o call.yaml
        """)

    @Argument(
      help: "The dump, packed or not; or one of each end of a call.",
      completion: .file(extensions: ["json", "txt", "gz"]))
    var files: [String]

    @OptionGroup var options: Options
    @OptionGroup var sources: Sources
    @OptionGroup var quiet: QuietOption

    func validate() throws {
      guard (1...2).contains(files.count) else {
        throw ValidationError("\(files.count) dumps: give one, or one of each end of a call")
      }
    }

    func run() throws {
      let part = sources.choosing(try options.part)
      try options.write(files) { () throws(CallRecordError) in
        files.count == 1
          ? try InternalsDump.read(path: files[0], part) : try InternalsDump.read(paths: files, part)
      }
    }
  }
}
