/// A word, column heading or abbreviation that a command prints.
struct PrintedWord {
  /// Name in the singular, with hyphens for spaces.
  let name: String
  let meaning: String
  var unit = ""
  let command: String

  init(_ name: String, _ meaning: String, unit: String = "", in command: String) {
    self.name = name
    self.meaning = meaning
    self.unit = unit
    self.command = command
  }
}

extension PrintedWord {
  /// Words of `run` and `explain`, notations among them.
  static let ofRuns = [
    // Notations.
    PrintedWord("720p30", "a format: lines, of the shorter side, and frames per second", in: "run"),
    PrintedWord(
      "f.2", "a layer as encoding.temporal: encoding f up to temporal layer 2; of SVC, spatial.temporal",
      in: "explain"),
    PrintedWord("2.1", "a layer as spatial.temporal: spatial layer 2 up to temporal layer 1", in: "explain"),
    PrintedWord(
      "s0", "the lowest spatial layer of a scalable stream; s1 and s2 are above it", in: "table"),
    PrintedWord(
      "q", "the lowest of three simulcast encodings; h is the middle, f the highest, or a lone one",
      in: "explain"),
    PrintedWord("h", "the middle one of three simulcast encodings", in: "explain"),
    PrintedWord("f", "the highest simulcast encoding, or a lone one", in: "explain"),
    PrintedWord("Mpx", "million pixels", unit: "1000000 px", in: "report"),
    PrintedWord("kbps", "thousand bits per second", unit: "1000 bit/s", in: "explain"),
    PrintedWord("k", "thousand, behind a value", in: "compare"),
    PrintedWord("M", "million, behind a value", in: "compare"),
    PrintedWord("G", "thousand million, behind a value", in: "compare"),
    // Summaries of runs.
    PrintedWord("viewer", "who receives video and sees the tiles", in: "run"),
    PrintedWord("source", "who sends it: a participant's camera, or ID/screen for a screen share", in: "run"),
    PrintedWord("tile", "one source on one viewer's screen", in: "run"),
    PrintedWord(
      "of-screen",
      "pixels shown, over those of the tiles while they are on the screen, at 24 frames per second or the capture's rate "
        + "if lower: pixels_of_screen", unit: "%", in: "run"),
    PrintedWord(
      "of-request",
      "pixels shown, over those that the system requested by height and frame rate: pixels_of_request",
      unit: "%", in: "run"),
    PrintedWord(
      "pixel", "one picture element; shares of pixels are of-screen and of-request", unit: "px", in: "run"),
    PrintedWord(
      "freeze",
      "a picture that stands for at least 150 ms longer than the average of the last 30, and three times as long (W3C "
        + "freezeCount): their number, and how long a tile was frozen; of several tiles, the one frozen longest",
      unit: "s",
      in: "run"),
    PrintedWord(
      "main-reason",
      "the limitation behind most of the pixels that tiles lack: delivery or request beside those", in: "run"),
    PrintedWord(
      "delivery",
      "main reason where the layer that was asked for is forwarded, but frames are lost, late or not sent",
      in: "run"),
    PrintedWord(
      "request", "main reason where all that the system requested is shown, and the tile has more pixels",
      in: "run"),
    PrintedWord("worst-tile", "the viewer's tile with the least of its pixels", in: "run"),
    PrintedWord("worst-viewer", "the viewer who gets least of the source's pixels", in: "run"),
    PrintedWord("shown-there", "what the worst tile showed, of what was asked for", in: "run"),
    PrintedWord(
      "asked", "format that the system requested longest; * marks the longest of several", in: "run"),
    PrintedWord(
      "delivered", "median height and mean frame rate that were decoded during that request", in: "run"),
    PrintedWord(
      "as-asked", "share of the time with the height and frame rate that were asked for", unit: "%", in: "run"
    ),
    PrintedWord(
      "bit-rate", "mean rate received while on the screen, headers included", unit: "bit/s", in: "run"),
    PrintedWord("each-other", "every one of the group sees all others of it", in: "run"),
    PrintedWord("except-itself", "every source of the list except the viewer's own", in: "run"),
    PrintedWord(
      "bars", "a share over time, from ▁ for an eighth or less to █ for all; · for none", in: "run"),
    PrintedWord("nothing", "no picture, or no layer", in: "run"),
    // Repetitions.
    PrintedWord(
      "height", "mean of the median heights decoded: frame_height", unit: "px", in: "run --repetitions"),
    PrintedWord(
      "at-asked-height", "share of the time at the requested height: requested_height_share",
      in: "run --repetitions"),
    PrintedWord(
      "frame", "one picture of a video; as a column, frames decoded per second", unit: "Hz",
      in: "run --repetitions"),
    PrintedWord(
      "frozen", "total duration of the freezes: freezes_duration", unit: "s", in: "run --repetitions"),
    PrintedWord("MOS", "mean opinion score, ITU-T P.1203.1, 1 to 5: mos", in: "run --repetitions"),
    // Comparisons.
    PrintedWord("verdict", "what a test or an expectation decides", in: "compare"),
    PrintedWord("change", "what differs between two single runs, without a test", in: "compare"),
    PrintedWord("of", "the subject of a value: its scope, with viewer and source", in: "compare"),
    PrintedWord("metric", "a whole-run value with its statistic and unit", in: "compare"),
    PrintedWord("n", "number of pairs of runs", in: "compare"),
    PrintedWord(
      "base", "mean of the first directory; of several alike subjects, the least and the greatest",
      in: "compare"),
    PrintedWord("new", "mean of the second directory", in: "compare"),
    PrintedWord("by", "difference as a share of base", unit: "%", in: "compare"),
    PrintedWord(
      "interval-of-the-difference",
      "confidence interval of new minus base, at the level of the row's test in Holm's procedure",
      in: "compare"),
    PrintedWord(
      "p", "probability of such a difference by chance, corrected by Holm for the number of rows",
      in: "compare"),
    PrintedWord("better", "a difference in the metric's direction", in: "compare"),
    PrintedWord("worse", "a difference against the metric's direction", in: "compare"),
    PrintedWord("changed", "a difference of a metric without a preferred direction", in: "compare"),
    PrintedWord("vanished", "base has the value, new has none; worse if it could be seen", in: "compare"),
    PrintedWord("appeared", "new has the value, base has none; better if it could be seen", in: "compare"),
    PrintedWord("too-small", "the difference is shown, but less than --min-effect", in: "compare"),
    PrintedWord(
      "not-shown", "no difference could be shown, which does not mean that there is none", in: "compare"),
    PrintedWord("not-enough-runs", "fewer than two pairs of runs", in: "compare"),
    PrintedWord("quality", "metrics of what people see and hear", in: "compare"),
    PrintedWord("cost", "metrics of what it takes of links, data plans and devices", in: "compare"),
    PrintedWord("cause", "metrics of how it comes about", in: "compare"),
    // Expectations.
    PrintedWord("expectation", "a value of the meeting that a scenario bounds in expect", in: "check"),
    PrintedWord("point", "one combination of a sweep's variables", in: "check"),
    PrintedWord("expected", "relation and bound of an expectation", in: "check"),
    PrintedWord("measured", "mean, or quantile, of a value over the runs", in: "check"),
    PrintedWord(
      "interval", "confidence interval of what was measured, with its level and the number of runs",
      in: "check"),
    PrintedWord("pass", "the whole interval keeps the bound", in: "check"),
    PrintedWord("fail", "the whole interval misses the bound, or nothing was measured", in: "check"),
    PrintedWord("inconclusive", "the interval straddles the bound, or no run has finished", in: "check"),
    // Explanations.
    PrintedWord("shown", "format decoded in the last interval", in: "explain"),
    PrintedWord("given", "layer allocated", in: "explain"),
    PrintedWord(
      "capacity", "rate of the narrowest link of the viewer's downlink", unit: "kbps", in: "explain"),
    PrintedWord(
      "not-in-the-estimate", "capacity that the estimator does not credit", unit: "kbps", in: "explain"),
    PrintedWord(
      "estimated-beyond-the-capacity", "estimate above the link's capacity", unit: "kbps", in: "explain"),
    PrintedWord(
      "estimate", "estimated capacity of the downlink, headers and voices included", unit: "kbps",
      in: "explain"),
    PrintedWord(
      "held-through-the-dip", "rate kept for running streams while the estimate dips", unit: "kbps",
      in: "explain"),
    PrintedWord(
      "held-by-the-server",
      "rate above the estimate in the capacity that the server has settled on and keeps to", unit: "kbps",
      in: "explain"),
    PrintedWord(
      "not-yet-in-the-server's-budget", "change of the estimate since the server's budget was set",
      unit: "kbps", in: "explain"),
    PrintedWord("voice", "reserve for audio", unit: "kbps", in: "explain"),
    PrintedWord("padding", "reserve for padding", unit: "kbps", in: "explain"),
    PrintedWord("RTP-header", "reserve for headers", unit: "kbps", in: "explain"),
    PrintedWord("retransmission", "reserve for repairs", unit: "kbps", in: "explain"),
    PrintedWord("above-the-viewer's-cap", "what the client does not accept", unit: "kbps", in: "explain"),
    PrintedWord("above-the-server's-own-limit", "what it leaves unused", unit: "kbps", in: "explain"),
    PrintedWord("budget-of-the-videos", "what is left for video: budget_bps", unit: "kbps", in: "explain"),
    PrintedWord(
      "left-for", "budget after the sources that are served before the tile", unit: "kbps", in: "explain"),
    PrintedWord("left-over", "budget that no stream takes", unit: "kbps", in: "explain"),
    PrintedWord(
      "given-beyond-the-budget", "rate that streams take beyond the budget", unit: "kbps", in: "explain"),
    PrintedWord("more-after-it", "sources served after the tile, together", unit: "kbps", in: "explain"),
    PrintedWord("repetition", "a run with the same seed and other draws", in: "explain"),
    // Other commands.
    PrintedWord("published", "value of an experiment as its source states it", in: "verify"),
    PrintedWord(
      "simulated", "value of the same experiment in meetsim; in manifest.json, the time of the meeting",
      in: "verify"),
    PrintedWord("tolerance", "largest difference from the published value that passes", in: "verify"),
    PrintedWord("model", "height or rate that the fitted content gives", in: "fit camera"),
    PrintedWord(
      "limited-by", "what limited a stretch of a recorded call: the sender or the path", in: "fit camera"),
    PrintedWord("warm-up", "beginning of a run that is left out of a steady mean", in: "steady"),
  ]
}
