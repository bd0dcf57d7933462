import CongestionControl
import Media
import Quantity

/// State of a participant as a sender of video.
struct PublisherState {
  var isJoined = false
  var joinedAt = SimTime.zero
  var isVideoMuted = false
  var isSharingScreen = false
  var isInBackground = false
  /// Uplink estimate that the encodings follow.
  var actedEstimate = BitRate.zero
  /// Set if the estimate is based on feedback that still arrives.
  var hearsFeedback = false
  /// Uplink capacity for video, by the last estimate.
  var videoBudget = BitRate.zero
  /// Set if it reports that to a controller at the SFU.
  let reportsUplink: Bool
  /// Capacity for video that was last reported.
  var reportedBudget = BitRate.zero
  /// Dropping of frames at the encoders while too much is in flight on the uplink.
  var frameDropping: FrameDropping?
}
