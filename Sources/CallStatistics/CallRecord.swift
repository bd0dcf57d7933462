import Files
package import Ladder

/// Statistics of a call from one sender's browser, sampled about once a second.
///
/// They contain nothing about how the link was shaped: capacities are inferred (``CapacityCourse``).
package struct CallRecord: Sendable {
  /// State of one encoding of the sender's video in a sample.
  package struct Encoding: Equatable, Sendable {
    /// Cumulative bytes, RTP headers included: received if the receiver's statistics are known, else sent.
    package var bytes: Double?
    /// Height of the picture [pixel].
    package var height: Double?

    package init(bytes: Double?, height: Double?) {
      self.bytes = bytes
      self.height = height
    }
  }

  /// Statistics at one time; `nil` for values that the browser had not reported yet.
  package struct Sample: Equatable, Sendable {
    /// Time since the call began [s].
    package var time: Double
    /// The sender's estimate, `availableOutgoingBitrate` [kbps]; positive.
    package var estimate: Double?
    /// Encodings in the order of the table.
    package var encodings: [Encoding]
    /// Last measured round trip [ms].
    package var roundTrip: Double?
    /// Cumulative number of packets lost.
    package var lost: Double?

    package init(
      time: Double, estimate: Double?, encodings: [Encoding], roundTrip: Double? = nil, lost: Double? = nil
    ) {
      self.time = time
      self.estimate = estimate
      self.encodings = encodings
      self.roundTrip = roundTrip
      self.lost = lost
    }

    /// Cumulative bytes of all encodings; `nil` while none has any.
    var bytes: Double? {
      let known = encodings.compactMap(\.bytes)
      return known.isEmpty ? nil : known.reduce(0, +)
    }
  }

  /// Valid range of counters, in which integers are exact.
  static let measurable = 0.0...1e15
  /// Upper limits of plausible estimates [kbps], round trips [ms] and heights [pixel].
  static let mostEstimate = 1e7
  static let mostRoundTrip = 30_000.0
  static let mostHeight = 8192.0
  /// Minimum interval of samples: closer ones are skipped, as rates over shorter times are those of single frames [s].
  static let leastGap = 0.8
  /// Maximum length of a call, and maximum gap between samples [s].
  static let longest = 7200.0
  static let longestGap = 10.0
  /// Minimum length of a call for any inference [s].
  static let shortest = 10.0

  package var samples: [Sample]
  /// Resolution and frame rate of the camera; `nil` if unknown.
  package var capture: VideoFormat?
  /// Encodings requested by the viewer: time of the request [s], and divisor of the camera's height; empty for all
  /// encodings.
  package var requests: [(at: Double, scale: Int)]
  /// Indicates that the sender sent audio.
  package var hasVoice: Bool

  package init(
    samples: [Sample], capture: VideoFormat? = nil, requests: [(at: Double, scale: Int)] = [],
    hasVoice: Bool = true
  ) {
    self.samples = samples
    self.capture = capture
    self.requests = requests
    self.hasVoice = hasVoice
  }

  /// Duration in whole seconds; each sample stands for the time after it.
  package var duration: Int { Int((samples.last?.time ?? 0).rounded()) + 1 }

  /// Largest number of simultaneous encodings.
  package var encodingCount: Int { samples.map(\.encodings.count).max() ?? 0 }

  /// Returns the rate of all encodings since the preceding sample [kbps]; `nil` if unknown.
  func rate(at index: Int) -> Double? {
    guard index > 0, let end = samples[index].bytes, let begin = samples[index - 1].bytes else { return nil }
    return max(0, end - begin) * 8 / 1000 / (samples[index].time - samples[index - 1].time)
  }
}

extension CallRecord {
  /// Reads the bytes of a file with a record.
  static func bytes(of path: String, limit: Int) throws(CallRecordError) -> [UInt8] {
    do throws(FileError) {
      return try FileReader.bytes(of: path, limit: limit)
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

  package var description: String { "\(path):\(line):\(column): error: \(text)" }
}
