import Ladder

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// JSON of a dump, reduced to the members that are read.
struct DumpFile: Decodable {
  struct Connection: Decodable {
    var stats: [String: Series]?
  }

  /// Samples of one member of a statistics object.
  struct Series: Decodable {
    var statsType: String?
    /// A JSON array in text form.
    var values: String
  }

  let PeerConnections: [String: Connection]
}

/// A value of a series; anything but a number or a text is `other`.
private enum DumpedValue: Decodable {
  case number(Double)
  case text(String)
  case other

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self), number.isFinite {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .other
    }
  }
}

/// A statistics object of a dump, such as an `outbound-rtp`, with samples of its members.
struct DumpedObject {
  let type: String
  private var members: [String: [DumpedValue]] = [:]

  init(type: String) { self.type = type }

  mutating func add(_ name: String, _ values: String) {
    members[name] = (try? JSONDecoder().decode([DumpedValue].self, from: Data(values.utf8))) ?? []
  }

  /// Sampling times [ms]; `nil` if there are none.
  var times: [Double]? {
    let times = (members["timestamp"] ?? []).compactMap {
      if case .number(let time) = $0 { time } else { nil }
    }
    return times.isEmpty ? nil : times
  }

  func count(_ name: String) -> Int { members[name]?.count ?? 0 }

  func number(_ name: String, _ index: Int) -> Double? {
    guard let values = members[name], values.indices.contains(index), case .number(let value) = values[index]
    else { return nil }
    return value
  }

  func text(_ name: String) -> String? {
    if case .text(let text)? = members[name]?.last { text } else { nil }
  }

  func last(_ name: String) -> Double? { number(name, count(name) - 1) }

  func largest(_ name: String) -> Double? { (0..<count(name)).compactMap { number(name, $0) }.max() }

  /// Returns the latest sample up to a time [ms]. Members that were added later have fewer samples; all end together.
  func value(of name: String, at time: Double) -> Double? {
    guard let times, let index = times.lastIndex(where: { $0 <= time }) else { return nil }
    return number(name, index - (times.count - count(name)))
  }

  /// SSRC of the stream.
  var identifier: Double? { last("ssrc") }
}

/// A peer connection of a dump.
struct DumpedConnection {
  private static let members: [String: Set<String>] = [
    "candidate-pair": ["availableOutgoingBitrate", "currentRoundTripTime", "timestamp"],
    "outbound-rtp": ["kind", "ssrc", "bytesSent", "headerBytesSent", "frameHeight", "timestamp"],
    "inbound-rtp": [
      "kind", "ssrc", "bytesReceived", "headerBytesReceived", "packetsLost", "frameHeight", "timestamp",
    ],
    "remote-inbound-rtp": ["kind", "ssrc", "roundTripTime", "packetsLost", "timestamp"],
    "media-source": ["kind", "width", "height", "framesPerSecond"],
  ]

  /// Objects in the order of their ids.
  private let objects: [DumpedObject]

  init(_ connection: DumpFile.Connection) {
    var found: [String: DumpedObject] = [:]
    for (key, series) in connection.stats ?? [:] {
      // `ID-member`: ids may contain hyphens, members cannot.
      guard let hyphen = key.lastIndex(of: "-"), let type = series.statsType else { continue }
      let member = String(key[key.index(after: hyphen)...])
      guard Self.members[type]?.contains(member) == true else { continue }
      found[String(key[..<hyphen]), default: DumpedObject(type: type)].add(member, series.values)
    }
    objects = found.sorted { $0.key < $1.key }.map(\.value)
  }

  private func videos(_ type: String) -> [DumpedObject] {
    objects.filter { $0.type == type && $0.text("kind") == "video" }
  }

  /// Video streams sent, one per encoding, the smallest first.
  var videos: [DumpedObject] {
    videos("outbound-rtp").filter { ($0.last("bytesSent") ?? 0) > 0 }
      .sorted { ($0.largest("frameHeight") ?? 0) < ($1.largest("frameHeight") ?? 0) }
  }

  var received: [DumpedObject] { videos("inbound-rtp") }

  var videoBytes: Double { videos.compactMap { $0.last("bytesSent") }.reduce(0, +) }

  /// Candidate pair with the most samples of the estimate.
  var estimatedPair: DumpedObject? {
    objects.filter { $0.count("availableOutgoingBitrate") > 0 }
      .max { $0.count("availableOutgoingBitrate") < $1.count("availableOutgoingBitrate") }
  }

  /// The receiver's reports on the video.
  var report: DumpedObject? { videos("remote-inbound-rtp").first }

  var hasVoice: Bool {
    objects.contains {
      $0.type == "outbound-rtp" && $0.text("kind") == "audio" && ($0.last("bytesSent") ?? 0) > 0
    }
  }

  /// Format of the camera or screen that was sent.
  var capture: VideoFormat? {
    guard let source = videos("media-source").first, let width = source.largest("width"),
      let height = source.largest("height"), (16...7680).contains(width), (16...4320).contains(height)
    else { return nil }
    let rates = (0..<source.count("framesPerSecond")).compactMap { source.number("framesPerSecond", $0) }
    let rate = rates.isEmpty ? 30 : min(max(CapacityCourse.median(rates).rounded(), 1), 60)
    return VideoFormat(Resolution(width: Int(width), height: Int(height)), framesPerSecond: Int(rate))
  }
}
