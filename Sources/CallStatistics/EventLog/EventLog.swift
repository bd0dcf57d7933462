/// Events of an RTC event log of libwebrtc that tell of a sender and its path.
struct EventLog {
  /// A packet of RTP that was sent.
  struct Packet {
    /// Time of the log [ms].
    var time: Double
    var ssrc: UInt32
    /// With RTP header and padding.
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

  /// An estimate of the sender [bit/s].
  struct Estimate {
    var time: Double
    var rate: Double
    /// Set for that of the delay-based estimator, which the loss-based one, the target, includes.
    var isDelayBased: Bool
  }

  /// What a configuration says of an SSRC.
  struct Stream {
    var isVideo: Bool
    /// SSRC of the media, other than its own for retransmissions.
    var media: UInt32
    /// Number of the source that the streams of one configuration have in common.
    var group: Int
  }

  /// Version of the format, 1 or 2.
  var version = 2
  /// Difference of 1970 to the log's times [ms].
  var epoch = 0.0
  var packets: [Packet] = []
  var controls: [Control] = []
  var estimates: [Estimate] = []
  var streams: [UInt32: Stream] = [:]
  /// Video streams that are configured without their SSRC, as Chromium does: that of their retransmissions, if they have
  /// one, and their group.
  var unnamed: [(retransmission: UInt32?, group: Int)] = []
  /// Rates that probes found [bit/s]; times at which probes were sent, and at which they failed [ms].
  var probed: [(time: Double, rate: Double)] = []
  var probes: [Double] = []
  var failures = 0
  /// Times at which the sender became limited by its application, and at which that ended [ms].
  var applicationLimits: [(time: Double, begins: Bool)] = []
  /// Set for a log that ends within a message.
  var isCutOff = false
  /// Identifier of the transport-wide sequence number among header extensions, in version 1.
  var sequenceExtension: UInt8?
  var groups = 0

  /// Greatest number of events that a file of some size may have: a packet takes some bytes even in a batch.
  static func mostEvents(_ size: Int) -> Int { 10_000 + 2 * size }

  /// Time for which the application limited the sender, of what began and ended within the log [ms].
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

  /// `true` for bytes that begin as a log does: with an event of version 1, or with the begin of version 2.
  static func begins(_ bytes: some Collection<UInt8>) -> Bool {
    let start = Array(bytes.prefix(4))
    guard start.count == 4 else { return false }
    // Of version 1 the first event begins with its time, of version 2 with field 16.
    return start[0] == 0x0a && start[1] > 2 && start[1] < 0x80 && start[2] == 0x08
      || start[0] == 0x82 && start[1] == 0x01 && start[3] == 0x08
  }

  /// Takes what was sent without a configuration, in the order in which it began, for the streams without an SSRC; several
  /// streams of one configuration are its encodings.
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

  /// Greatest number of streams without a configuration that are named.
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
