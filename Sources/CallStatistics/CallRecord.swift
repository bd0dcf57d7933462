import Files
package import Ladder

/// A call as browsers saw it: what one sender's browser knew of its path, about once a second.
///
/// Nothing in it comes from whoever shaped the link: capacities are inferred (``CapacityCourse``).
package struct CallRecord: Sendable {
  /// One encoding of the sender's video at one time.
  package struct Encoding: Equatable, Sendable {
    /// Bytes so far, RTP headers included: received where the receiver's statistics are known, else sent.
    package var bytes: Double?
    /// Height of the picture [pixel].
    package var height: Double?

    package init(bytes: Double?, height: Double?) {
      self.bytes = bytes
      self.height = height
    }
  }

  /// What was known at one time; `nil` where the browser had not reported it yet.
  package struct Sample: Equatable, Sendable {
    /// Since the call began [s].
    package var time: Double
    /// The sender's estimate, `availableOutgoingBitrate` [kbps]; above 0.
    package var estimate: Double?
    /// In the order of the table.
    package var encodings: [Encoding]
    /// Last measured round trip [ms].
    package var roundTrip: Double?
    /// Packets lost so far.
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

    /// Bytes of all encodings so far; `nil` while none has any.
    var bytes: Double? {
      let known = encodings.compactMap(\.bytes)
      return known.isEmpty ? nil : known.reduce(0, +)
    }
  }

  /// Counters that are read as such: integers are exact up to here.
  static let measurable = 0.0...1e15
  /// Estimates [kbps], round trips [ms] and heights [pixel] beyond these are no measurements.
  static let mostEstimate = 1e7
  static let mostRoundTrip = 30_000.0
  static let mostHeight = 8192.0
  /// Of samples closer together than this only the first counts: rates over shorter times are those of frames [s].
  static let leastGap = 0.8
  /// The longest call, and the largest gap between samples [s].
  static let longest = 7200.0
  static let longestGap = 10.0
  /// The shortest call in which anything can be seen [s].
  static let shortest = 10.0

  package var samples: [Sample]
  /// Resolution and frame rate of the camera; `nil` where nothing says so.
  package var capture: VideoFormat?
  /// Which encoding the viewer asked for and since when [s]: its height as a share of the camera's; empty for all.
  package var requests: [(at: Double, scale: Int)]
  /// Whether the sender sent audio.
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

  /// Whole seconds: each sample stands for the time after it.
  package var duration: Int { Int((samples.last?.time ?? 0).rounded()) + 1 }

  /// The most encodings at one time.
  package var encodingCount: Int { samples.map(\.encodings.count).max() ?? 0 }

  /// Rate of all encodings between a sample and the one before it [kbps]; `nil` where it is unknown.
  func rate(at index: Int) -> Double? {
    guard index > 0, let end = samples[index].bytes, let begin = samples[index - 1].bytes else { return nil }
    return max(0, end - begin) * 8 / 1000 / (samples[index].time - samples[index - 1].time)
  }
}

extension CallRecord {
  /// The bytes of a file that holds one.
  static func bytes(of path: String, limit: Int) throws(CallRecordError) -> [UInt8] {
    do throws(FileError) {
      return try FileReader.bytes(of: path, limit: limit)
    } catch {
      throw CallRecordError(path: path, text: error.description)
    }
  }
}

/// Why a file is no record of a call.
package struct CallRecordError: Error, Equatable, Sendable, CustomStringConvertible {
  package let path: String
  /// From 1.
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
