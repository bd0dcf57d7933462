import TestSupport
import Testing

/// Memory that a meeting takes: stated, refused where the machine lacks it, and independent of its length.
@Suite("Memory", .serialized)
struct MemoryCommandTests {
  /// Writes `$TMPOUT/meeting.yaml`, in which everybody shows all publishers.
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

  /// In MB, from the last manifest that was written.
  private let peak =
    "sed -n 's/.*\"peak_memory_bytes\": *\\([0-9]*\\)[0-9]\\{6\\}.*/\\1/p' $TMPOUT/res/manifest.json"

  private let run = "\"$meetsim\" run $TMPOUT/meeting.yaml -q -o $TMPOUT/res"

  @Test(arguments: [(2, 50), (3, 300), (12, 60)])
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

  /// 30,000 who show 100 publishers take more than 100 GB.
  @Test func aMeetingThatDoesNotFitIsRefusedBeforeItRuns() throws {
    let isLarge = try Program.shell("awk '/MemTotal/ {exit $2 < 100000000}' /proc/meminfo").code == 0
    guard !isLarge else { return }
    let refused = try Program.shell(
      meeting(publishers: 100, watchers: 30_000, capacity: "1 Gbps", duration: "100 ms") + run)
    #expect(refused.code == 2)
    #expect(refused.error.contains("meeting.yaml:1:1: error: the meeting needs about "))
    #expect(refused.error.contains(" GB are available: fewer participants, sources or tiles take less"))
  }

  /// A tenth of `Tests/Long/run.sh`'s hundredth, and that hundredth.
  @Test func aLongerMeetingTakesNoMoreMemory() throws {
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
}
