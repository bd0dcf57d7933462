import ArgumentParser
import Files
import Quantity
import Verification

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Validates the model: reruns published experiments and compares the results.",
    usage: "meetsim verify [<options>]",
    discussion: """
      Prints the published value, simulated value, tolerance, verdict and source of every check. Tolerances are those \
      of the source, if it states any; failing cases are not excluded. Checks that are known to fail are printed as \
      such with the reason (Sources/Verification/Cases/known-failures.csv). Exits with 1 when any other check fails.

      Recorded calls (--calls) are compared file by file with ten simulations of the same setup: the scenario NAME.yaml \
      beside NAME.csv, whose participants are 'sender' and 'receiver', or else a browser with a 720p30 camera, a path \
      shaped to the recorded capacity with a queue of 300 ms and no other delay, everything else unconstrained. A call \
      is divided where its links or the traffic beside it change; the last third of a part counts as settled (at least \
      15 s, at most half), a capacity that follows a trace after the first third of the call. One rule holds for all of \
      a kind: settled means of rates and estimates within 15 %, median round trips within 15 % or 1 ms, heights \
      equal in 90 % of the settled seconds, median frame rates within 10 %, times within 30 %, freezes and \
      counts of packets within 2 or 30 %. A table at the end counts what passes of each kind, apart for \
      recordings to which the model was fitted. Each file is a CSV with about one row per second and at least \
      these columns, in any order; an empty field is a value that the browser had not reported yet.

        p2p-*.csv   one sender with audio and one video encoding, one receiver
          t              seconds since the call began
          capacity_kbps  shaped capacity of the path (or up_kbps); not needed
                         beside a scenario
          bwe_kbps       sender: availableOutgoingBitrate of the candidate pair
          recv_bytes     receiver: bytesReceived + headerBytesReceived of the video
          h, fps         receiver: frameHeight, framesPerSecond
          freeze         receiver: freezeCount
          target_kbps, rtt_ms, freeze_s, lost, nack, rtx, keyframes,
          pli            compared where they are there

        sim-*.csv   one publisher of VP8 encodings l, m, h to Janus, one viewer
          t                seconds since the viewer joined
          up_kbps          shaped capacity of the publisher's uplink
                           (or capacity_kbps)
          substream        requested by the viewer: 0 is h, 1 m, 2 l
          l_bytes, m_bytes, h_bytes
                           publisher: bytesSent + headerBytesSent
          h                viewer: frameHeight

      Recorded meetings of an SFU (--sfu) are compared on their own. Each is a NAME.csv and its setup as a scenario, \
      NAME.yaml, whose participant 'viewer' is the one that was recorded; second 0 is when it joined. Ten seeds are \
      simulated, in which the publishers join up to half a second later, and their means compared with the recording: \
      over windows of time, by bounds that two recordings of one setup keep in about three of four checks. NAMEb.csv \
      and NAMEc.csv are repetitions: what reality holds of itself by the same bounds stands beside. NAME-server.csv \
      (t,event) is what the server logged of itself, not judged. '!' marks a miss.

        NAME.csv   cumulative counters, a row for each second and publisher
          t              seconds since the viewer joined
          publisher      id in the scenario; without it, the scenario has one
          bytes          bytesReceived + headerBytesReceived
          lost, frames   packetsLost, framesDecoded
          h              frameHeight now
          freeze_s       totalFreezesDuration
          capacity_kbps  of the viewer's link, for plots (a room: down_kbps)

      EXAMPLES
        meetsim verify
        meetsim verify --only rfc8867-5.1 --csv
        meetsim verify --series rates.csv --only rfc8867
        meetsim verify --calls recordings --only call
        meetsim verify --sfu recordings -o simulated
      """)

  @Option(
    help: ArgumentHelp("Runs only the cases whose names start with this; can be repeated.", valueName: "name")
  )
  var only: [String] = []

  @Flag(
    help: """
      Writes CSV to standard output: case, metric, published, simulated, tolerance, verdict, source; \
      with --sfu also from_s, to_s, against.
      """)
  var csv = false

  @Option(
    help: ArgumentHelp(
      "Also writes the cases' time series as case,quantity,name,time_s,value, for plotting.",
      valueName: "file"))
  var series: String?

  @Option(
    help: ArgumentHelp(
      "Folder of recorded calls to compare with: NAME.csv with NAME.yaml, p2p-*.csv, sim-*.csv.",
      valueName: "dir")
  )
  var calls: String?

  @Option(
    help: ArgumentHelp(
      "Compares only the recorded meetings of an SFU in this folder: NAME.csv, each with its NAME.yaml.",
      valueName: "dir"))
  var sfu: String?

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "With --sfu, also writes a NAME.csv of the first seed's run in the format of the recording.",
      valueName: "dir"))
  var output: String?

  @Flag(help: "Replaces files of these names in the output's folder.")
  var force = false

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    try Output.checkName(series, option: "--series")
    try Output.checkName(output)
    if sfu != nil, calls != nil || series != nil {
      throw ValidationError("--sfu goes without --calls and --series")
    }
    if sfu == nil, output != nil { throw ValidationError("-o goes with --sfu") }
  }

  func run() throws {
    if let sfu {
      return try RecordedMeetingRun(folder: sfu, only: only, isCSV: csv, output: output, force: force).run()
    }
    if let calls, !Directory.leadsToDirectory(calls) {
      Terminal.error("error: --calls '\(calls)': there is no such folder")
      throw ExitCode(2)
    }
    try Output.checkApart(series, from: calls.map { [$0] } ?? [])
    let all = Verification.cases(calls: calls)
    let chosen = all.filter { one in only.isEmpty || only.contains { one.name.hasPrefix($0) } }
    guard !chosen.isEmpty else {
      Terminal.error(
        "error: --only: no case name starts with '\(only.joined(separator: "' or '"))'; the cases are:")
      for one in all { Terminal.error("  \(one.name)") }
      throw ExitCode(2)
    }
    let defects = chosen.compactMap(\.defect)
    guard defects.isEmpty else {
      for defect in defects { Terminal.error(defect) }
      throw ExitCode(2)
    }
    // Opened first, so that an unwritable output fails before the cases run.
    var output: OutputFile?
    if let series { output = try Output.open(series) }
    var table = VerificationTable(isCSV: csv)
    var points = "case,quantity,name,time_s,value\n"
    table.begin()
    let progress = VerificationProgress(total: chosen.count)
    for (place, one) in chosen.enumerated() {
      if Terminal.isClosed, series == nil { break }
      progress.update(done: place, name: one.name)
      let outcome = one.run()
      progress.clear()
      table.add(one, outcome)
      for line in outcome.series {
        for point in line.points {
          points += CSVLine.text(of: [
            one.name, line.quantity, line.name, Self.decimal(point.time), Self.decimal(point.value),
          ])
        }
      }
    }
    table.end()
    do throws(FileError) {
      try output?.write(Array(points.utf8))
      try output?.finish()
    } catch {
      guard error.isClosedPipe else { throw Output.exitCode(after: error) }
    }
    if table.failed > 0 { throw ExitCode(1) }
  }

  /// Formats a value with at most three decimals, always with a decimal point.
  private static func decimal(_ value: Double) -> String {
    ((value * 1000).rounded() / 1000).decimalText
  }
}

/// Shows the running case on standard error, if that is a terminal.
private struct VerificationProgress {
  let total: Int

  func update(done: Int, name: String) {
    guard Terminal.showsProgress else { return }
    Terminal.progress("case \(done + 1) of \(total): \(name)".printable)
  }

  func clear() { if Terminal.showsProgress { Terminal.progress("") } }
}
