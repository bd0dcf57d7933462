package import Network
package import Quantity
package import Systems

/// An action of a participant, or a change of a link, at a given time or at one drawn in each run.
package struct TimelineEntry: Sendable {
  /// Time, or the earliest time if it is drawn.
  package var at: SimTime
  /// Time after ``at`` within which it happens, uniformly distributed; zero for exactly then.
  package var within: SimDuration
  /// Index of the acting participant; `nil` for a link change.
  package var participant: Int?
  package var action: TimelineAction

  package init(at: SimTime, participant: Int?, action: TimelineAction, within: SimDuration = .zero) {
    self.at = at
    self.within = within
    self.participant = participant
    self.action = action
  }
}

/// Actions and changes. Participants are indices into ``MeetingPlan/participants``.
package enum TimelineAction: Sendable {
  case join
  case leave
  /// Speaks for a time.
  case speaks(SimDuration)
  case muteAudio(Bool)
  case muteVideo(Bool)
  /// Starts or stops the screen share.
  case shareScreen(Bool)
  /// Calls the client.
  case client(ClientCall)
  /// Switches the main video between camera and custom frames.
  case source(VideoSourcePlan.Kind)
  /// Starts pushing the app's own frames; a series replaces any that the app is pushing.
  case pushFrames(CustomFrames)
  /// Stops pushing frames.
  case stopPushing
  /// Changes a sender's parameters.
  case send(SendChange)
  /// Changes a link or takes it down; recorded in `events.csv`, while the link's parameters already include the change.
  case link(Int, LinkChange)
}
