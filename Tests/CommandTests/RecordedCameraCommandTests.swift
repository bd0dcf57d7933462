import Testing

@Suite("Recorded cameras on the command line")
struct RecordedCameraCommandTests {
  private static let files = """
    mkdir "$TMPOUT/s"
    printf 'frame,temporal_id,keyframe,q_bytes\\n0,0,1,900\\n1,0,0,100\\n' >"$TMPOUT/s/frames.csv"
    cat >"$TMPOUT/s/film.yaml" <<'END'
    name: film
    duration: 5s
    participants:
      - {id: ann, publish: {audio: false, camera: {frames: {file: frames.csv, fps: 10, encodings: {q: 320x180}}}}}
      - {id: viewer, view: {everybody: 320x180}}
    END
    """

  private func shell(_ command: String) throws -> (code: Int32, output: String, error: String) {
    try Program.shell("\n" + Self.files + "\n" + command + "\n")
  }

  @Test func aScenarioWithATableBesideItIsCheckedAndRun() throws {
    let checked = try shell("cd / && \"$meetsim\" validate \"$TMPOUT/s/film.yaml\"")
    #expect(checked.code == 0 && checked.output.contains("film.yaml: ok"), "\(checked.error)")
    let run = try shell(
      """
      "$meetsim" run "$TMPOUT/s/film.yaml" --set estimator=oracle -o "$TMPOUT/o" --quiet
      tail -1 "$TMPOUT/o/streams.csv"
      tr -d ' \\n' <"$TMPOUT/o/manifest.json" | grep -o '"traces":.[^]]*'
      sha256sum "$TMPOUT/s/frames.csv"
      """)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(run.code == 0 && lines.count >= 3, "\(run)")
    // Ten frames a second: five of 900 B and five of 100 B, each with 64 B of overhead.
    #expect(lines.first?.contains(",320,180,10.00,\((5 * 964 + 5 * 164) * 8),") == true, "\(lines)")
    #expect(lines[1].contains("\"frames.csv\"") == true, "\(lines)")
  }

  @Test func whatIsWrongInTheTableIsNamedThere() throws {
    let run = try shell(
      "echo 3,0,0,5 >>\"$TMPOUT/s/frames.csv\"; cd \"$TMPOUT/s\" && \"$meetsim\" validate film.yaml")
    #expect(run.code == 2)
    #expect(
      run.error.contains("frames.csv:4:1: error: frame: '3' is not 2: frames are numbered from 0, in order"))
  }
}
