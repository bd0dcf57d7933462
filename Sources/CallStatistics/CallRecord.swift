import Files
package import Ladder

/// Statistics of a call from one sender's browser, sampled about once a second.
///
/// They say nothing about how the link was shaped: capacities are inferred (``CapacityCourse``).
package struct CallRecord: Sendable {
  /// State of one encoding of the sender's video in a sample.
  package struct Encoding: Equatable, Sendable {
    /// Cumulative bytes including RTP headers: received if the receiver's statistics are known, otherwise sent. Padding
    /// is excluded where known.
    package var bytes: Double?
    /// Cumulative bytes of padding.
    package var padding = 0.0
    /// Size of the picture [pixel].
    package var width: Double?
    package var height: Double?
    /// Frames per second.
    package var frameRate: Double?
    /// The encoder's target, `targetBitrate` [kbps].
    package var target: Double?

    package init(
      bytes: Double?, height: Double?, width: Double? = nil, frameRate: Double? = nil, target: Double? = nil
    ) {
      self.bytes = bytes
      self.height = height
      self.width = width
      self.frameRate = frameRate
      self.target = target
    }
  }

  /// Statistics at one time; `nil` for values that the browser had not reported yet.
  package struct Sample: Equatable, Sendable {
    /// Time since the call began [s].
    package var time: Double
    /// The sender's estimate, `availableOutgoingBitrate` [kbps]; positive.
    package var estimate: Double?
    /// Encodings in the order of the record's sources.
    package var encodings: [Encoding]
    /// Last measured round trip [ms].
    package var roundTrip: Double?
    /// Cumulative number of packets lost, of all streams.
    package var lost: Double?
    /// Cumulative number of packets sent, of all streams.
    package var packets: Double?
    /// Indicates that the call changed to another path since the previous sample.
    package var isOnNewPath = false

    package init(
      time: Double, estimate: Double?, encodings: [Encoding], roundTrip: Double? = nil, lost: Double? = nil,
      packets: Double? = nil
    ) {
      self.time = time
      self.estimate = estimate
      self.encodings = encodings
      self.roundTrip = roundTrip
      self.lost = lost
      self.packets = packets
    }

    /// Cumulative bytes of some encodings; `nil` while none has a value.
    func bytes(of range: Range<Int>) -> Double? {
      let known = encodings[range.clamped(to: encodings.indices)].compactMap(\.bytes)
      return known.isEmpty ? nil : known.reduce(0, +)
    }

    /// Cumulative bytes of all encodings; `nil` while none has a value.
    var bytes: Double? { bytes(of: encodings.indices) }
    /// Cumulative padding bytes of all encodings.
    var padding: Double { encodings.reduce(0) { $0 + $1.padding } }
  }

  /// A camera or a screen share of the call.
  package struct Source: Equatable, Sendable {
    package enum Kind: String, Sendable { case camera, screen }

    package var kind: Kind
    /// Resolution and frame rate of the capture; `nil` if unknown.
    package var capture: VideoFormat?
    /// Its encodings, as indices into a sample's.
    package var encodings: Range<Int>
    /// Explanation for the scenario of how the kind is known; `nil` if obvious.
    package var evidence: String?
    /// Codec; `nil` if unknown.
    package var codec: VideoCodec?
    /// Its scalability mode; `nil` if unknown.
    var mode: ScalabilityMode?
    /// Indicates a second camera that takes the place of a screen share.
    package var isSecondCamera = false
    /// `true` for a camera's picture, whichever source it is written as.
    var showsCamera: Bool { kind == .camera || isSecondCamera }
    /// Scalable stream of a codec that is sent as one; with a single layer if the mode is unknown.
    var scalable: ScalableSending? {
      codec.flatMap {
        $0.hasSpatialLayers ? ScalableSending($0, mode ?? ScalabilityMode(spatial: 1, temporal: 1)) : nil
      }
    }

    package init(
      kind: Kind, capture: VideoFormat? = nil, encodings: Range<Int>, evidence: String? = nil
    ) {
      self.kind = kind
      self.capture = capture
      self.encodings = encodings
      self.evidence = evidence
    }
  }

  /// Valid range of counters, in which integers are exact.
  static let measurable = 0.0...1e15
  /// Upper limits of plausible estimates [kbps], round trips [ms] and heights [pixel].
  static let mostEstimate = 1e7
  static let mostRoundTrip = 30_000.0
  static let mostHeight = 8192.0
  /// Minimum interval between samples [s]: closer ones are skipped, since rates over shorter times are those of single
  /// frames.
  static let leastGap = 0.8
  /// Maximum length of a call, and maximum gap between samples [s].
  static let longest = 7200.0
  static let longestGap = 10.0
  /// Minimum length of a call for any inference [s].
  static let shortest = 10.0

  package var samples: [Sample]
  /// Media sources sent by one participant or, in a call that was only received, one from each of the others.
  package var sources: [Source]
  /// Indicates that the statistics are a receiver's; the path is then its downlink.
  package var isReceived = false
  /// Remarks on what was left out or assumed, for the user and the scenario.
  package var notes: [String] = []
  /// Encodings requested by the viewer: time of the request [s], and divisor of the camera's height; empty if all
  /// encodings were requested.
  package var requests: [(at: Double, scale: Int)]
  /// Indicates that the sender sent audio.
  package var hasVoice: Bool

  /// - Parameter sources: by default a camera with all encodings.
  package init(
    samples: [Sample], sources: [Source]? = nil, requests: [(at: Double, scale: Int)] = [],
    hasVoice: Bool = true
  ) {
    self.samples = samples
    let count = samples.map(\.encodings.count).max() ?? 0
    self.sources = sources ?? [Source(kind: .camera, encodings: 0..<count)]
    self.requests = requests
    self.hasVoice = hasVoice
  }

  /// Indicates that the sender's estimate is known.
  var hasEstimate: Bool { samples.contains { $0.estimate != nil } }

  /// Duration in whole seconds; each sample stands for the time that follows it.
  package var duration: Int { Int((samples.last?.time ?? 0).rounded()) + 1 }

  /// Returns the mean rate of some encodings between two samples [kbps]; `nil` if unknown.
  func rate(of encodings: Range<Int>, from first: Int, to last: Int) -> Double? {
    guard first < last, let end = samples[last].bytes(of: encodings),
      let begin = samples[first].bytes(of: encodings)
    else { return nil }
    return max(0, end - begin) * 8 / 1000 / (samples[last].time - samples[first].time)
  }

  /// Returns the rate of all encodings since the preceding sample [kbps]; `nil` if unknown.
  func rate(at index: Int) -> Double? {
    guard index > 0, let end = samples[index].bytes, let begin = samples[index - 1].bytes else { return nil }
    return max(0, end - begin) * 8 / 1000 / (samples[index].time - samples[index - 1].time)
  }

  /// Returns the rate of padding between two samples [kbps].
  func paddingRate(from first: Int, to last: Int) -> Double {
    guard first >= 0, first < last else { return 0 }
    let bytes = max(0, samples[last].padding - samples[first].padding)
    return bytes * 8 / 1000 / (samples[last].time - samples[first].time)
  }

  /// Returns the rate on the path for a rate of media and padding, adding IP headers and a voice [kbps].
  package func pathRate(ofMedia rate: Double) -> Double {
    rate * CapacityEvidence.headers + (hasVoice ? CapacityEvidence.voice : 0)
  }

  /// Returns the rate of media for which a rate on the path leaves room [kbps].
  package func mediaRate(onPath rate: Double) -> Double {
    max(0, rate - (hasVoice ? CapacityEvidence.voice : 0)) / CapacityEvidence.headers
  }

  /// Maximum size of an RTP header with the extensions that browsers send [byte].
  private static let mostHeader = 40.0

  /// Returns the padding included in the header bytes, since webrtc-stats count both together (`headerBytesSent`): the
  /// bytes beyond what packet headers take; zero if packets are not counted.
  static func padding(headers: Double, packets: Double?) -> Double {
    packets.map { max(0, headers - $0 * mostHeader) } ?? 0
  }
}

extension CallRecord {
  /// Reads the bytes of a record's file.
  static func bytes(of path: String, limit: Int) throws(CallRecordError) -> [UInt8] {
    do throws(FileError) {
      return try FileReader.expandedBytes(of: path, limit: limit)
    } catch {
      throw CallRecordError(path: path, text: error.description)
    }
  }
}

/// Reason why a file is not a record of a call.
package struct CallRecordError: Error, Equatable, Sendable, CustomStringConvertible {
  package let path: String
  /// Position in the file, from 1.
  package let line: Int
  package let column: Int
  package let text: String

  package init(path: String, line: Int = 1, column: Int = 1, text: String) {
    self.path = path
    self.line = line
    self.column = column
    self.text = text
  }

  /// Returns the error with the subcommand that reads the file, unless it is the one that was used.
  func advised(_ command: String?, besides used: String) -> CallRecordError {
    guard let command, command != used else { return self }
    return CallRecordError(
      path: path, line: line, column: column,
      text: text + "; it looks like a file for 'meetsim import \(command)'")
  }

  package var description: String { "\(path):\(line):\(column): error: \(text)" }
}
