package import Media
package import Quantity

/// One source as received by one viewer, apart from its ``Media/VideoReceiver``, which is too large to be stored here.
package struct Reception: BitwiseCopyable {
  /// Set while the source is to be decoded; it is ignored otherwise.
  var isExpected = false
  /// Status reported by the receiver.
  package var status = VideoReceiverStatus()
  /// Number of the last picture's size; `nil` before the first.
  package var shownSize: UInt16?
  /// Number of the size last reported to the client; `.max` for no stream.
  var toldSize: UInt16 = .max
  package var sequence = SequenceState()
  package var interval = Interval()
  /// Set while no frame has been decoded since a key frame was requested.
  package private(set) var asksKeyFrame = false
  /// Indicates that nothing can be decoded, or has been since a key frame was requested.
  package var awaitsKeyFrame: Bool { !status.isDecodable || asksKeyFrame }
  /// Time at which its pictures last became decodable, with the arrival of a key frame.
  package var decodableSince = SimTime.zero
  /// Time at which the first frame was rendered.
  package var firstFrameAt = LastTime.never
  /// Time at which the tile first appeared on the screen.
  package var shownAt = LastTime.never
  /// Time at which the first frame was rendered after that.
  package var firstPictureAt = LastTime.never
  /// Latest visit of the tile on the screen.
  package private(set) var visit = Visit()
  private var marks = Marks()

  /// State of the packets' sequence numbers, as rewritten by the SFU.
  package struct SequenceState: BitwiseCopyable {
    package var hasBegun = false
    /// Set while packets are missing that may still arrive.
    package var hasMissing = false
    package var highest: UInt32 = 0
    /// Number of sequence numbers from the first received to the highest, so far.
    package var numbered: Int64 = 0
    /// Number of packets missed by sequence number so far, whether or not repaired later, as libwebrtc counts W3C
    /// `packetsLost`.
    package var lost: UInt32 = 0
    /// First sequence number of the last key frame with any packet received.
    package var keyFrame: UInt32 = 0
    /// First sequence number of the frame of the last packet; `nil` for a stream without protection.
    package var protectedFrame: UInt32?
    /// Stream that is numbered, on a peer-to-peer connection.
    var stream: UInt16 = 0
  }

  /// Time of a tile on the screen without a break.
  package struct Visit: BitwiseCopyable {
    /// Set while it lasts, as of the last look at the screen.
    package fileprivate(set) var isOpen = false
    package fileprivate(set) var beganAt = SimTime.zero
    /// Time at which its first frame was rendered.
    package fileprivate(set) var pictureAt = LastTime.never
  }

  /// Counters of the current interval.
  package struct Interval: BitwiseCopyable {
    package var bytes: Int64 = 0
    package var packets: Int32 = 0
    package var frames: Int32 = 0
    /// Number of packets in decoded frames, each counted once.
    package var decodedPackets: Int32 = 0
    /// Bytes on the wire of the packets in decoded frames.
    package var decodedBytes: Int64 = 0
    /// Bytes on the wire of spatial layers that the shown one is not predicted from.
    package var unusedBytes: Int64 = 0
    /// Picture loss indications sent.
    package var pictureLossIndications: UInt32 = 0
    /// NACK packets sent.
    package var negativeAcknowledgements: UInt32 = 0
    /// Sum of the delays from capture to rendering [ns].
    package var delays: Int64 = 0
    /// Longest delay from capture to rendering [ns].
    package var longestDelay: Int64 = 0
  }

  /// Cumulative counters at the start of the current interval.
  private struct Marks: BitwiseCopyable {
    var lost: UInt32 = 0
    var keyFrames: UInt32 = 0
    var freezes: UInt32 = 0
    var freezeTime = SimDuration.zero
    var pauseTime = SimDuration.zero
    var jitterBufferDelay = SimDuration.zero
    var framesDropped: UInt32 = 0
    var framesLate: UInt32 = 0
  }

  package var lostInInterval: UInt32 { sequence.lost - marks.lost }
  package var keyFramesInInterval: UInt32 { status.keyFramesDecoded - marks.keyFrames }
  package var freezesInInterval: UInt32 { status.freezeCount - marks.freezes }
  package var freezeTimeInInterval: SimDuration { status.freezesDuration - marks.freezeTime }

  package var pauseTimeInInterval: SimDuration { status.pausesDuration - marks.pauseTime }

  /// Returns a receiver's counts for the current interval: the time in its buffer, and frames dropped and late.
  package func countsInInterval(
    of receiver: borrowing VideoReceiver
  ) -> (jitterBufferDelay: SimDuration, dropped: UInt32, late: UInt32) {
    (
      receiver.jitterBufferDelay - marks.jitterBufferDelay, receiver.framesDropped &- marks.framesDropped,
      receiver.framesLate &- marks.framesLate
    )
  }

  /// Begins a new interval.
  package mutating func beginInterval(_ receiver: borrowing VideoReceiver) {
    interval = Interval()
    marks = Marks(
      lost: sequence.lost, keyFrames: status.keyFramesDecoded, freezes: status.freezeCount,
      freezeTime: status.freezesDuration, pauseTime: status.pausesDuration,
      jitterBufferDelay: receiver.jitterBufferDelay,
      framesDropped: receiver.framesDropped, framesLate: receiver.framesLate)
  }

  /// Notes that a key frame is requested.
  package mutating func noteKeyFrameRequest() {
    interval.pictureLossIndications += 1
    asksKeyFrame = true
  }

  package mutating func note(_ frame: ShownFrame) {
    interval.frames += 1
    asksKeyFrame = false
    interval.decodedPackets += Int32(frame.packets)
    interval.decodedBytes += Int64(frame.bytes)
    shownSize = frame.format
    let delay = (frame.renderedAt - frame.capturedAt).nanoseconds
    interval.delays += delay
    interval.longestDelay = max(interval.longestDelay, delay)
    if firstFrameAt == .never { firstFrameAt = LastTime(frame.renderedAt) }
    if firstPictureAt == .never, shownAt != .never { firstPictureAt = LastTime(frame.renderedAt) }
    if visit.pictureAt == .never { visit.pictureAt = LastTime(frame.renderedAt) }
  }

  /// Notes a look at the screen.
  mutating func noteScreen(showsTile: Bool, at now: SimTime) {
    if showsTile, shownAt == .never { shownAt = LastTime(now) }
    if showsTile, !visit.isOpen { visit = Visit(beganAt: now) }
    visit.isOpen = showsTile
  }

  /// Resets the sequence numbers when reception stops deliberately or restarts.
  package mutating func stop() {
    sequence.hasBegun = false
    sequence.hasMissing = false
    asksKeyFrame = false
  }
}
