/// Words of pages, and of commands other than those on one run.
extension Reference {
  static let otherWords = [
    // Pages, beside the words of `run` and `explain`.
    PrintedWord("when", "time of the meeting, or the stretch that a row is about", unit: "s", in: "report"),
    PrintedWord("speed", "seconds of the meeting that a replay shows in a second", in: "report"),
    PrintedWord("who", "participant or link that an event is about", in: "report"),
    PrintedWord("what", "kind of a worst moment: shown less than asked, or a freeze", in: "report"),
    PrintedWord("got", "median format decoded over the stretch", in: "report"),
    PrintedWord("because-of", "limitation that held for most of the stretch", in: "report"),
    PrintedWord("remark", "runs, level or interval behind a verdict", in: "report"),
    PrintedWord("allocated", "height of the layer given: target_height_px", unit: "px", in: "report"),
    PrintedWord("before", "layer that was given until the decision: previous", in: "report"),
    PrintedWord(
      "given-before", "rate of the sources that are served before: given_before_bps", unit: "bit/s",
      in: "report"),
    PrintedWord("left-for-it", "budget less what was given before", unit: "bit/s", in: "report"),
    PrintedWord(
      "missing-for-the-next", "budget that the next layer lacks: missing_bps", unit: "bit/s", in: "report"),
    PrintedWord("budget", "rate that a decision has for video: budget_bps", unit: "bit/s", in: "report"),
    PrintedWord("cap", "limit of a budget by a client or a server: cap_bps", unit: "bit/s", in: "report"),
    PrintedWord(
      "repair", "part of the estimate kept for retransmissions: repair_bps", unit: "bit/s", in: "report"),
    PrintedWord(
      "header", "part of the estimate kept for RTP headers: header_bps", unit: "bit/s", in: "report"),
    PrintedWord(
      "decoded", "size and frame rate of the pictures that were decoded in the interval", in: "report"),
    PrintedWord("opinion-score", "mean opinion score, ITU-T P.1203.1, 1 to 5: mos", in: "report"),
    PrintedWord("received", "rate that reached the viewer: down_bitrate_bps", unit: "bit/s", in: "report"),
    PrintedWord(
      "received-by-the-SFU", "rate that reached the server: up_bitrate_bps", unit: "bit/s", in: "report"),
    PrintedWord("line", "height of a picture in pixels", unit: "px", in: "report"),
    PrintedWord("system", "the vendor's client, server and publisher: policy of a scenario", in: "report"),
    PrintedWord("meetsim", "version of the program that wrote the results", in: "report"),
    PrintedWord("B-−-A", "value of the second run less that of the first", in: "report"),
    PrintedWord(
      "not-sent", "the sender's camera is on, but nothing of it is sent to the viewer", in: "report"),
    PrintedWord("camera-off", "the source is muted or gone: muted", in: "report"),
    PrintedWord("off-the-screen", "not in the view, or on another page: hidden", in: "report"),
    PrintedWord(
      "waiting-for-a-key-frame", "forwarded, but not decodable yet: waiting-for-keyframe", in: "report"),
    PrintedWord("holds", "verdict of an expectation whose bound is kept: pass", in: "report"),
    PrintedWord(
      "failed", "verdict of an expectation whose bound is missed, or a run without a result", in: "report"),
    PrintedWord(
      "not-decided", "verdict of an expectation whose interval straddles the bound: inconclusive",
      in: "report"),
    PrintedWord("no-run-finished", "point of a sweep all of whose runs failed or are missing", in: "check"),
    PrintedWord("no-such-point", "combination of values that is no point of the sweep", in: "check"),
    PrintedWord(
      "baseline", "point that the others are compared with, by runs of the same repetition", in: "report"),
    PrintedWord(
      "difference", "mean of a point less that of the baseline or of the scenario as it is", in: "report"),
    PrintedWord("around-0", "interval of the difference beside zero, drawn", in: "report"),
    PrintedWord(
      "pair", "two runs with the same repetition: number of those behind a difference", in: "report"),
    PrintedWord("without-result", "number of runs that failed or are missing", in: "report"),
    PrintedWord(
      "point-on-the-front", "point that no other beats in both quality and bandwidth", in: "report"),
    PrintedWord(
      "bandwidth-of-a-point", "rate that the viewer receives: mean of bitrate", unit: "bit/s", in: "report"),
    // Changes of a scenario.
    PrintedWord("variant", "a scenario with a named change, or as it is", in: "what-if"),
    PrintedWord("as-it-is", "the scenario without a change", in: "what-if"),
    PrintedWord(
      "clearly-better", "the interval of the difference excludes zero on the metric's good side",
      in: "what-if"),
    PrintedWord(
      "clearly-worse", "the interval of the difference excludes zero on the metric's bad side", in: "what-if"),
    PrintedWord("same-in-all-runs", "no repetition of the variant has another value", in: "what-if"),
    PrintedWord("no-longer-shown", "a tile that the variant takes from the screen", in: "what-if"),
    PrintedWord("unchanged", "the same value in both results", in: "compare"),
    // Sweeps.
    PrintedWord("ok", "a run with a result", in: "status"),
    PrintedWord("missing", "a run that has not been executed", in: "status"),
    PrintedWord("invalid", "a run whose scenario cannot be read", in: "status"),
    PrintedWord("probe-run", "a run that is executed to estimate the time of all", in: "sweep"),
    // Traces, experiments and recorded calls.
    PrintedWord(
      "percentile", "value that this share of the trace's seconds stays below", unit: "%", in: "trace info"),
    PrintedWord("p5", "rate that 5 % of the trace's seconds stay below", unit: "kbps", in: "trace info"),
    PrintedWord("longest-outage", "longest time without capacity", unit: "ms", in: "trace info"),
    PrintedWord("case", "name of an experiment", in: "verify"),
    PrintedWord("known-failure", "a check that fails for a stated reason", in: "verify"),
    PrintedWord("against", "what a recording is held against", in: "verify"),
    PrintedWord("from_s", "beginning of a stretch of a recording", unit: "s", in: "verify"),
    PrintedWord("to_s", "end of a stretch of a recording", unit: "s", in: "verify"),
    PrintedWord("recorded", "value of a recorded call", in: "import"),
    PrintedWord("batch", "part of a run whose mean counts as one value", in: "steady"),
    PrintedWord("autocorrelation", "correlation of the means of neighbouring batches", in: "steady"),
    // Units.
    PrintedWord("px", "pixel", unit: "1 px", in: "table"),
    PrintedWord("px/s", "pixels per second", unit: "1 px/s", in: "compare"),
    PrintedWord("Mbit/s", "million bits per second", unit: "1000000 bit/s", in: "report"),
    PrintedWord("Mbps", "million bits per second", unit: "1000000 bit/s", in: "check"),
    PrintedWord("MB", "million bytes", unit: "1000000 byte", in: "compare"),
    PrintedWord("Hz", "per second: frames per second", unit: "1/s", in: "table"),
    PrintedWord("frames/s", "frames per second", unit: "1/s", in: "report"),
    PrintedWord("%", "hundredth", unit: "0.01", in: "run"),
  ]
}
