import Media
import Quantity

/// One source as received by one viewer, apart from its ``Media/VideoReceiver``, which is too large to be stored here.
struct Reception: BitwiseCopyable {
  /// Set while it is to be decoded; ignored otherwise.
  var isExpected = false
  /// Status reported by the receiver.
  var status = VideoReceiverStatus()
  /// Number of the size of the last picture; `.max` before the first.
  var size: UInt16 = .max
  /// Number of the size of which the client was last notified; `.max` for no stream.
  var toldSize: UInt16 = .max
  var sequence = SequenceState()
  var interval = Interval()
  var delays = FrameDelays()
  private var marks = Marks()

  /// State of the packets' sequence numbers, as rewritten by the SFU.
  struct SequenceState: BitwiseCopyable {
    var hasBegun = false
    /// Set while packets are missing that may still arrive.
    var hasMissing = false
    var highest: UInt32 = 0
    /// Number of sequence numbers from the first received to the highest, since the beginning.
    var numbered: Int64 = 0
    /// Number of packets that the sequence numbers missed since the beginning, repaired later or not, as libwebrtc
    /// counts W3C `packetsLost`.
    var lost: UInt32 = 0
    /// First sequence number of the last key frame of which a packet arrived.
    var keyFrame: UInt32 = 0
  }

  /// Counters over the current interval.
  struct Interval: BitwiseCopyable {
    var bytes: Int64 = 0
    var packets: Int32 = 0
    var frames: Int32 = 0
    /// Number of packets of the decoded frames, each counted once.
    var decodedPackets: Int32 = 0
    /// Bytes on the wire of the decoded frames' packets.
    var decodedBytes: Int64 = 0
  }

  /// Delays from capture to rendering, over the whole run.
  struct FrameDelays: BitwiseCopyable {
    /// Time at which the first frame was rendered [ns]; -1 before.
    var firstFrameAt: Int64 = -1
    /// Sum of the delays [ns].
    var sum: Int64 = 0
    /// Maximum delay [ns].
    var maximum: Int64 = 0
  }

  /// Cumulative counters at the beginning of the current interval.
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

  /// Resets the sequence numbers when reception stops on purpose, or begins again.
  mutating func stop() {
    sequence.hasBegun = false
    sequence.hasMissing = false
  }
}
