import TestSupport
import Testing

/// A meeting's memory use: stated, refused if the machine has too little, and independent of the meeting's length.
@Suite("Memory", .serialized)
struct MemoryCommandTests {
  /// Writes `$TMPOUT/meeting.yaml`, in which everybody views all publishers.
  private func meeting(
    publishers: Int, watchers: Int, capacity: String = "4 Mbps", duration: String = "6s"
  ) -> String {
    """
    cat > $TMPOUT/meeting.yaml <<END
    name: crowd
    duration: \(duration)
    policy: stream
    links: {home: {capacity: \(capacity), delay: 20 ms}}
    participants:
      - {id: pub, count: \(publishers), up: home, down: home, publish: {camera: 720p30}, view: {everybody: 640x360}}
      - {id: w, count: \(watchers), up: home, down: home, view: {everybody: 640x360}}
    END

    """
  }

  /// Reads the peak memory [MB] from the last manifest written.
  private let peak =
    "sed -n 's/.*\"peak_memory_bytes\": *\\([0-9]*\\)[0-9]\\{6\\}.*/\\1/p' $TMPOUT/res/manifest.json"

  private let run = "\"$meetsim\" run $TMPOUT/meeting.yaml -q -o $TMPOUT/res"

  @Test(.enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"), arguments: [(2, 50), (3, 300), (12, 60)])
  func validateStatesTheMemoryThatARunTakes(publishers: Int, watchers: Int) throws {
    let stated = try Program.shell(
      meeting(publishers: publishers, watchers: watchers)
        + "\"$meetsim\" validate $TMPOUT/meeting.yaml; \(run); \(peak)")
    let lines = stated.output.split(separator: "\n")
    let need = try #require(
      lines.first?.split(separator: " ").dropLast(3).last.flatMap { Double($0) }, "\(stated.output)")
    let taken = try #require(lines.last.flatMap { Double($0) }, "\(stated.output)")
    #expect(taken > 0.55 * need && taken < 1.15 * need, "\(taken) MB taken of \(need) stated")
  }

  /// 30,000 viewers of 100 publishers take more than 100 GB.
  @Test func aMeetingThatDoesNotFitIsRefusedBeforeItRuns() throws {
    let isLarge = try Program.shell("awk '/MemTotal/ {exit $2 < 100000000}' /proc/meminfo").code == 0
    guard !isLarge else { return }
    let refused = try Program.shell(
      meeting(publishers: 100, watchers: 30_000, capacity: "1 Gbps", duration: "100 ms") + run)
    #expect(refused.code == 2)
    #expect(refused.error.contains("meeting.yaml:1:1: error: the meeting needs about "))
    #expect(refused.error.contains(" GB are available: fewer participants, sources or tiles take less"))
  }

  /// The largest point of a sweep counts, before any worker starts, in a dry run as well.
  @Test func aSweepWithAMeetingThatDoesNotFitIsRefused() throws {
    let isLarge = try Program.shell("awk '/MemTotal/ {exit $2 < 100000000}' /proc/meminfo").code == 0
    guard !isLarge else { return }
    let sweep =
      meeting(publishers: 100, watchers: 2, capacity: "1 Gbps", duration: "100 ms")
      + "cd $TMPOUT; printf 'name: w\\nscenario: meeting.yaml\\nvariables: {n: {path: participants.w.count, values: [2, 30000]}}\\n' "
      + "> w.yaml; "
    let run = try Program.shell(
      sweep
        + "\"$meetsim\" sweep w.yaml -q -o a; echo $?; ls -d a 2>/dev/null; \"$meetsim\" sweep w.yaml --dry-run -q; echo $?; "
        + "\"$meetsim\" sweep w.yaml -q -o a --filter 'n < 3'; echo $?")
    #expect(run.output == "2\n2\n0\n", "\(run.output)\(run.error)")
    #expect(
      run.error.contains("w.yaml:3:") && run.error.contains(": error: the meeting of point p2 needs about "))
  }

  #if os(Linux)
    /// The address space that `ulimit` leaves counts like memory.
    @Test(.enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"), arguments: ["-v 1000000", "-d 900000"])
    func aLimitOfTheProcessCounts(limit: String) throws {
      let run = try Program.shell(
        meeting(publishers: 25, watchers: 3000)
          + "cd $TMPOUT; (ulimit \(limit); \"$meetsim\" run meeting.yaml -q; echo $?; \"$meetsim\" run \(Repository.root)/scenarios/"
          + "one-to-one.yaml -q --set duration=1s --set timeline=[] --set expect=[]; echo $?)")
      #expect(run.output == "2\n0\n", "\(run.output)\(run.error)")
      #expect(run.error.contains("meeting.yaml:1:1: error: the meeting needs about "), "\(run.error)")
    }
  #endif

  /// A tenth of the hundredth that `Tests/Long/run.sh` runs, and that hundredth.
  @Test(.enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"))
  func aLongerMeetingTakesNoMoreMemory() throws {
    let both = try Program.shell(
      """
      for minutes in 3 30; do
        "$meetsim" run scenarios/one-to-one.yaml --set "duration=$minutes min" --interval 10s -q --force -o $TMPOUT/res
        sed -n 's/.*"peak_memory_bytes": *\\([0-9]*\\).*/\\1/p' $TMPOUT/res/manifest.json
      done
      """)
    let peaks = both.output.split(separator: "\n").compactMap { Double($0) }
    try #require(peaks.count == 2, "\(both.output) \(both.error)")
    #expect(peaks[1] < 1.1 * peaks[0], "\(peaks)")
  }

  #if os(Linux)
    /// A run's peak is its own, however much memory the parent process uses.
    @Test(.enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"))
    func theMemoryOfItsParentIsNotARuns() throws {
      let run = try Program.shell(
        "perl -e '$x = \"x\" x 300_000_000; exit system @ARGV' \"$meetsim\" run scenarios/one-to-one.yaml -q -o $TMPOUT/res "
          + "&& \(peak)")
      let taken = try #require(
        Double(run.output.trimmingPrefix(" ").prefix { $0 != "\n" }), "\(run.output)\(run.error)")
      #expect(taken > 5 && taken < 150, "\(taken) MB")
    }
  #endif
}
