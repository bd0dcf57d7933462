import Allocation
import Ladder
import Meeting
import Metrics
import Quantity
import Scenario
import Systems
import TextLayout

/// Text for people.
extension Explanation {
  var text: String {
    let own = decision.own
    let shown = decision.shown.format.map { "\($0)" } ?? "nothing"
    func wrapped(_ texts: [String]) -> [String] {
      texts.flatMap { $0.wrapped(to: Terminal.width) }
    }
    var parts = [
      wrapped(
        [
          "\(viewer) sees \(source) at \(moment.secondsText) s: shown \(shown), given \(own.text), "
            + "asked \(own.requested): \(limitation)"
        ] + notes),
      ["state at \(moment.secondsText) s" + (isUnchanged ? ", as decided at \(decidedAt):" : ":")]
        + now.lines
        + wrapped([decision.state.arrivalText(of: source, isGiven: decision.own.given != nil)]),
    ]
    if isUnchanged {
      parts.append(wrapped(["Decided" + ruleText]))
    } else {
      parts.append(
        ["decided at \(decidedAt):"] + decided.lines
          + wrapped([decision.remeasured, "Decided" + ruleText].compactMap(\.self)))
    }
    if !decision.freezes.isEmpty { parts.append(wrapped(decision.freezes.map(sentence))) }
    parts.append(wrapped(sentences))
    return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private var decidedAt: String { "\(decision.at.secondsText) s" }

  private var ruleText: String {
    " by \(decision.row.rule)" + (rule.map { ": \($0.sentence(with: settings)) [\($0.source)]" } ?? "")
  }

  /// Sentences on what the limitation means here, and on the state of the source's encodings.
  private var notes: [String] {
    let state = decision.state
    let word = decision.shown.limitation
    let isShort = word == .none && !(decision.shown.format?.meets(decision.own.requested) ?? false)
    let meaning = isShort ? "what it is given is what was asked for" : word.meaning
    var notes = ["\(word.rawValue): \(meaning)."]
    if lacksFrames, let shown = decision.shown.format {
      let asked = Double(decision.own.requested.milliFramesPerSecond) / 1000 * decision.shown.seen.seconds
      let frames =
        decision.shown.isPartial
        ? "Of \(Int(asked.rounded())) frames in the \(decision.shown.seen.secondsText) s since the tile appeared "
          + "\(decision.shown.frames) are shown"
        : "Of \(Self.rate(decision.own.requested)) frames per second \(Self.rate(shown)) are shown"
      notes.append("\(frames): the others were not sent, were lost, or came too late.")
    }
    if !decision.row.reason.isEmpty, decision.row.reason != word.rawValue {
      notes.append(
        "'\(decision.row.reason)' when it was decided; '\(word.rawValue)' is what limits the tile at this moment."
      )
    }
    if case .bandwidth = word, decision.own.isGivenAll {
      notes.append("It is given all that was asked for: what is missing was lost, or waits in a queue.")
    }
    if let relaxed = decision.relaxed { notes.append(relaxed) }
    if case .bandwidth = word, disturbances.outages.isEmpty, let link = state.link,
      !state.isDownlinkFull, !state.budget.total.admits(state.taken),
      link.capacity > state.taken.scaled(by: 1.2)
    {
      notes.append("The link would carry what is given, and by the estimate it would not.")
    }
    notes += disturbances.sentences(at: moment)
    if case .hold = word {
      notes.append("The rule or the encoder waits: it is not the budget that limits the tile.")
    }
    if let unacted = state.unactedChange { notes.append(unacted) }
    let missing = state.encodings.compactMap { encoding in
      encoding.reach.text.map { "\(encoding.name) (\($0))" }
    }
    if !missing.isEmpty, !state.isDirect, word != .muted {
      notes.append(
        "Encodings of \(source) that the server cannot choose: \(missing.joined(separator: ", ")).")
    }
    if let idle = state.idleRate {
      let layers = idle.layers == 1 ? "the lowest layer is" : "the \(idle.layers) lower layers are"
      notes.append(
        "Of \(Waterfall.kilobits(idle.target)) kbps that the encoder of \(source) may use, "
          + "\(Waterfall.kilobits(idle.target - idle.used)) bring nothing: \(layers) full at "
          + "\(Waterfall.kilobits(idle.used)) kbps, and the next one begins at \(Waterfall.kilobits(idle.start)) kbps."
      )
    }
    if let excess = decision.excess(unpaused, at: decidedAt) { notes.append(excess) }
    if word != .muted, let wait = state.waitText(isOver: decision.goesOn(after: moment)) {
      notes.append(wait)
    }
    return notes
  }

  /// Returns a format's frame rate in words.
  private static func rate(_ format: VideoFormat) -> String {
    let rate = format.framesPerSecond
    return rate == rate.rounded() ? "\(Int(rate))" : "\(rate)"
  }

  /// Returns a sentence on how long a picture was frozen, and where the next one was held up; this is known only once that
  /// has come, after the moment.
  func sentence(_ freeze: Freeze) -> String {
    let begin = freeze.begin.secondsText
    let state = freeze.isPause ? "Without a new picture" : "Frozen"
    var text = "\(state) since \(begin) s"
    if let end = freeze.end {
      text =
        end > moment
        ? text + ", until \(end.secondsText) s" : "\(state) from \(begin) to \(end.secondsText) s"
    }
    if let left = freeze.leftAt {
      text = "\(state) from \(begin) to \(left.secondsText) s, when the tile left the screen"
    }
    let meaning =
      freeze.isWithheld
      ? "the server gave the tile nothing" : freeze.cause.meaning(on: freeze.route, isOver: freeze.end != nil)
    text += ": \(freeze.cause.rawValue): \(meaning)"
    if let silence = freeze.silence {
      text += ", from \(silence.from.secondsText) to \(silence.to.secondsText) s"
    }
    guard freeze.cause != .frameRate else { return text + "." }
    var details: [String] = []
    if let slowest = freeze.slowest { details.append("the slowest: \(participants[slowest])") }
    if let (from, to) = freeze.resized { details.append("then \(to.lines)p in place of \(from.lines)p") }
    details += lossTexts(freeze)
    if freeze.cause.isOnTheWay, freeze.queueDelay >= .milliseconds(1) {
      details.append("\(freeze.queueDelay.nanoseconds / 1_000_000) ms in the link's queue on average")
    }
    details += freeze.repair.map(courseTexts) ?? []
    if freeze.cause == .keyFrame || freeze.awaitsKeyFrame && freeze.cause == .server {
      let asked = freeze.keyFrameAskedAt.map {
        ($0, "the viewer asked for a key frame at \($0.secondsText) s")
      }
      let which =
        freeze.keyFrames.count > 1 ? "the last of \(freeze.keyFrames.count) key frames" : "a key frame"
      let came = freeze.keyFrames.last.map { ($0, "\(which) reached the server at \($0.secondsText) s") }
      details += [asked, came].compactMap(\.self).sorted { $0.0 < $1.0 }.map(\.1)
      if came == nil, freeze.end == nil { details.append("no key frame has reached the server") }
    }
    return text + (details.isEmpty ? "." : " (\(details.joined(separator: "; "))).")
  }

  /// Returns when the packet that a picture waited for went missing, was requested and arrived, in words.
  private func courseTexts(_ repair: Freeze.Repair) -> [String] {
    let packet =
      repair.arrivedAt == nil
      ? "a packet is missing since" : "the packet that completed the next picture was missing from"
    var texts = ["\(packet) \(repair.missingAt.secondsText) s"]
    if let asked = repair.asked {
      let last =
        repair.requests > 1
        ? ", and the last of \(repair.requests) times at \(asked.upperBound.secondsText) s" : ""
      texts.append("asked for at \(asked.lowerBound.secondsText) s" + last)
    }
    if let arrived = repair.arrivedAt { texts.append("there at \(arrived.secondsText) s") }
    return texts
  }

  /// Returns what happened to the undelivered packets on a freeze's path, in words: lost, dropped by the queue, or,
  /// before they were sent, dropped by the full send buffer of a TCP connection.
  private func lossTexts(_ freeze: Freeze) -> [String] {
    var texts: [String] = []
    func packets(_ count: Int64) -> String {
      let noun = freeze.route == .tcp ? "TCP segment" : "packet"
      return "\(count) \(noun)" + (count == 1 ? "" : "s") + (freeze.route == .tcp ? "" : " of all streams")
    }
    let repaired = freeze.route == .tcp ? ", sent again" : ""
    if freeze.cause.isOnTheWay, freeze.packetsMissing.lost > 0 {
      texts.append("\(packets(freeze.packetsMissing.lost)) lost on the way\(repaired)")
    }
    if freeze.cause.isOnTheWay, freeze.packetsMissing.dropped > 0 {
      let end = freeze.end ?? moment
      let isDown = disturbances.outages.contains {
        $0.times.lowerBound <= end && freeze.begin < $0.times.upperBound
      }
      texts.append(
        "\(packets(freeze.packetsMissing.dropped)) dropped by the link's queue"
          + (isDown ? " or while the link was down" : "") + repaired)
    }
    let isUp = freeze.cause == .encoder || freeze.cause == .uplink
    let isDown = freeze.cause == .downlink || freeze.cause == .receiver
    for (count, whose) in [
      (isDown ? 0 : freeze.packetsRefused.up, "the sender's TCP connection"),
      (isUp ? 0 : freeze.packetsRefused.down, "the server's TCP connection to the viewer"),
    ] where count > 0 {
      texts.append("\(count) packet\(count == 1 ? "" : "s") dropped by the full send buffer of \(whose)")
    }
    return texts
  }

  /// Sentences on what would have changed the tile.
  var sentences: [String] {
    var sentences: [String] = []
    if let threshold {
      let extra = "\(Waterfall.kilobits(threshold.extra)) kbps more for video"
      sentences.append(
        isUnchanged
          ? "With \(extra) the rule gives \(threshold.layer.format)."
          : "With \(extra), the rule would have given \(threshold.layer.format) at \(decidedAt).")
    }
    sentences += tried.helped.map(\.text)
    return sentences + [chance, ending, waiting, wholeRun].compactMap(\.self)
  }

  /// Sentence saying that the tile lacks nothing in most repetitions, so that no change can improve it; `nil`
  /// otherwise.
  private var chance: String? {
    guard tried.helped.isEmpty, tried.fine * 2 > repetitions else { return nil }
    return
      "In \(tried.fine) of \(repetitions) repetitions the tile lacks nothing at this moment: which ones lack "
      + "something is chance."
  }

  /// Sentence on changes that help at other moments; `nil` if none was tried on a freeze.
  private var wholeRun: String? {
    guard !decision.freezes.isEmpty, !tried.failed.isEmpty || !tried.helped.isEmpty else { return nil }
    return "This is of one moment: 'meetsim what-if' ranks changes by the freezes of the whole run."
  }

  /// Sentence saying that nothing but a key frame is missing; `nil` if something else is, or a change helps.
  private var waiting: String? {
    guard decision.waitsForKeyFrameAlone, tried.helped.isEmpty, disturbances.outages.isEmpty else {
      return nil
    }
    return "It lacks only that key frame: no layer and no capacity."
  }

  /// Sentence on what did not help, or why nothing was tried; `nil` if all changes were tried and one helps.
  private var ending: String? {
    if !tried.failed.isEmpty {
      let list = tried.failed.enumeration
      return tried.helped.isEmpty
        ? "Tried \(list): none helped reliably." : "Tried as well, without reliable effect: \(list)."
    }
    guard tried.helped.isEmpty, waiting == nil else { return nil }
    switch decision.shown.limitation {
    case .none where decision.freezes.isEmpty && decision.shown.format == nil:
      return "The tile is given what was asked for since \(decidedAt), and no frame has been shown yet."
    case .none where decision.freezes.isEmpty && !lacksFrames:
      return "The tile has what was asked for: there is nothing to complain about."
    case .offScreen, .muted: return unseen.map { "Nobody sees the tile: \($0.text)." }
    default:
      return repetitions == 0
        ? "No change of the scenario was tried (--repetitions 0)."
        : "meetsim knows no change of this scenario to try against it."
    }
  }
}
