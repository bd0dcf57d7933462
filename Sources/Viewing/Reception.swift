package import Media
package import Quantity

/// One source as received by one viewer, apart from its ``Media/VideoReceiver``, which is too large to be stored here.
package struct Reception: BitwiseCopyable {
  /// Set while it is to be decoded; ignored otherwise.
  var isExpected = false
  /// Status reported by the receiver.
  package var status = VideoReceiverStatus()
  /// Number of the size of the last picture; `.max` before the first.
  package var size: UInt16 = .max
  /// Number of the size of which the client was last notified; `.max` for no stream.
  var toldSize: UInt16 = .max
  package var sequence = SequenceState()
  package var interval = Interval()
  /// Time at which its pictures last became decodable: a key frame had come.
  package var decodableSince = SimTime.zero
  /// Time at which the first frame was rendered [ns]; -1 before.
  package var firstFrameAt: Int64 = -1
  /// Time at which the tile was first on the screen [ns]; -1 before.
  package var shownAt: Int64 = -1
  /// Time at which the first frame was rendered since then [ns]; -1 before.
  package var firstPictureAt: Int64 = -1
  private var marks = Marks()

  /// State of the packets' sequence numbers, as rewritten by the SFU.
  package struct SequenceState: BitwiseCopyable {
    package var hasBegun = false
    /// Set while packets are missing that may still arrive.
    package var hasMissing = false
    package var highest: UInt32 = 0
    /// Number of sequence numbers from the first received to the highest, since the beginning.
    package var numbered: Int64 = 0
    /// Number of packets that the sequence numbers missed since the beginning, repaired later or not, as libwebrtc
    /// counts W3C `packetsLost`.
    package var lost: UInt32 = 0
    /// First sequence number of the last key frame of which a packet arrived.
    package var keyFrame: UInt32 = 0
    /// First sequence number of the frame of the last packet; `nil` for a stream without protection.
    package var protectedFrame: UInt32?
  }

  /// Counters over the current interval.
  package struct Interval: BitwiseCopyable {
    package var bytes: Int64 = 0
    package var packets: Int32 = 0
    package var frames: Int32 = 0
    /// Number of packets of the decoded frames, each counted once.
    package var decodedPackets: Int32 = 0
    /// Bytes on the wire of the decoded frames' packets.
    package var decodedBytes: Int64 = 0
    /// Bytes on the wire of spatial layers from which the shown one is not predicted.
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

  /// Cumulative counters at the beginning of the current interval.
  private struct Marks: BitwiseCopyable {
    var lost: UInt32 = 0
    var keyFrames: UInt32 = 0
    var freezes: UInt32 = 0
    var freezeTime = SimDuration.zero
    var jitterBufferDelay = SimDuration.zero
    var framesDropped: UInt32 = 0
    var framesLate: UInt32 = 0
  }

  package var lostInInterval: UInt32 { sequence.lost - marks.lost }
  package var keyFramesInInterval: UInt32 { status.keyFramesDecoded - marks.keyFrames }
  package var freezesInInterval: UInt32 { status.freezeCount - marks.freezes }
  package var freezeTimeInInterval: SimDuration { status.freezesDuration - marks.freezeTime }

  /// Returns what a receiver has counted since the interval began: the time in its buffer, frames dropped and late.
  package func countsInInterval(
    of receiver: borrowing VideoReceiver
  ) -> (jitterBufferDelay: SimDuration, dropped: UInt32, late: UInt32) {
    (
      receiver.jitterBufferDelay - marks.jitterBufferDelay, receiver.framesDropped &- marks.framesDropped,
      receiver.framesLate &- marks.framesLate
    )
  }

  /// Begins another interval.
  package mutating func beginInterval(_ receiver: borrowing VideoReceiver) {
    interval = Interval()
    marks = Marks(
      lost: sequence.lost, keyFrames: status.keyFramesDecoded, freezes: status.freezeCount,
      freezeTime: status.freezesDuration, jitterBufferDelay: receiver.jitterBufferDelay,
      framesDropped: receiver.framesDropped, framesLate: receiver.framesLate)
  }

  package mutating func note(_ frame: ShownFrame) {
    interval.frames += 1
    interval.decodedPackets += Int32(frame.packets)
    interval.decodedBytes += Int64(frame.bytes)
    size = frame.format
    let delay = (frame.renderedAt - frame.capturedAt).nanoseconds
    interval.delays += delay
    interval.longestDelay = max(interval.longestDelay, delay)
    if firstFrameAt < 0 { firstFrameAt = frame.renderedAt.nanoseconds }
    if firstPictureAt < 0, shownAt >= 0 { firstPictureAt = frame.renderedAt.nanoseconds }
  }

  /// Returns the time from a subscription to the first frame, counted from the first moment on the screen where that came
  /// later [ns]; `nil` before it.
  package func firstFrameDelay(since subscribedAt: Int64) -> Int64? {
    if shownAt < 0 { return firstFrameAt < 0 ? nil : firstFrameAt - subscribedAt }
    return firstPictureAt < 0 ? nil : firstPictureAt - max(subscribedAt, shownAt)
  }

  /// Resets the sequence numbers when reception stops on purpose, or begins again.
  package mutating func stop() {
    sequence.hasBegun = false
    sequence.hasMissing = false
  }
}
