import Testing

/// A call of 40 s whose sender sends 480 kbps at 640x360 on a path of more than 2500 kbps.
private let made = """
  awk 'BEGIN { print "timestamp,availableOutgoingBitrate,bytesSent,frameWidth,frameHeight,framesPerSecond";
    for (i = 0; i < 40; i++) printf "%d000,2500000,%d,640,360,30\\n", 1700000000 + i, 60000 * i }' > $TMPOUT/call.csv

  """

@Suite("Imported calls")
struct ImportCommandTests {
  @Test func theRecordedStretchesStandBesideSimulatedOnes() throws {
    let run = try Program.shell(
      made
        + "\"$meetsim\" import getstats $TMPOUT/call.csv -o $TMPOUT/c.yaml --compare --series $TMPOUT/s.csv; "
        + "echo $?; head -3 $TMPOUT/s.csv")
    #expect(run.error.isEmpty, "\(run.error)")
    let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(lines.contains("published simulated tolerance verdict"))
    // The picture size, which an encoder with that much bandwidth would raise, is held until 30 s.
    for window in ["15 to 30 s", "35 to 40 s"] {
      let rate = lines.first { $0.hasPrefix("received of sender, \(window) [kbps] 480 ") }
      #expect(rate?.hasSuffix("±15 % pass") == true, "\(run.output)")
      #expect(lines.contains("height of sender, \(window) 360 360 same or next pass"))
    }
    #expect(lines.contains("4 checks pass, 0 fail"))
    #expect(
      lines.suffix(4) == [
        "0", "t,capacity_kbps,bwe_kbps,recv_bytes,h,fps", "0.0,2500.0,2500.0,0.0,360.0,30.0",
        "1.0,2500.0,2500.0,60000.0,360.0,30.0",
      ])
  }

  @Test func packedFilesAreReadWhateverTheirName() throws {
    let run = try Program.shell(
      made
        + "gzip -c $TMPOUT/call.csv > $TMPOUT/packed; \"$meetsim\" import getstats $TMPOUT/packed | tail -n +2 > $TMPOUT/a; "
        + "\"$meetsim\" import getstats $TMPOUT/call.csv | tail -n +2 > $TMPOUT/b; "
        + "diff $TMPOUT/a $TMPOUT/b | grep -v -e name: -e title: | grep -c '^[<>]'; "
        + "head -c 200 $TMPOUT/packed > $TMPOUT/cut; \"$meetsim\" import getstats $TMPOUT/cut; echo $?")
    #expect(run.output == "0\n2\n")
    #expect(run.error.hasSuffix("/cut': it ends too early: it was cut off\n"), "\(run.error)")
  }

  @Test func aPartOfTheCallIsImported() throws {
    let run = try Program.shell(
      made + "\"$meetsim\" import getstats $TMPOUT/call.csv --from 10s --to 30s | grep duration; "
        + "\"$meetsim\" import getstats $TMPOUT/call.csv --from 30s --to 10s; echo $?; "
        + "\"$meetsim\" import getstats $TMPOUT/call.csv --from soon; echo $?")
    #expect(run.output == "duration: 21s\n2\n2\n")
    #expect(run.error.contains("--to: it is not after --from"))
    #expect(run.error.contains("--from: 'soon' is not a time such as '90s'"))
  }
}
