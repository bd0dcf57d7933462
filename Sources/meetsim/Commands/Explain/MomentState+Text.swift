import Allocation
import Meeting
import Quantity
import Systems

extension MomentState {
  /// Sentence on a change of the estimate that is too small for the server to act on; `nil` without one.
  var unactedChange: String? {
    guard let changeThreshold, let acted = budget.estimate, acted != estimate, isWithinThreshold else {
      return nil
    }
    return
      "The server acts on \(Waterfall.kilobits(acted)) kbps: the change to \(Waterfall.kilobits(estimate)) kbps is "
      + "not above \(Waterfall.percent(changeThreshold))."
  }

  /// Returns a sentence on the tile's wait for a key frame; `nil` if it is not waiting.
  ///
  /// - Parameter isOver: `true` if the picture is known to go on later.
  func waitText(isOver: Bool) -> String? {
    guard let wait else { return nil }
    let meanwhile = wait.forwarded.flatMap { isArriving($0) ? " Until then \($0) is forwarded." : nil } ?? ""
    return wait.text(isHopeless: isArriving(wait.encoding) && !isOver) + meanwhile
  }

  /// Returns a sentence on what arrived in the last interval, of a source and in all.
  ///
  /// - Parameter isGiven: `true` if the tile is given a layer.
  func arrivalText(of source: String, isGiven: Bool) -> String {
    guard let last else { return "Of \(source) nothing yet arrived in the last interval, headers included." }
    let end = last.at == at ? "" : ", to \(last.at.secondsText) s"
    var text =
      "Of \(source) \(Waterfall.kilobits(last.rate)) kbps arrived in the last interval\(end), headers included"
    if !isGiven, last.rate > .zero { text += ", all of it sent before the tile was given nothing" }
    if last.unusedPercent > 0 {
      text +=
        ", \(last.unusedPercent) % of it for nothing: of lower layers, from which the one that is shown is not predicted"
    }
    let (total, voices) = last.downlink
    guard total > last.rate else { return text + "." }
    text += "; in all \(Waterfall.kilobits(total)) kbps"
    guard voices > .zero else { return text + "." }
    text += ", of which voices \(Waterfall.kilobits(voices)) kbps"
    let areCounted = isDirect || budget.voices > .zero
    return text + (areCounted ? "." : ", for which the server reserves nothing.")
  }

  private func isArriving(_ encoding: String) -> Bool {
    let reach = encodings.first { $0.name == encoding }?.reach
    return reach == .detected || reach == .undetected
  }
}

extension MomentState.KeyFrameWait {
  /// Returns a sentence on the wait: since when, and how it goes on.
  ///
  /// - Parameter isHopeless: `false` if the viewer may ask later, such as by a gap in an encoding of which nothing reaches
  ///   the server now.
  func text(isHopeless: Bool) -> String {
    let asked =
      answeredAt.map { "the last one reached the server at \($0.secondsText) s" }
      ?? askedAt.map { "the server asked for it at \($0.secondsText) s" } ?? "the server has not asked for it"
    let again = answeredAt != nil ? " for another" : askedAt != nil ? " again" : ""
    let end =
      switch repetition {
      case .always where answeredAt != nil: "and another is asked for until it comes" + limit
      case .always: "and it is asked for\(again) until it comes" + limit
      case .once: "and it is asked for once more" + limit
      case .last where isHopeless && answeredAt == nil:
        "for the last time: unless that brings one, the tile waits for ever"
      case .held:
        "and one has come since, which is on its way in the TCP connection to the viewer, if its send buffer took it"
      case .last where isHopeless, .never where isHopeless:
        "and nobody asks\(again): unless something else brings one, the tile waits for ever"
      case .last, .never: "and nobody asks\(again) at this moment"
      }
    return "The tile waits for a key frame of \(encoding): \(asked), \(end)."
  }

  /// When and why the next request may pass, in words; empty if it may at once.
  private var limit: String {
    guard let limitedUntil else { return "" }
    let rule =
      limitedUntil.viewerLimit.map {
        "at most \($0.count) requests in \($0.window.nanoseconds / 1_000_000) ms for one viewer"
      } ?? "the least time between two requests"
    return ", but not before \(limitedUntil.at.secondsText) s (\(rule))"
  }
}

extension MomentState.Reach {
  /// Where an encoding stops, in words; `nil` for one that the server can choose.
  var text: String? {
    switch self {
    case .unwanted: "not wanted"
    case .off: "off at the sender"
    case .withoutRate(let estimate, let videos):
      "on, but the sender's uplink leaves it nothing: \(Waterfall.kilobits(videos)) kbps for video of an estimate "
        + "of \(Waterfall.kilobits(estimate)) kbps"
    case .ungiven: "on, but not sent: it is given to nobody"
    case .unfed: "on, but the app pushes no frames"
    case .lost(let hasArrived):
      hasArrived ? "sent, but nothing has arrived for a second" : "sent, but nothing has arrived yet"
    case .undetected: "arriving, but not yet detected"
    case .detected: nil
    }
  }
}
