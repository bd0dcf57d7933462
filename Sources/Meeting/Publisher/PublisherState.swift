import CongestionControl
import Media
import Quantity

/// A participant as a sender of video.
struct PublisherState {
  var isJoined = false
  var joinedAt = SimTime.zero
  var isVideoMuted = false
  var isSharingScreen = false
  var isInBackground = false
  /// The uplink's estimate that the encodings follow.
  var actedEstimate = BitRate.zero
  /// Whether that goes by feedback that still comes.
  var hearsFeedback = false
  /// What the uplink carries of video, by the last estimate.
  var videoBudget = BitRate.zero
  /// Frames that encoders leave out while too much is in flight on the uplink.
  var frameDropping: FrameDropping?
}
