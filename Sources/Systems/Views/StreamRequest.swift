package import Allocation
package import Ladder

/// One entry of a stream request, as an app states it: it may be wrong, and the call then fails by the SDK's rules.
package struct StreamRequest: Hashable, Sendable {
  /// Who is meant.
  package enum Subject: Hashable, Sendable {
    /// Whoever spoke recently.
    case slot
    /// The first moderator.
    case moderator
    /// A participant by id.
    case participant(String)
  }

  /// Wanted quality; `nil` for a name that is no quality.
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

/// Why BlueJeans' `setVideoStreamConfiguration` refuses a request, by the iOS SDK's names; the order of the cases is
/// the order of the checks.
package enum StreamRequestFailure: Hashable, Sendable {
  case notInMeeting
  case notUsingCustomLayouts
  case emptyConfiguration
  case streamLimitExceeded
  case invalidStreamPriorityCombination
  case invalidStreamQuality
  case duplicateParticipantIds([String])
  case noParticipantsWithIds([String])
  /// Ours: the documents state the rule (an entry without a participant needs a priority) but no code for it.
  case missingPriorityOrParticipant

  /// The failure's name, as `events.csv` has it.
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

/// BlueJeans' checks of a stream request.
package enum StreamRequestCheck {
  /// The most entries of a request (BlueJeans custom layouts).
  package static let limit = 25

  /// The first check that fails, in the SDK's order; `nil` for a request that is accepted.
  ///
  /// - Parameters:
  ///   - entries: the request.
  ///   - isInMeeting: whether the caller has joined.
  ///   - usesCustomLayout: whether the custom layout is chosen.
  ///   - hasVideoConnection: whether a participant of this id is there and able to send video.
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
    let isUnplaced = entries.contains { $0.priority == nil && $0.subject == .slot }
    return isUnplaced ? .missingPriorityOrParticipant : nil
  }
}
