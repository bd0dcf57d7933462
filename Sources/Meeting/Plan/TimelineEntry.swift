package import Allocation
package import Ladder
package import Network
package import Quantity

/// Something that people do, or that happens to the network, at a stated time.
package struct TimelineEntry: Sendable {
  package var at: SimTime
  /// Index of the participant that acts; `nil` for what happens to a link.
  package var participant: Int?
  package var action: TimelineAction

  package init(at: SimTime, participant: Int?, action: TimelineAction) {
    self.at = at
    self.participant = participant
    self.action = action
  }
}

/// What can happen. Participants are indices into ``MeetingPlan/participants``.
package enum TimelineAction: Sendable {
  case join
  case leave
  /// Speaks for a time.
  case speaks(SimDuration)
  case muteAudio(Bool)
  case muteVideo(Bool)
  /// Starts or stops the screen share.
  case shareScreen(Bool)
  /// The app goes to the background.
  case background(Background)
  case foreground
  /// Sends a stream request in place of the one before (BlueJeans `setVideoStreamConfiguration`).
  case request([StreamRequest])
  /// Chooses a built-in layout, or the app's own (`nil`).
  case layout(BuiltInLayout?)
  /// Scrolls a grid so that this many points are above the screen's top.
  case scroll(to: Int)
  /// Gives a participant's tile another size [px].
  case resize(participant: Int, Resolution)
  case hide(participant: Int)
  case show(participant: Int)
  case pin(participant: Int)
  case unpin(participant: Int)
  /// Dual stream: asks for a participant's high or low stream (Agora `setRemoteVideoStreamType`).
  case streamType(participant: Int, low: Bool)
  /// Asks for a size by hand, of one participant or of everybody (`nil`), or for none; `nil` leaves it to the tiles again
  /// (GetStream).
  case override(participant: Int?, StreamOverrides.Override?)
  /// Stops or resumes all remote video (BlueJeans `setRemoteVideoMuted`).
  case muteRemoteVideo(Bool)
  /// Changes the main video between camera and custom frames.
  case source(VideoSourcePlan.Kind)
  /// Pushes custom frames for a time.
  case pushFrames(CustomFrames)
  /// Shows a participant's stream in one of the app's views, by name.
  case attach(participant: Int, view: String)
  case detach(participant: Int)
  /// A link changes or goes down; noted in `events.csv`, the link's parameters already have it.
  case link(Int, LinkChange)
}

/// An app in the background.
package struct Background: Hashable, Sendable {
  /// The window in which one picture goes on; `nil` for none.
  package var window: PictureInPicture?

  package init(window: PictureInPicture? = nil) { self.window = window }
}

/// A picture-in-picture window.
package struct PictureInPicture: Hashable, Sendable {
  /// Whom it shows.
  package enum Subject: Hashable, Sendable {
    case participant(Int)
    /// A screen share, else the dominant speaker, else whoever sends video (GetStream iOS SDK).
    case automatic
  }

  package var subject: Subject
  /// Size [px]; 640x480 is what Vonage's and GetStream's windows prefer.
  package var size: Resolution

  package init(_ subject: Subject, size: Resolution = PictureInPicture.preferredSize) {
    self.subject = subject
    self.size = size
  }

  package static let preferredSize = Resolution(width: 640, height: 480)
}

/// Frames that an app makes itself and hands to the SDK.
package struct CustomFrames: Hashable, Sendable {
  /// Frames per second [1/1000 Hz] that the app pushes.
  package var milliFramesPerSecond: Int
  /// Size before orientation.
  package var size: Resolution
  /// Quarter turns clockwise, 0 to 3 (BlueJeans: landscapeLeft 1, portraitUpsideDown 2, landscapeRight 3).
  package var quarterTurns: Int
  /// How long the app pushes.
  package var duration: SimDuration

  package init(milliFramesPerSecond: Int, size: Resolution, quarterTurns: Int, duration: SimDuration) {
    self.milliFramesPerSecond = milliFramesPerSecond
    self.size = size
    self.quarterTurns = quarterTurns
    self.duration = duration
  }
}
