/// Events of a libwebrtc RTC event log that concern a sender and its path.
struct EventLog {
  /// A sent RTP packet.
  struct Packet {
    /// Time in the log [ms].
    var time: Double
    var ssrc: UInt32
    /// Size with RTP header and padding [byte].
    var bytes: Int32
    /// Transport-wide sequence number; `nil` for a stream outside congestion control.
    var sequence: UInt16?
  }

  /// An RTCP packet.
  struct Control {
    var time: Double
    var isReceived: Bool
    var range: Range<Int>
  }

  /// An estimate at the sender [bit/s].
  struct Estimate {
    var time: Double
    var rate: Double
    /// Set for the delay-based estimator; the loss-based estimate is the target, and includes the delay-based one.
    var isDelayBased: Bool
  }

  /// Configuration of an SSRC.
  struct Stream {
    var isVideo: Bool
    /// SSRC of the media; differs from the stream's own for retransmissions.
    var media: UInt32
    /// Number of the source shared by the streams of one configuration.
    var group: Int
  }

  /// Version of the format, 1 or 2.
  var version = 2
  /// Offset from the log's times to those since 1970 [ms].
  var epoch = 0.0
  var packets: [Packet] = []
  var controls: [Control] = []
  var estimates: [Estimate] = []
  var streams: [UInt32: Stream] = [:]
  /// Video streams configured without an SSRC, as in Chromium: the SSRC of their retransmissions, if any, and their
  /// group.
  var unnamed: [(retransmission: UInt32?, group: Int)] = []
  /// Rates found by probes [bit/s]; times at which probes were sent, and at which they failed [ms].
  var probed: [(time: Double, rate: Double)] = []
  var probes: [Double] = []
  var failures = 0
  /// Times at which the sender became, or ceased to be, application-limited [ms].
  var applicationLimits: [(time: Double, begins: Bool)] = []
  /// Set for a log that ends within a message.
  var isCutOff = false
  /// Id of the header extension for transport-wide sequence numbers, in version 1.
  var sequenceExtension: UInt8?
  var groups = 0

  /// Maximum number of events in a file of a given size: a packet takes a few bytes even in a batch.
  static func mostEvents(_ size: Int) -> Int { 10_000 + 2 * size }

  /// Total time for which the application limited the sender, in periods that lie within the log [ms].
  var applicationLimited: Double {
    var sum = 0.0
    var begin: Double?
    for (time, begins) in applicationLimits.sorted(by: { $0.time < $1.time }) {
      if let start = begin, !begins { sum += time - start }
      begin = begins ? begin ?? time : nil
    }
    return sum
  }

  var events: Int { packets.count + controls.count + estimates.count }

  /// Checks whether bytes start like a log: with an event of version 1, or the begin event of version 2.
  static func begins(_ bytes: some Collection<UInt8>) -> Bool {
    let start = Array(bytes.prefix(4))
    guard start.count == 4 else { return false }
    // In version 1 the first event starts with its time, in version 2 with field 16.
    return start[0] == 0x0a && start[1] > 2 && start[1] < 0x80 && start[2] == 0x08
      || start[0] == 0x82 && start[1] == 0x01 && start[3] == 0x08
  }

  /// Assigns the streams sent without a configuration, in order of their start, to those configured without an SSRC;
  /// several streams of one configuration are its encodings.
  mutating func nameStreams() {
    guard let last = unnamed.last else { return }
    let again = Set(unnamed.compactMap(\.retransmission))
    var begins: [UInt32: Double] = [:]
    for packet in packets where streams[packet.ssrc] == nil && !again.contains(packet.ssrc) {
      begins[packet.ssrc] = min(packet.time, begins[packet.ssrc] ?? .infinity)
      if begins.count > Self.mostNames { return }
    }
    let names = begins.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    for (place, name) in names.enumerated() {
      let own = place < unnamed.count ? unnamed[place] : (retransmission: nil, group: last.group)
      addStreams(
        [name], retransmissions: own.retransmission.map { [$0] } ?? [], isVideo: true, group: own.group)
    }
  }

  /// Maximum number of streams without a configuration that are assigned.
  private static let mostNames = 100

  mutating func addStreams(_ media: [UInt32], retransmissions: [UInt32], isVideo: Bool, group: Int) {
    for (place, ssrc) in media.enumerated() {
      if streams[ssrc] == nil { streams[ssrc] = Stream(isVideo: isVideo, media: ssrc, group: group) }
      if place < retransmissions.count, streams[retransmissions[place]] == nil {
        streams[retransmissions[place]] = Stream(isVideo: isVideo, media: ssrc, group: group)
      }
    }
  }
}
