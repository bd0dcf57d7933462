import Media
import Quantity

/// One source as one viewer receives it, beside its ``Media/VideoReceiver``, which is too large to stand here.
struct Reception: BitwiseCopyable {
  /// Whether it is to be decoded, or ignored.
  var isExpected = false
  /// What the receiver reports.
  var status = VideoReceiverStatus()
  /// Number of the size of the last picture; `.max` before the first.
  var size: UInt16 = .max
  /// Number of the size that the client was last told of; `.max` for no stream.
  var toldSize: UInt16 = .max
  var sequence = SequenceState()
  var interval = Interval()
  var delays = FrameDelays()
  private var marks = Marks()

  /// The packets' sequence numbers, as the SFU has rewritten them.
  struct SequenceState: BitwiseCopyable {
    var hasBegun = false
    /// Whether packets are missing that may still come.
    var hasMissing = false
    var highest: UInt32 = 0
    /// Numbers from the first that came to the highest, since the beginning.
    var numbered: Int64 = 0
    /// Packets that the sequence numbers missed since the beginning, repaired later or not, as libwebrtc counts W3C
    /// `packetsLost`.
    var lost: UInt32 = 0
    /// First number of the last key frame of which a packet came.
    var keyFrame: UInt32 = 0
  }

  /// Counters over the current interval.
  struct Interval: BitwiseCopyable {
    var bytes: Int64 = 0
    var packets: Int32 = 0
    var frames: Int32 = 0
    /// Packets of the frames that were decoded, each once, and what they take on the wire.
    var decodedPackets: Int32 = 0
    var decodedBytes: Int64 = 0
  }

  /// From capture to rendering, over the whole run.
  struct FrameDelays: BitwiseCopyable {
    /// When the first frame was rendered [ns]; -1 before.
    var firstFrameAt: Int64 = -1
    /// [ns]
    var sum: Int64 = 0
    var maximum: Int64 = 0
  }

  /// The running counters when the current interval began.
  private struct Marks: BitwiseCopyable {
    var lost: UInt32 = 0
    var freezes: UInt32 = 0
    var freezeTime = SimDuration.zero
  }

  var lostInInterval: UInt32 { sequence.lost - marks.lost }
  var freezesInInterval: UInt32 { status.freezeCount - marks.freezes }
  var freezeTimeInInterval: SimDuration { status.freezesDuration - marks.freezeTime }

  /// Begins another interval.
  mutating func beginInterval() {
    interval = Interval()
    marks = Marks(lost: sequence.lost, freezes: status.freezeCount, freezeTime: status.freezesDuration)
  }

  mutating func note(_ frame: ShownFrame) {
    interval.frames += 1
    interval.decodedPackets += Int32(frame.packets)
    interval.decodedBytes += Int64(frame.bytes)
    size = frame.format
    let delay = (frame.renderedAt - frame.capturedAt).nanoseconds
    delays.sum += delay
    delays.maximum = max(delays.maximum, delay)
    if delays.firstFrameAt < 0 { delays.firstFrameAt = frame.renderedAt.nanoseconds }
  }

  /// Reception stops on purpose, or begins anew.
  mutating func stop() {
    sequence.hasBegun = false
    sequence.hasMissing = false
  }
}
