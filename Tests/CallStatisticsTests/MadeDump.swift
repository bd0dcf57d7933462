/// A dump of `chrome://webrtc-internals`, built from series.
struct MadeDump {
  /// Origin of all times: 2023-11-14T22:13:20Z [ms since 1970].
  static let origin = 1_700_000_000_000

  private var series: [(key: String, type: String, from: Int, values: [String])] = []
  /// Indicates that objects have timestamps, as they do since Chromium 117.
  var hasTimestamps = true
  /// Indicates that series state the type of their object.
  var hasTypes = true
  /// Name of the connection.
  var name = "7-1"

  /// Adds an object with one sample a second.
  ///
  /// - Parameters:
  /// - seconds: the seconds of its samples, counted from the origin.
  ///   - members: values at each second, as JSON.
  mutating func add(
    _ id: String, _ type: String, at seconds: ClosedRange<Int> = 0...59, _ members: [String: (Int) -> String]
  ) {
    for (member, value) in members.sorted(by: { $0.key < $1.key }) {
      series.append(("\(id)-\(member)", type, seconds.lowerBound, seconds.map(value)))
    }
    if hasTimestamps {
      series.append(
        ("\(id)-timestamp", type, seconds.lowerBound, seconds.map { "\(Self.origin + 1000 * $0)" }))
    }
  }

  /// Adds an outbound video with its remote report.
  mutating func addVideo(
    _ ssrc: String, source: String? = "SV1", bytes: Int = 60_000, packets: Int? = nil, height: Int = 360,
    width: Int = 640,
    fps: Int = 30, lost: Int = 0, at seconds: ClosedRange<Int> = 0...59, more: [String: String] = [:]
  ) {
    var members: [String: (Int) -> String] = [
      "kind": { _ in "\"video\"" }, "ssrc": { _ in ssrc }, "bytesSent": { "\(bytes * ($0 + 1))" },
      "frameHeight": { _ in "\(height)" }, "frameWidth": { _ in "\(width)" },
      "framesPerSecond": { _ in "\(fps)" },
    ]
    if let source { members["mediaSourceId"] = { _ in "\"\(source)\"" } }
    if let packets { members["packetsSent"] = { "\(packets * ($0 + 1))" } }
    for (name, value) in more { members[name] = { _ in value } }
    let id = ssrc.filter { $0 != "\"" }
    add("OT01V\(id)", "outbound-rtp", at: seconds, members)
    add(
      "RIV\(id)", "remote-inbound-rtp", at: seconds,
      [
        "kind": { _ in "\"video\"" }, "ssrc": { _ in ssrc }, "packetsLost": { "\(lost * $0)" },
        "roundTripTime": { _ in "0.04" },
      ])
  }

  mutating func addSource(_ id: String = "SV1", width: Int = 640, height: Int = 360, fps: Int = 30) {
    add(
      id, "media-source",
      [
        "kind": { _ in "\"video\"" }, "width": { _ in "\(width)" }, "height": { _ in "\(height)" },
        "framesPerSecond": { _ in "\(fps)" },
      ])
  }

  mutating func addPair(
    _ id: String = "CPaaaa_bbbb", at seconds: ClosedRange<Int> = 0...59, trip: Double = 0.04,
    estimate: @escaping (Int) -> Int = { _ in 2_500_000 }
  ) {
    add(
      id, "candidate-pair", at: seconds,
      ["availableOutgoingBitrate": { "\(estimate($0))" }, "currentRoundTripTime": { _ in "\(trip)" }])
  }

  /// A call of one camera at 480 kbps that its path of more than 2500 kbps never limits.
  static func plain(timestamps: Bool = true, types: Bool = true) -> MadeDump {
    var dump = MadeDump()
    dump.hasTimestamps = timestamps
    dump.hasTypes = types
    dump.addPair()
    dump.addVideo("1111")
    dump.addSource()
    return dump
  }

  /// JSON of the connection's statistics.
  var connection: String {
    let all = series.map { one in
      let type = hasTypes ? ", \"statsType\": \"\(one.type)\"" : ""
      let values = one.values.joined(separator: ",").split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\\\"")
      return "\"\(one.key)\": {\"startTime\": \"\(Self.time(one.from))\", "
        + "\"endTime\": \"\(Self.time(one.from + one.values.count - 1))\", \"values\": \"[\(values)]\"\(type)}"
    }
    return "\"\(name)\": {\"stats\": {\(all.joined(separator: ",\n"))}}"
  }

  var text: String { Self.text([self]) }

  static func text(_ connections: [MadeDump]) -> String {
    "{\"getUserMedia\": [], \"PeerConnections\": {\(connections.map(\.connection).joined(separator: ", "))}}"
  }

  private static func time(_ second: Int) -> String {
    let total = 20 + second
    let digits = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
    return "2023-11-14T22:\(digits(13 + total / 60)):\(digits(total % 60)).000Z"
  }
}
