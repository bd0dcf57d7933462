package import Allocation
package import Ladder

/// One entry of an app's stream request; it may be invalid, in which case the call fails as in the SDK.
package struct StreamRequest: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    /// A recent speaker.
    case slot
    /// The first moderator.
    case moderator
    /// A participant by id.
    case participant(String)
  }

  /// Requested quality; `nil` if invalid.
  package var quality: VideoFormat?
  /// Minimum below which a lack of bandwidth does not lower the stream; `nil` for none, as in every request of an app.
  package var minimum: VideoFormat?
  /// Priority; `nil` for an entry without one.
  package var priority: Priority?
  package var subject: Subject

  package init(
    quality: VideoFormat?, priority: Priority?, subject: Subject, minimum: VideoFormat? = nil
  ) {
    self.quality = quality
    self.minimum = minimum
    self.priority = priority
    self.subject = subject
  }
}

extension [StreamRequest] {
  /// Returns the request with the moderator's id for `@moderator`, as an app looks it up; `nil` if it is empty, or
  /// while there is no moderator, since apps then send none (BlueJeans iOS custom layouts, `getTotalConfiguration`).
  package func resolved(_ roster: Roster) -> [StreamRequest]? {
    guard contains(where: { $0.subject == .moderator }) else { return isEmpty ? nil : self }
    guard let moderator = roster.moderator else { return nil }
    return map { entry in
      var entry = entry
      if entry.subject == .moderator { entry.subject = .participant(roster.members[moderator].id) }
      return entry
    }
  }
}

/// Refusal of a stream request, by the name that the iOS SDK's `setVideoStreamConfiguration` gives it.
package struct StreamRequestFailure: Hashable, Sendable {
  package var result: CallResult
  /// Ids of the participants concerned; empty if an entry or the whole request failed.
  package var ids: [String] = []

  package init(_ result: CallResult, _ ids: [String] = []) {
    self.result = result
    self.ids = ids
  }

  /// Returns the ids or the entry that failed, for `events.csv`; `nil` if the whole request failed.
  package func detail(of entries: [StreamRequest]) -> String? {
    func entry(_ fails: (StreamRequest) -> Bool) -> String? {
      entries.firstIndex(where: fails).map { "entry \($0 + 1)" }
    }
    switch result {
    case .duplicateParticipantIds, .noParticipantsWithIds: return ids.joined(separator: " ")
    case .invalidStreamPriorityCombination:
      return entry { $0.priority == nil }.map { "\($0) has no priority" }
    case .invalidStreamQuality: return entry { $0.quality == nil }
    case .missingPriorityOrParticipant: return entry { $0.priority == nil && $0.subject == .slot }
    default: return nil
    }
  }
}

/// BlueJeans' validation of a stream request.
package enum StreamRequestCheck {
  /// Maximum number of entries (BlueJeans custom layouts).
  package static let limit = 25

  /// Returns the first failing check, in the SDK's order; `nil` for a valid request.
  ///
  /// - Parameters:
  ///   - entries: the request.
  ///   - isInMeeting: `true` if the caller has joined.
  ///   - usesCustomLayout: `true` if the custom layout is selected.
  ///   - hasVideoConnection: returns `true` if the participant with this id has joined and can send video.
  package static func failure(
    of entries: [StreamRequest], isInMeeting: Bool, usesCustomLayout: Bool,
    hasVideoConnection: (String) -> Bool
  ) -> StreamRequestFailure? {
    guard isInMeeting else { return .init(.notInMeeting) }
    guard usesCustomLayout else { return .init(.notUsingCustomLayouts) }
    guard !entries.isEmpty else { return .init(.emptyConfiguration) }
    guard entries.count <= limit else { return .init(.streamLimitExceeded) }
    let prioritised = entries.filter { $0.priority != nil }.count
    guard prioritised == 0 || prioritised == entries.count else {
      return .init(.invalidStreamPriorityCombination)
    }
    guard !entries.contains(where: { $0.quality == nil }) else { return .init(.invalidStreamQuality) }
    let ids = entries.compactMap { entry in
      if case .participant(let id) = entry.subject { id } else { nil }
    }
    var repeated: [String] = []
    for (place, id) in ids.enumerated() where ids[..<place].contains(id) && !repeated.contains(id) {
      repeated.append(id)
    }
    guard repeated.isEmpty else { return .init(.duplicateParticipantIds, repeated) }
    let unknown = ids.filter { !hasVideoConnection($0) }
    guard unknown.isEmpty else { return .init(.noParticipantsWithIds, unknown) }
    let isIncomplete = entries.contains { $0.priority == nil && $0.subject == .slot }
    return isIncomplete ? .init(.missingPriorityOrParticipant) : nil
  }
}

extension CallResult {
  package static let notUsingCustomLayouts = CallResult(
    "notUsingCustomLayouts", "a built-in layout is selected, or the client may not request streams")
  package static let emptyConfiguration = CallResult("emptyConfiguration", "the request has no entry")
  package static let streamLimitExceeded = CallResult(
    "streamLimitExceeded", "the request has more than \(StreamRequestCheck.limit) entries")
  package static let invalidStreamPriorityCombination = CallResult(
    "invalidStreamPriorityCombination", "some entries have a priority and others have none")
  package static let invalidStreamQuality = CallResult(
    "invalidStreamQuality", "an entry has a quality that does not exist")
  package static let duplicateParticipantIds = CallResult(
    "duplicateParticipantIds", "several entries name the same participant")
  package static let noParticipantsWithIds = CallResult(
    "noParticipantsWithIds", "entries name participants that are not in the meeting or have no camera")
  package static let missingPriorityOrParticipant = CallResult(
    "missingPriorityOrParticipant", "an entry has neither a priority nor a participant; our name")
}

extension EventDeclaration {
  /// Call that replaces the stream request, for the systems that have requests.
  package static let request = call(
    "request", detail: "number of entries; which of them failed", .notUsingCustomLayouts, .emptyConfiguration,
    .streamLimitExceeded, .invalidStreamPriorityCombination, .invalidStreamQuality, .duplicateParticipantIds,
    .noParticipantsWithIds, .missingPriorityOrParticipant)
}
