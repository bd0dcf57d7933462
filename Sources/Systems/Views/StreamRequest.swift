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
  /// `nil` for an entry without a priority.
  package var priority: Priority?
  package var subject: Subject

  package init(quality: VideoFormat?, priority: Priority?, subject: Subject) {
    self.quality = quality
    self.priority = priority
    self.subject = subject
  }
}

/// Why BlueJeans' `setVideoStreamConfiguration` rejects a request, with the iOS SDK's names, in the order of the checks.
package enum StreamRequestFailure: Hashable, Sendable {
  case notInMeeting
  case notUsingCustomLayouts
  case emptyConfiguration
  case streamLimitExceeded
  case invalidStreamPriorityCombination
  case invalidStreamQuality
  case duplicateParticipantIds([String])
  case noParticipantsWithIds([String])
  /// Our name: the rule (an entry without a participant needs a priority) is documented without an error code.
  case missingPriorityOrParticipant

  /// The failure's name in `events.csv`.
  package var name: String {
    switch self {
    case .notInMeeting: "notInMeeting"
    case .notUsingCustomLayouts: "notUsingCustomLayouts"
    case .emptyConfiguration: "emptyConfiguration"
    case .streamLimitExceeded: "streamLimitExceeded"
    case .invalidStreamPriorityCombination: "invalidStreamPriorityCombination"
    case .invalidStreamQuality: "invalidStreamQuality"
    case .duplicateParticipantIds: "duplicateParticipantIds"
    case .noParticipantsWithIds: "noParticipantsWithIds"
    case .missingPriorityOrParticipant: "missingPriorityOrParticipant"
    }
  }
}

/// BlueJeans' validation of a stream request.
package enum StreamRequestCheck {
  /// Maximum number of entries (BlueJeans custom layouts).
  package static let limit = 25

  /// The first failing check, in the SDK's order; `nil` for a valid request.
  ///
  /// - Parameters:
  ///   - entries: the request.
  ///   - isInMeeting: whether the caller has joined.
  ///   - usesCustomLayout: whether the custom layout is selected.
  ///   - hasVideoConnection: whether the participant with this id has joined and can send video.
  package static func failure(
    of entries: [StreamRequest], isInMeeting: Bool, usesCustomLayout: Bool,
    hasVideoConnection: (String) -> Bool
  ) -> StreamRequestFailure? {
    guard isInMeeting else { return .notInMeeting }
    guard usesCustomLayout else { return .notUsingCustomLayouts }
    guard !entries.isEmpty else { return .emptyConfiguration }
    guard entries.count <= limit else { return .streamLimitExceeded }
    let prioritised = entries.filter { $0.priority != nil }.count
    guard prioritised == 0 || prioritised == entries.count else { return .invalidStreamPriorityCombination }
    guard !entries.contains(where: { $0.quality == nil }) else { return .invalidStreamQuality }
    let ids = entries.compactMap { entry in
      if case .participant(let id) = entry.subject { id } else { nil }
    }
    let repeated = ids.indices.filter { ids[..<$0].contains(ids[$0]) }.map { ids[$0] }
    guard repeated.isEmpty else { return .duplicateParticipantIds(repeated) }
    let unknown = ids.filter { !hasVideoConnection($0) }
    guard unknown.isEmpty else { return .noParticipantsWithIds(unknown) }
    let isIncomplete = entries.contains { $0.priority == nil && $0.subject == .slot }
    return isIncomplete ? .missingPriorityOrParticipant : nil
  }
}
