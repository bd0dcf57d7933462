import ArgumentParser
import CallStatistics
import Ladder

/// Fits a model to a recorded call.
struct FitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit",
    abstract: "Fits a part of the model to a recorded call.",
    subcommands: [Camera.self])

  /// Fits the content of a camera.
  struct Camera: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "camera",
      abstract: "Fits the complexity of a camera's content to a recorded call.",
      usage: "meetsim fit camera <file> [<options>]",
      discussion: """
        Prints what to put into a scenario: how many bits the camera's pictures need, as the rate of 720p30. Comments \
        below it state how well that fits each stretch of the call, and what the call does not tell.

        The file is one that 'meetsim import' reads: a table of getStats() samples, about one per second, their JSON, a \
        dump of webrtc-internals or of rtcstats, an RTC event log, or what 'meetsim export' writes. With the encoder's \
        targets (targetBitrate, target_kbps) and the heights of its pictures, the fit holds on a full path too. Best \
        is a call with an ample path, of a minute or more.

        EXAMPLES
          meetsim fit camera call.csv
          meetsim fit camera webrtc_internals_dump.txt --camera SV1 --from 10s
          meetsim fit camera call.csv --capture 1280x720@30
        """)

    @Argument(
      help: "The recorded call, packed or not.",
      completion: .file(extensions: ["csv", "json", "jsonl", "txt", "log", "gz"]))
    var file: String

    @Option(help: "Format of the camera, such as '1280x720@30'; by default as the file has it.")
    var capture: String?

    @Option(
      help: ArgumentHelp(
        "Media source that is the camera, by its id or SSRC; for calls with several.", valueName: "id"))
    var camera: String?

    @Option(
      help: ArgumentHelp("Begin of the part that is fitted, since the call began.", valueName: "time"))
    var from: String?

    @Option(help: ArgumentHelp("End of that part.", valueName: "time"))
    var to: String?

    @OptionGroup var quiet: QuietOption

    func validate() throws {
      _ = try ImportCommand.Options.format(capture)
      _ = try part
    }

    private var part: CallPart {
      get throws {
        var part = try ImportCommand.Options.part(from: from, to: to)
        part.camera = camera
        return part
      }
    }

    func run() throws {
      let (format, part) = (try ImportCommand.Options.format(capture), try part)
      let text = try ImportCommand.Options.checked { () throws(CallRecordError) in
        let record = try CallFile.read(path: file, part)
        for note in record.notes { Terminal.warning("note: \(note)") }
        return try CameraFit(
          record, capture: format, path: file, name: ImportCommand.Options.fileName(file)
        ).text
      }
      Terminal.data(text)
    }
  }
}
