import ArgumentParser
import CallStatistics
import Files
import Ladder

/// Makes a scenario from the statistics of a real call.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Makes a scenario with the capacity, loss and round trip that a real call saw.",
    discussion: """
      What the sender's browser knew is enough: its estimate, what arrived, round trips and losses. docs/import.md \
      describes how capacities are inferred, and how well that works for calls on known links.
      """,
    subcommands: [GetStats.self, WebRTCInternals.self])

  /// Options common to both kinds of files.
  struct Options: ParsableArguments {
    @Option(name: .shortAndLong, help: "Scenario file to write; standard output by default.")
    var output: String?

    @Option(
      help:
        "Format of the sender's camera, such as '1280x720@30'; by default as the file has it, else 720p30.")
    var capture: String?

    @Option(help: "Content of the video: talking-head, rich or screen; by default what the rates suggest.")
    var content: VideoContent?

    @Flag(help: "Replaces an existing file.")
    var force = false

    enum VideoContent: String, ExpressibleByArgument, CaseIterable {
      case talkingHead = "talking-head"
      case rich, screen
    }

    func validate() throws {
      try Output.checkName(output)
      _ = try format
    }

    private var format: VideoFormat? {
      get throws {
        guard let capture else { return nil }
        do throws(VideoFormatError) {
          return try VideoFormat(captureText: capture)
        } catch {
          throw ValidationError("--capture: \(error)")
        }
      }
    }

    /// Writes the scenario of the record returned by `read`; exits with 2 for an unusable file.
    func write(_ file: String, _ read: (String) throws(CallRecordError) -> CallRecord) throws {
      try Output.checkApart(output, from: [file])
      let record: CallRecord
      do throws(CallRecordError) {
        record = try read(file)
      } catch {
        Terminal.error(error.description)
        throw ExitCode(2)
      }
      let scenario = ImportedScenario(record, capture: try format, content: content?.rawValue)
      let source = file.split(separator: "/").last.map(String.init) ?? file
      let text = scenario.text(name: Self.name(of: source), source: source)
      guard let output else { return Terminal.data(text) }
      guard try NewScenarioFile.write(text, to: output, force: force) else { return }
      Terminal.line("\(output): \(scenario.summary)")
    }

    /// Derives the scenario's name from the file name without its extension; all but letters and digits become hyphens.
    private static func name(of file: String) -> String {
      let stem = file.split(separator: ".").first.map(String.init) ?? ""
      let words = stem.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
      return "call-" + (words.isEmpty ? "imported" : words.joined(separator: "-").lowercased())
    }
  }

  /// Imports a table of `getStats()` samples.
  struct GetStats: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "getstats",
      abstract: "From a CSV of getStats() samples, about one row per second.",
      discussion: """
        Columns, in any order, by either name; others are ignored:

          t, time_s                              seconds since the call began
          bwe_kbps, availableOutgoingBitrate     the sender's candidate pair [kbps; bit/s]
          recv_bytes, bytesReceived              the receiver's video, headers included
          sent_bytes, bytesSent                  the sender's, where nothing is known of the receiver
          rtt_ms, roundTripTime                  [ms; s], optional
          lost, packetsLost                      optional
          h, frameHeight                         optional

        A call with three encodings has l_bytes, m_bytes and h_bytes (sent) in place of one, l_h, m_h and h_h for their \
        heights, and substream for what the viewer asked for: 0 is the highest.

        EXAMPLES
          meetsim import getstats call.csv -o call.yaml
          meetsim import getstats call.csv --capture 1280x720@30 --content talking-head
        """)

    @Argument(help: "The table.", completion: .file(extensions: ["csv"]))
    var file: String

    @OptionGroup var options: Options

    func run() throws { try options.write(file, GetStatsTable.read(path:)) }
  }

  /// Imports a dump of Chromium's `chrome://webrtc-internals`.
  struct WebRTCInternals: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "webrtc-internals",
      abstract: "From a dump of chrome://webrtc-internals.",
      discussion: """
        Open chrome://webrtc-internals in another tab before the call; at its end, choose 'Create a WebRTC-Internals \
        dump', then 'Download the "webrtc-internals dump"'. A compressed dump must be unpacked with gunzip. The scenario is \
        that of the connection that sent the most video.

        EXAMPLE
          meetsim import webrtc-internals webrtc_internals_dump.txt -o call.yaml
        """)

    @Argument(help: "The dump, a JSON file.", completion: .file(extensions: ["json", "txt"]))
    var file: String

    @OptionGroup var options: Options

    func run() throws { try options.write(file, InternalsDump.read(path:)) }
  }
}
