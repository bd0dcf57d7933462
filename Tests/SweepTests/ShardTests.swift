import Sweep
import Testing

@Suite("Shards")
struct ShardTests {
  private func shard(_ text: String, _ environment: [String: String] = [:]) -> String {
    do {
      let shard = try SweepSettings.Shard(text) { environment[$0] }
      return "\(shard.index)/\(shard.count)"
    } catch {
      return error.description
    }
  }

  @Test(arguments: ["1/1", "2/4", "4/4"])
  func aPartIsNamedFromOne(text: String) { #expect(shard(text) == text) }

  @Test(arguments: ["0/4", "5/4", "x/4", "-1/4", "1/0"])
  func aPartThatIsNotThereIsRefused(text: String) {
    #expect(shard(text).hasPrefix("'\(text)' is not I/N"))
  }

  @Test(arguments: ["", "1", "1/2/3", "auto/x", "auto/0", "1/999999999"])
  func anythingElseIsRefused(text: String) { #expect(shard(text).contains("is not I/N")) }

  @Test(arguments: [
    (
      [
        "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_STEP": "2",
        "SLURM_ARRAY_TASK_COUNT": "4",
      ], "auto", "3/4"
    ),
    (
      ["SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_COUNT": "1"], "auto/4",
      "3/4"
    ),
    (["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5"], "auto", "2/5"),
    (["CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "3"], "auto", "1/3"),
    (["BUILDKITE_PARALLEL_JOB": "2", "BUILDKITE_PARALLEL_JOB_COUNT": "3"], "auto", "3/3"),
    (["JOB_COMPLETION_INDEX": "0"], "auto/6", "1/6"),
    (["AWS_BATCH_JOB_ARRAY_INDEX": "4", "AWS_BATCH_JOB_ARRAY_SIZE": "9"], "auto", "5/9"),
    (["AWS_BATCH_JOB_ARRAY_INDEX": "4"], "auto/5", "5/5"),
    (["PBS_ARRAY_INDEX": "2"], "auto/2", "2/2"),
    (
      ["SGE_TASK_ID": "30", "SGE_TASK_FIRST": "10", "SGE_TASK_LAST": "40", "SGE_TASK_STEPSIZE": "10"], "auto",
      "3/4"
    ),
  ])
  func everySystemTellsAPart(environment: [String: String], text: String, expected: String) {
    #expect(shard(text, environment) == expected)
  }

  @Test(arguments: [
    [
      "SLURM_ARRAY_TASK_ID": "\(Int.min)", "SLURM_ARRAY_TASK_MIN": "\(Int.max)",
      "SLURM_ARRAY_TASK_COUNT": "3",
    ],
    ["SLURM_ARRAY_TASK_ID": "\(Int.max)", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_COUNT": "3"],
    ["SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "\(Int.max)"],
    ["CIRCLE_NODE_INDEX": "\(Int.max)", "CIRCLE_NODE_TOTAL": "3"],
    ["CI_NODE_INDEX": "\(Int.min)", "CI_NODE_TOTAL": "3"],
    ["SGE_TASK_ID": "1", "SGE_TASK_FIRST": "1", "SGE_TASK_LAST": "\(Int.max)", "SGE_TASK_STEPSIZE": "1"],
    [
      "SGE_TASK_ID": "1", "SGE_TASK_FIRST": "\(Int.min)", "SGE_TASK_LAST": "\(Int.max)",
      "SGE_TASK_STEPSIZE": "-1",
    ],
  ])
  func extremeNumbersAreRefused(environment: [String: String]) {
    let text = shard("auto", environment)
    #expect(text.contains("is out of range") || text.hasSuffix("use auto/N"), "\(text)")
  }

  @Test func whatIsUnknownIsAnErrorAndNotTheWhole() {
    #expect(
      shard("auto").hasPrefix(
        "cannot determine the shard from the environment (looked for SLURM_ARRAY_TASK_ID, "))
    #expect(shard("auto/3").hasSuffix("use I/N"))
    // Grid Engine's value outside an array job.
    #expect(shard("auto", ["SGE_TASK_ID": "undefined"]).hasSuffix("use I/N"))
    #expect(
      shard("auto", ["JOB_COMPLETION_INDEX": "1"]).hasSuffix("the number of tasks is not known: use auto/N"))
    #expect(
      shard("auto/2", ["JOB_COMPLETION_INDEX": "2"]) == "JOB_COMPLETION_INDEX=2 is out of range for 2 tasks")
  }
}
