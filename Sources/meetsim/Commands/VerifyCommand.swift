import ArgumentParser
import Files
import Verification

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Reruns the published experiments that the model is held against.",
    discussion: """
      Prints published value, simulated value, tolerance, verdict and source of every check. Tolerances are those of \
      the source where it has any; no case is left out because it fails.

      A folder of recorded calls (--calls) is compared file by file with the same set-up here: a browser's camera of \
      720p30, a path shaped to the recorded capacity with a queue of 300 ms and no other delay, all else ample. Each \
      file is a CSV with a row about once a second and these columns among others, in any order; an empty field is a \
      value that the browser did not have yet.

        p2p-*.csv   one sender of a voice and one encoding, one receiver
          t              seconds since the call began
          capacity_kbps  what the path was shaped to (or up_kbps)
          bwe_kbps       sender: availableOutgoingBitrate of the candidate pair
          recv_bytes     receiver: bytesReceived + headerBytesReceived of the video
          h, fps         receiver: frameHeight, framesPerSecond
          freeze         receiver: freezeCount

        sim-*.csv   one publisher of VP8 encodings l, m, h to Janus, one viewer
          t                seconds since the viewer came
          up_kbps          what the publisher's uplink was shaped to
                           (or capacity_kbps)
          substream        what the viewer asked for: 0 is h, 1 m, 2 l
          l_bytes, m_bytes, h_bytes
                           publisher: bytesSent + headerBytesSent
          h                viewer: frameHeight

      EXAMPLES
        meetsim verify
        meetsim verify --only rfc8867-5.1 --csv
        meetsim verify --series rates.csv --only rfc8867
        meetsim verify --calls recordings --only call
      """)

  @Option(
    help: ArgumentHelp("Run only cases whose name begins with this; may be repeated.", valueName: "name"))
  var only: [String] = []

  @Flag(help: "Write case,metric,published,simulated,tolerance,verdict,source to standard output.")
  var csv = false

  @Option(
    help: ArgumentHelp(
      "Also write the cases' series as case,quantity,name,time_s,value, for plotting.", valueName: "file"))
  var series: String?

  @Option(
    help: ArgumentHelp(
      "Folder of recorded calls, p2p-*.csv and sim-*.csv, to compare with; skipped where it has none.",
      valueName: "dir")
  )
  var calls = "../shared/calls"

  func run() throws {
    let all = Verification.cases(calls: calls)
    let chosen = all.filter { one in only.isEmpty || only.contains { one.name.hasPrefix($0) } }
    guard !chosen.isEmpty else {
      Terminal.error("no case begins with '\(only.joined(separator: "' or '"))'; the cases are:")
      for one in all { Terminal.error("  \(one.name)") }
      throw ExitCode(2)
    }
    let defects = chosen.compactMap(\.defect)
    guard defects.isEmpty else {
      for defect in defects { Terminal.error(defect) }
      throw ExitCode(2)
    }
    var table = VerificationTable(isCSV: csv)
    var points = "case,quantity,name,time_s,value\n"
    table.begin()
    for one in chosen {
      let outcome = one.run()
      table.add(one, outcome)
      for line in outcome.series {
        for point in line.points {
          let values = "\(Self.decimal(point.time)),\(Self.decimal(point.value))"
          points += "\(one.name),\(line.quantity),\(line.name),\(values)\n"
        }
      }
    }
    table.end()
    if let series {
      do {
        try WholeFile.write(Array(points.utf8), to: series)
      } catch {
        Terminal.error("\(error)")
        throw ExitCode(3)
      }
    }
    if table.failed > 0 { throw ExitCode(1) }
  }

  /// Three decimals, always with a point.
  private static func decimal(_ value: Double) -> String {
    "\((value * 1000).rounded() / 1000)"
  }
}
