package import CongestionControl
import Media
package import Quantity

/// State of a participant as a sender of video.
package struct PublisherState {
  package var isJoined = false
  package var joinedAt = SimTime.zero
  package var isVideoMuted = false
  package var isSharingScreen = false
  package var isInBackground = false
  /// Uplink estimate that the encodings follow.
  var actedEstimate = BitRate.zero
  /// Uplink capacity for video, by the last estimate.
  package var videoBudget = BitRate.zero
  /// Set if it reports ``videoBudget`` to a controller at the SFU.
  let reportsUplink: Bool
  /// Capacity for video that was last reported.
  var reportedBudget = BitRate.zero
  /// Dropping of frames at the encoders while too much is in flight on the uplink.
  package var frameDropping: FrameDropping?
}
