import Testing

/// A run whose participant receives `$1` bit/s in successive intervals.
private let made = """
  series() {
    mkdir -p $TMPOUT/r; echo run_id,time_s,participant,down_bitrate_bps > $TMPOUT/r/participants.csv
    awk "$1" >> $TMPOUT/r/participants.csv
  }

  """

@Suite("Steady states of one run")
struct SteadyCommandTests {
  /// A warm-up of 10 s at 0, then 90 s that alternate between 90 and 110: the mean of the rest is 100.
  private let alternating =
    made
    + "series 'BEGIN { for (i = 1; i <= 100; i++) print \"r,\" i \".000,ann,\" (i <= 10 ? 0 : 90 + i % 2 * 20) }'; "

  @Test func theWarmUpIsLeftOutAndTheRestEstimated() throws {
    let run = try Program.shell(
      alternating + "\"$meetsim\" steady $TMPOUT/r down_bitrate_bps --participant ann --batches 9")
    #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
    #expect(
      run.output == """
        mean      100.0 bit/s
        interval  100.0 to 100.0 bit/s (95 %, Student-t)
        warm-up   10 s of 100 s (MSER-5)
        batches   9 of 10 s, lag-1 autocorrelation 0.0

        """)
  }

  @Test func aWarmUpOfOnesOwnIsTaken() throws {
    let run = try Program.shell(
      alternating
        + "\"$meetsim\" steady $TMPOUT/r down_bitrate_bps --participant ann --warm-up 0s --batches 10")
    #expect(run.output.hasPrefix("mean      90.0 bit/s\n"))
    #expect(run.output.contains("warm-up   0 s of 100 s (as requested)\n"))
  }

  @Test func aRunWithoutSteadyStateIsWarnedOf() throws {
    let run = try Program.shell(
      made + "series 'BEGIN { for (i = 1; i <= 100; i++) print \"r,\" i \".000,ann,\" i }'; "
        + "\"$meetsim\" steady $TMPOUT/r down_bitrate_bps --participant ann --batches 10")
    #expect(run.code == 0)
    #expect(run.error.contains("too short to separate the warm-up") && run.error.contains("correlated"))
  }

  @Test(arguments: [
    ("down_bitrate_bps --participant bob", "fewer than two intervals of participant 'bob'"),
    ("bitrate --participant ann", "no column 'bitrate': the columns are participant, down_bitrate_bps"),
    ("down_bitrate_bps --participant ann --batches 95", "90 of 100 intervals are left"),
    ("down_bitrate_bps --participant ann --batches 2", "--batches '2' is out of range"),
    ("down_bitrate_bps", "name one series"), ("x --viewer ann", "name one series"),
    ("x --link home", "cannot read"), ("x --participant ann --warm-up soon", "--warm-up: "),
    ("x --participant ann --level 20", "--level: '20' has no unit"),
    ("x --participant ann --level '20 %'", "--level '20 %' is out of range"),
  ])
  func whatCannotBeEstimatedEndsWith2(arguments: String, expected: String) throws {
    let run = try Program.shell(alternating + "\"$meetsim\" steady $TMPOUT/r \(arguments)")
    #expect(run.code == 2 && run.error.contains(expected), "\(run.error)")
  }
}
