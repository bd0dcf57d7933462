package import Ladder

/// A scenario with the path of a recorded call on the sender's uplink; everything else is ample.
package struct ImportedScenario: Sendable {
  package let record: CallRecord
  package let course: CapacityCourse
  package let path: PathEstimate
  /// Camera format given by the caller; `nil` to use the record's.
  private let assumed: VideoFormat?
  private let content: String?

  /// - Parameters:
  ///   - capture: camera format; by default that of the record, else 720p30 or the largest height seen.
  ///   - content: `content` of the scenario; by default guessed from the rates.
  package init(_ record: CallRecord, capture: VideoFormat? = nil, content: String? = nil) {
    self.record = record
    course = CapacityCourse(record)
    path = PathEstimate(record, course)
    assumed = capture
    self.content = content
  }

  /// Formats the scenario file.
  ///
  /// - Parameters:
  ///   - name: name of the scenario: letters, digits and hyphens.
  ///   - source: origin of the statistics, for the title.
  package func text(name: String, source: String) -> String {
    let template = String(decoding: PackageResources.call_yaml, as: UTF8.self)
    var values = [
      "name": name, "title": "A call on the path that \(Self.safe(source)) saw",
      "duration": "\(record.duration)",
    ]
    values["capacity"] = capacityLines
    let delay = (path.roundTrip ?? 1) / 2
    let microseconds = max(100, Int((delay * 1000).rounded()))
    values["delay"] = microseconds % 1000 == 0 ? "\(microseconds / 1000) ms" : "\(microseconds) us"
    values["delay-comment"] =
      path.roundTrip.map { "Half of the shortest round trip, \(Self.number($0)) ms." }
      ?? "Assumed: no round trip was measured."
    values["loss"] =
      path.loss > 0
      ? "    # Packets lost while the path was not full.\n    loss: \(Self.number(path.loss * 100)) %\n" : ""
    values["queue"] = "\(Int((path.queue.milliseconds / 10).rounded(.up)) * 10) ms"
    values["queue-comment"] =
      path.queue.isSeen
      ? "The longest round trip above the shortest: packets were lost then."
      : "Assumed: the call never filled the queue."
    fillCamera(&values)
    return Self.fill(template, values)
  }

  /// Description of the path in one line.
  package var summary: String {
    let rates = course.steps.map(\.kilobits)
    let capacities =
      rates.count == 1
      ? "capacity \(Self.rate(rates[0]))"
      : "\(rates.count) capacities from \(Self.rate(rates.min() ?? 0)) to \(Self.rate(rates.max() ?? 0))"
    let trip = path.roundTrip.map { "shortest round trip \(Self.number($0)) ms" } ?? "no round trip"
    return "\(record.duration) s, \(capacities), \(trip), loss \(Self.number(path.loss * 100)) %"
  }

  // MARK: Parts

  private var capacityLines: String {
    let entries = course.steps.map { "      - {at: \($0.from)s, to: \(Self.rate($0.kilobits))}" }
    let width = entries.map(\.count).max() ?? 0
    var text = "    capacity:"
    for (entry, step) in zip(entries, course.steps) {
      let space = String(repeating: " ", count: width - entry.count + 2)
      text += "\n\(entry)\(space)# \(Self.seen(step.cuts))"
    }
    return text
  }

  private static func seen(_ cuts: Int) -> String {
    switch cuts {
    case 0: "never full: a lower bound, the largest estimate"
    case 1: "full once"
    default: "full \(cuts) times"
    }
  }

  private func fillCamera(_ values: inout [String: String]) {
    let format = capture
    values["capture"] = "\(format)"
    values["capture-comment"] = captureComment
    let isRich = VideoContentGuess.isRich(record)
    values["content"] = content ?? (isRich == true ? "rich" : "talking-head")
    values["content-comment"] = contentComment(isRich)
    values["ladder"] = record.encodingCount > 1 ? "webrtc-vp8" : "single"
    let requests = record.requests.isEmpty ? [(at: 0.0, scale: 1)] : record.requests
    values["quality"] = quality(requests[0].scale)
    var timeline: [String] = []
    if record.hasVoice { timeline.append("  - {at: 0s, participant: sender, speaks: \(record.duration)s}") }
    for request in requests.dropFirst() {
      timeline.append(
        "  - {at: \(Int(request.at.rounded()))s, participant: receiver, "
          + "request: [{quality: \(quality(request.scale)), priority: high, participant: sender}]}")
    }
    values["timeline"] = timeline.isEmpty ? "  []" : timeline.joined(separator: "\n")
  }

  private var captureComment: String {
    if assumed != nil { return Self.stated }
    return record.capture != nil
      ? "As the browser reported its camera."
      : "Assumed: the statistics do not state what the camera captures."
  }

  private func contentComment(_ isRich: Bool?) -> String {
    if content != nil { return Self.stated }
    return switch isRich {
    case true?: "More bits than a talking head takes at some size."
    case false?: "No more bits than a talking head takes."
    case nil: "Assumed: the rates were too low to tell what was filmed."
    }
  }

  private static let stated = "As the command line has it."

  private var capture: VideoFormat {
    if let known = assumed ?? record.capture { return known }
    let height = record.samples.flatMap(\.encodings).compactMap(\.height).max() ?? 0
    let sizes = [Resolution.p720, .p1080]
    let size = sizes.first { Double($0.height) >= height } ?? Resolution(width: 3840, height: 2160)
    return VideoFormat(size, framesPerSecond: 30)
  }

  private func quality(_ scale: Int) -> String {
    let size = capture.resolution
    return VideoFormat(
      Resolution(width: max(16, size.width / scale), height: max(16, size.height / scale)),
      milliFramesPerSecond: capture.milliFramesPerSecond
    ).description
  }

  // MARK: Texts

  private static func rate(_ kilobits: Double) -> String { "\(Int(max(1, kilobits).rounded())) kbps" }

  /// Formats a number with at most two decimals.
  private static func number(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    guard hundredths % 100 != 0 else { return "\(hundredths / 100)" }
    let rest = hundredths % 100
    return "\(hundredths / 100)." + (rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)")
  }

  /// Makes a file name safe for YAML comments and plain text.
  private static func safe(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "-" })
  }

  /// Replaces each `{key}` by its value; other braces stay.
  private static func fill(_ template: String, _ values: [String: String]) -> String {
    var text = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      text += rest[..<open]
      rest = rest[rest.index(after: open)...]
      guard let close = rest.firstIndex(of: "}"), let value = values[String(rest[..<close])] else {
        text += "{"
        continue
      }
      text += value
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }
}
