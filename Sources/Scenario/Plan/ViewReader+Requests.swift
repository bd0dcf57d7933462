import Ladder
import Plan
import Systems
import YAML

/// Stream requests.
extension ViewReader {
  /// Reads a stream request. In a view it must be valid; as a call during the meeting it may have any error that the
  /// SDK reports.
  func request(_ field: Field, isCall: Bool) -> [StreamRequest] {
    guard case .sequence(let entries) = field.node else {
      reading.report(
        field.node, "'request' must be a list of entries such as '{quality: 720p30, priority: high}'")
      return []
    }
    var request: [StreamRequest] = []
    let before = reading.diagnostics.count
    for entry in entries {
      guard let own = Entry<RequestSection>(entry, "request entry", reading) else { continue }
      let one = StreamRequest(
        quality: own.quality.flatMap { quality($0, isCall: isCall) }, priority: own.priority,
        subject: subject(own.participant, isCall: isCall))
      request += Array(repeating: one, count: own.count)
    }
    if !isCall, reading.diagnostics.count == before,
      let failure = StreamRequestCheck.failure(
        of: request, isInMeeting: true, usesCustomLayout: true, hasVideoConnection: { _ in true })
    {
      field.report(Self.sentence(for: failure))
    }
    return request
  }

  private static func sentence(for failure: StreamRequestFailure) -> String {
    switch failure.result {
    case .emptyConfiguration: "the list is empty: request at least one stream"
    case .streamLimitExceeded:
      "more than \(StreamRequestCheck.limit) entries: this is the limit of custom layouts"
    case .invalidStreamPriorityCombination:
      "only some entries have a priority: set it for all or for none"
    case .duplicateParticipantIds: "'\(failure.ids.joined(separator: "', '"))' is requested twice"
    case .missingPriorityOrParticipant: "an entry without a participant needs a priority"
    default: failure.result.name
    }
  }

  private func quality(_ name: Name, isCall: Bool) -> VideoFormat? {
    // The SDK's names, such as r720p_30fps, are accepted too.
    var plain = name.text
    if plain.hasPrefix("r"), plain.hasSuffix("fps") {
      plain = String(plain.dropFirst().dropLast(3))
      plain.replace("p_", with: "p", maxReplacements: 1)
    }
    guard let format = try? VideoFormat(text: plain) else {
      return isCall
        ? nil : name.field.parse(name.text, VideoFormat.init(text:))
    }
    return isKnown(format, name, isCall: isCall) ? format : nil
  }

  /// Checks whether the system's requests can ask for a format; if not, reports an error in a view, or warns
  /// that a call will fail.
  private func isKnown(_ format: VideoFormat, _ name: Name, isCall: Bool) -> Bool {
    let known = draft.faults.system ? [] : type(of: system).description.qualities
    guard !known.isEmpty, !known.contains(format) else { return true }
    let message =
      "quality: policy '\(system.name)' has no '\(name.text)', only \(known.map(\.description).enumeration)"
    if isCall {
      let result = CallResult.invalidStreamQuality.name
      reading.warn(name.field.node, message + ": the call fails with '\(result)'")
    } else {
      reading.report(name.field.node, message)
    }
    return false
  }

  private func subject(_ name: Name?, isCall: Bool) -> StreamRequest.Subject {
    guard let name else { return .slot }
    if name.text == "@moderator" { return .moderator }
    if !isCall, participant(name) == nil { return .slot }
    return .participant(name.text)
  }

  /// Reports a request that names its own viewer, or addresses the moderator in two ways.
  func checkSubjects(of entries: [StreamRequest], at field: Field) {
    var ids: Set<String> = []
    for entry in entries {
      if case .participant(let id) = entry.subject { ids.insert(id) }
    }
    if let viewer = viewers.first(where: { ids.contains(participants[$0].id) }) {
      let id = participants[viewer].id
      let cure =
        viewers.count > 1 ? "give '\(id)' an entry with a view of its own" : "name another participant"
      return field.report("'\(id)' cannot request itself: \(cure)")
    }
    let effect =
      has(call: "layout")
      ? "the request fails with '\(CallResult.noParticipantsWithIds.name)', and nothing of it is shown"
      : "the entry stays empty"
    if let silent = participants.first(where: { ids.contains($0.id) && $0.camera == nil }) {
      reading.warn(
        field.node, "request: '\(silent.id)' has no camera: \(effect); name another participant")
    }
    guard entries.contains(where: { $0.subject == .moderator }) else { return }
    let moderators = participants.filter(\.isModerator).sorted { $0.joinsAt < $1.joinsAt }.map(\.id)
    guard let first = moderators.first else { return }
    if moderators.count == 1, ids.contains(first) {
      field.report("'\(first)' is requested twice: it is the moderator, whom '@moderator' means too")
    }
    if viewers.contains(where: { participants[$0].id == first }) {
      reading.warn(
        field.node,
        "request: '@moderator' means the moderator who is there first, who is '\(first)' itself: "
          + "\(effect); name another participant")
    }
  }
}

extension [StreamRequest] {
  /// Requested sizes.
  var sizes: [Resolution] { compactMap { $0.quality?.resolution } }
}
