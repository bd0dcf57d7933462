import TestSupport
import Testing

@Suite("The shipped recordings of real servers")
struct RecordedServerTests {
  /// Results match those stated in `docs/livekit.md` and `docs/mediasoup.md`.
  @Test(arguments: ["livekit", "mediasoup"])
  func asManyChecksHoldAsThePageSays(server: String) throws {
    let folder = "\(Repository.root)/docs"
    let run = try Program.shell(
      """
      "$meetsim" verify --sfu \(folder)/\(server)/recordings | awk '/^  all  / { print $2, $3, "the", $4; exit }'
      grep -o '^[0-9]* of the [0-9]* checks on these [a-z]* hold' \(folder)/\(server).md | cut -d' ' -f1-4
      """)
    let lines = run.output.split(separator: "\n")
    try #require(lines.count == 2, "\(run.output)\(run.error)")
    #expect(lines[0] == lines[1])
  }

  @Test func thePagesScenariosAreValid() throws {
    let folder = "\(Repository.root)/docs"
    let run = try Program.shell(
      "\"$meetsim\" validate \(folder)/livekit/liveness.yaml \(folder)/*/recordings/*.yaml | grep -c ': ok'")
    #expect(run.output == "6\n")
  }
}
