package import Ladder

/// A scenario with a recorded call's path on the sender's uplink, and ample capacity elsewhere.
package struct ImportedScenario: Sendable {
  package let record: CallRecord
  package let course: CapacityCourse
  package let path: PathEstimate
  /// Camera format given by the caller; `nil` to use the record's.
  let assumed: VideoFormat?
  let content: String?
  /// Content of each source.
  let fits: [ContentFit]

  /// - Parameters:
  ///   - capture: camera format; by default that of the record, else 720p30 or the largest height seen.
  ///   - content: `content` of the scenario; by default guessed from the rates.
  package init(_ record: CallRecord, capture: VideoFormat? = nil, content: String? = nil) {
    self.record = record
    course = CapacityCourse(record)
    path = PathEstimate(record, course)
    fits = record.sources.map { [record, course] source in ContentFit(record, source, course) }
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
      ? "    # Packets lost while the path was not full.\n    loss: \(Self.number(path.loss * 100)) %\n"
      : path.isLossKnown ? "" : "    # No losses were reported: how many there were is unknown.\n"
    values["whose"] = record.isReceived ? "the receiver's" : "the sender's"
    values["what"] =
      record.isReceived
      ? "what arrived, and losses"
      : record.hasEstimate
        ? "its estimate, what arrived, round trips and losses" : "what arrived, round trips and losses"
    values["notes"] = record.notes.map { "# \(Self.sentence($0))\n" }.joined()
    values["queue"] = "\(Int((path.queue.milliseconds / 10).rounded(.up)) * 10) ms"
    values["queue-comment"] =
      path.queue.isSeen
      ? "The longest round trip above the shortest: packets were lost then."
      : "Assumed: the call never filled the queue."
    values["participants"] = participants.joined(separator: "\n")
    values["timeline"] = timeline.isEmpty ? "  []" : timeline.joined(separator: "\n")
    return Self.fill(template, values)
  }

  /// Description of the path in one line.
  package var summary: String {
    let rates = course.steps.map(\.kilobits)
    let assumed = course.steps.filter { $0.cuts == 0 }
    var capacities =
      rates.count == 1
      ? "capacity \(Self.rate(rates[0]))"
      : "\(rates.count) capacities from \(Self.rate(rates.min() ?? 0)) to \(Self.rate(rates.max() ?? 0))"
    if let one = assumed.first {
      capacities +=
        rates.count == 1
        ? " (assumed: the path was never full, and has at least \(Self.rate(one.arrived)))"
        : " (\(assumed.count) of them assumed: the path was not full then)"
    }
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
      text += "\n\(entry)\(space)# \(seen(step))"
    }
    return text
  }

  private func seen(_ step: CapacityCourse.Step) -> String {
    guard step.cuts == 0 else { return step.cuts == 1 ? "full once" : "full \(step.cuts) times" }
    let isArrival =
      !record.hasEstimate || abs(step.kilobits - CapacityCourse.spare * step.arrived) < 0.001 * step.kilobits
    let origin =
      isArrival ? "\(Self.number(CapacityCourse.spare)) times what arrived" : "the largest estimate"
    return "assumed, never full: \(origin); at least \(Self.rate(step.arrived)), which arrived"
  }

  // MARK: Texts

  static func rate(_ kilobits: Double) -> String { "\(Int(max(1, kilobits).rounded())) kbps" }

  /// Makes a sentence of a note.
  private static func sentence(_ note: String) -> String {
    note.prefix(1).uppercased() + note.dropFirst() + "."
  }

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
