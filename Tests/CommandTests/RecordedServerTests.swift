import TestSupport
import Testing

@Suite("The shipped recordings of a real server")
struct RecordedServerTests {
  /// As `docs/livekit.md` says.
  @Test func asManyChecksHoldAsThePageSays() throws {
    let folder = "\(Repository.root)/docs"
    let run = try Program.shell(
      """
      "$meetsim" verify --sfu \(folder)/livekit/recordings | awk '/^  all  / { print $2, $3, "the", $4; exit }'
      grep -o '^[0-9]* of the [0-9]* checks on these three hold' \(folder)/livekit.md | cut -d' ' -f1-4
      """)
    let lines = run.output.split(separator: "\n")
    try #require(lines.count == 2, "\(run.output)\(run.error)")
    #expect(lines[0] == lines[1])
  }

  @Test func thePagesScenariosAreValid() throws {
    let folder = "\(Repository.root)/docs/livekit"
    let run = try Program.shell(
      "\"$meetsim\" validate \(folder)/liveness.yaml \(folder)/recordings/*.yaml | grep -c ': ok'")
    #expect(run.output == "4\n")
  }
}
