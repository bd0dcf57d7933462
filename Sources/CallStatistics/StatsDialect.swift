/// Names of statistics in older browsers: types derived from ids, and the `goog` statistics.
enum StatsDialect {
  /// Prefixes of ids in Chromium, with the objects' types: the long ones up to version 106, the short ones since.
  private static let prefixes = [
    ("RTCOutboundRTP", "outbound-rtp"), ("RTCInboundRTP", "inbound-rtp"),
    ("RTCRemoteInboundRtp", "remote-inbound-rtp"), ("RTCIceCandidatePair", "candidate-pair"),
    ("RTCVideoSource", "media-source"), ("RTCAudioSource", "media-source"),
    ("RTCMediaStreamTrack", "track"), ("RTCTransport", "transport"), ("OT", "outbound-rtp"),
    ("IT", "inbound-rtp"), ("RI", "remote-inbound-rtp"), ("CP", "candidate-pair"), ("SV", "media-source"),
    ("SA", "media-source"), ("RTCCodec", "codec"), ("COT", "codec"), ("CIT", "codec"),
  ]

  /// Returns the type of an object without `statsType`; `nil` for ids from other browsers and for other objects.
  static func type(ofID id: String) -> String? {
    if id == "bweforvideo" || isLegacyStream(id) { return "goog" }
    return prefixes.first { id.hasPrefix($0.0) }?.1
  }

  private static func isLegacyStream(_ id: String) -> Bool {
    id.hasPrefix("ssrc_") && (id.hasSuffix("_send") || id.hasSuffix("_recv"))
  }

  /// The `goog` members that are read.
  static let legacyMembers: Set<String> = [
    "googAvailableSendBandwidth", "googFrameHeightSent", "googFrameWidthSent", "googFrameRateSent", "googRtt",
    "googTrackId", "googContentType", "googFrameHeightInput", "googFrameWidthInput", "googFrameRateInput",
    "googFrameHeightReceived", "googFrameWidthReceived", "googFrameRateReceived",
  ]

  /// Translates a connection's `goog` statistics, unless it also has the standard ones.
  static func modernized(_ connection: StatsConnection) -> StatsConnection {
    let legacy = connection.objects.filter { $0.type == "goog" }
    guard !legacy.isEmpty else { return connection }
    let modern = connection.objects.filter { $0.type != "goog" }
    let isEnough =
      modern.contains { $0.members["availableOutgoingBitrate"] != nil }
      && modern.contains { $0.type == "outbound-rtp" && $0.members["bytesSent"] != nil }
    if isEnough { return StatsConnection(name: connection.name, objects: modern) }
    return StatsConnection(name: connection.name, objects: legacy.flatMap(translated))
  }

  private static func translated(_ object: StatsObject) -> [StatsObject] {
    if object.id == "bweforvideo" {
      return [
        renamed(object, "candidate-pair", ["googAvailableSendBandwidth": "availableOutgoingBitrate"])
      ]
    }
    let parts = object.id.split(separator: "_")
    guard parts.count == 3, let kind = object.members["mediaType"] else { return [] }
    func stream(_ type: String, _ names: [String: String]) -> StatsObject {
      var stream = renamed(object, type, names)
      stream.members["kind"] = kind
      stream.members["ssrc"] = StatsSeries(
        times: kind.times, values: kind.times.map { _ in .text(String(parts[1])) })
      return stream
    }
    if parts[2] == "recv" {
      return [
        stream(
          "inbound-rtp",
          [
            "bytesReceived": "bytesReceived", "packetsReceived": "packetsReceived",
            "packetsLost": "packetsLost",
            "googFrameHeightReceived": "frameHeight", "googFrameWidthReceived": "frameWidth",
            "googFrameRateReceived": "framesPerSecond", "googTrackId": "trackIdentifier",
          ])
      ]
    }
    var report = stream("remote-inbound-rtp", ["packetsLost": "packetsLost", "googRtt": "roundTripTime"])
    if var trips = report.members["roundTripTime"] {
      trips.values = trips.values.map { value in value.number.map { .number($0 / 1000) } ?? .other }
      report.members["roundTripTime"] = trips
    }
    var sent = stream(
      "outbound-rtp",
      [
        "bytesSent": "bytesSent", "packetsSent": "packetsSent", "googFrameHeightSent": "frameHeight",
        "googFrameWidthSent": "frameWidth", "googFrameRateSent": "framesPerSecond",
        "googTrackId": "mediaSourceId", "googContentType": "contentType",
      ])
    if let content = sent.members["contentType"], content.values.contains(.text("screen")) {
      sent.members["contentType"]?.values = content.values.map {
        $0 == .text("screen") ? .text("screenshare") : $0
      }
    }
    guard let track = object.label("googTrackId") else { return [sent, report] }
    var source = renamed(
      object, "media-source",
      [
        "googFrameWidthInput": "width", "googFrameHeightInput": "height",
        "googFrameRateInput": "framesPerSecond",
      ],
      id: track)
    source.members["kind"] = kind
    return [sent, report, source]
  }

  private static func renamed(
    _ object: StatsObject, _ type: String, _ names: [String: String], id: String? = nil
  ) -> StatsObject {
    var renamed = StatsObject(id: id ?? object.id, type: type)
    for (old, new) in names { renamed.members[new] = object.members[old] }
    return renamed
  }
}
