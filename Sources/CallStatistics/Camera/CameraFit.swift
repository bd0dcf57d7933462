package import Ladder
import Media

/// Complexity of a camera's content, from a recorded call.
///
/// If the encoder's targets and picture sizes are known, the content is the one with which the model's encoder behaves
/// the same (``ContentSearch``), whatever the path did. Without them, or with several encodings, it comes from the
/// stretches in which the path did not limit the sender (``ContentFit``).
package struct CameraFit {
  /// A stretch of the call, as recorded and as the model reproduces it with the content.
  struct Row {
    enum Limit: String { case content, target, path, sender }

    var from: Double
    var to: Double
    /// Mean target [kbps].
    var target: Double?
    var height: Int?
    var rate: Double
    var modelHeight: Int?
    var modelRate: Double?
    var limit: Limit
  }

  /// Share of its target below which an encoder has nothing more to send.
  private static let contentLimited = 0.85
  /// Rate relative to the target above which repairs and protection were sent.
  private static let repaired = 1.15

  let file: String
  let capture: VideoFormat
  let ladder: String
  /// Content as written in a scenario.
  let content: String
  let rows: [Row]
  /// Seconds at the recorded height, seconds compared, and the median deviation of the per-second rate; `nil` without
  /// targets.
  let agreement: (same: Double, all: Double, rate: Double)?
  let search: ContentSearch?
  /// Properties that the call does not reveal.
  let unknown: [String]

  /// - Parameters:
  ///   - capture: format of the camera; `nil` to use the record's.
  ///   - path: path of the file, for errors.
  ///   - name: name of the file, for the text.
  /// - Throws: ``CallRecordError`` if no camera sent anything.
  package init(_ record: CallRecord, capture assumed: VideoFormat?, path: String, name: String)
    throws(CallRecordError)
  {
    guard let place = record.sources.firstIndex(where: { $0.kind == .camera }) else {
      throw CallRecordError(path: path, text: "the call has no camera, only a screen share")
    }
    let source = record.sources[place]
    guard record.samples.contains(where: { ($0.bytes(of: source.encodings) ?? 0) > 0 }) else {
      throw CallRecordError(path: path, text: "the call has no video: its camera never sent a byte")
    }
    let scenario = ImportedScenario(record)
    let fit = scenario.fits[place]
    let capture = assumed ?? source.capture ?? scenario.usualCapture(source)
    self.capture = capture
    file = name
    ladder = source.encodings.count == 1 ? "single" : "webrtc-vp8"
    let stretches = fit.stretches.filter { !$0.stretch.isOff }
    var unknown: [String] = []
    if assumed == nil, source.capture == nil {
      unknown.append("the camera's format, which the file does not state: --capture does")
    }
    if let encoder = TargetedEncoder(record, source, capture: capture) {
      let search = ContentSearch(encoder)
      let best = search.best
      let runs = ContentSearch.seeds.map {
        encoder.run(best.content, adjustsRate: best.adjustsRate, seed: $0)
      }
      self.search = search
      content = best.text
      agreement = Self.agreement(encoder, runs)
      rows = stretches.map { Self.row($0.stretch, encoder, runs) }
      if search.isOpenAbove {
        unknown.append("an upper limit: nowhere would richer content have sent more, or smaller pictures")
      }
      if search.isOpenBelow {
        unknown.append("a lower limit: nowhere would plainer content have sent less, or larger pictures")
      }
      let heights = Set(encoder.intervals.compactMap(\.height))
      if search.isRichPossible && search.range != nil || heights.count == 1 {
        unknown.append("how the bits grow with the size of the picture")
      }
    } else {
      search = nil
      agreement = nil
      content = scenario.content(source, fit, scenario.contentByPictures(place))
      rows = stretches.map { Self.row($0.stretch, isFree: $0.isFree, content: fit.content) }
      unknown.append(
        source.encodings.count > 1
          ? "more than what was sent: encodings of fixed sizes do not tell whether their targets limited them"
          : "more than what was sent: without targets (targetBitrate, target_kbps) and heights nothing tells whether\n"
            + "  the content limited it")
      if fit.content == nil {
        unknown.append("the content itself: the path was full throughout, and this is a guess")
      }
    }
    self.unknown = unknown + ["key frames and the spread of frame sizes, which are the model's"]
  }

  /// Indicates that more than the target was sent in some stretch.
  var hasRepairs: Bool { rows.contains { $0.rate > Self.repaired * ($0.target ?? .infinity) } }

  // MARK: Residuals

  private static func row(
    _ stretch: SentStretch, _ encoder: TargetedEncoder, _ runs: [[TargetedEncoder.Outcome]]
  ) -> Row {
    let inside = encoder.intervals.indices.filter {
      let middle = encoder.intervals[$0].from + encoder.intervals[$0].length / 2
      return stretch.from <= middle && middle < stretch.end
    }
    let length = inside.reduce(0) { $0 + encoder.intervals[$1].length }
    var row = Row(
      from: stretch.from, to: stretch.end, height: stretch.height.map { Int($0) }, rate: stretch.rate,
      limit: .target)
    guard length > 0 else { return row }
    let target =
      inside.reduce(0) { $0 + encoder.intervals[$1].target * encoder.intervals[$1].length } / length
    let rate =
      runs.reduce(0.0) { sum, run in
        sum + inside.reduce(0) { $0 + run[$1].rate * encoder.intervals[$1].length } / length
      } / Double(runs.count)
    row.target = target
    row.modelRate = rate
    row.modelHeight = SentStretch.mostFrequent(
      runs.flatMap { run in inside.map { Double(run[$0].height) } }
    ).map { Int($0) }
    if rate < contentLimited * target { row.limit = .content }
    return row
  }

  private static func row(_ stretch: SentStretch, isFree: Bool, content: Double?) -> Row {
    var row = Row(
      from: stretch.from, to: stretch.end, height: stretch.height.map { Int($0) },
      rate: stretch.rate, limit: isFree ? .sender : .path)
    if isFree, let content, stretch.content > 0 { row.modelRate = stretch.rate * content / stretch.content }
    return row
  }

  private static func agreement(
    _ encoder: TargetedEncoder, _ runs: [[TargetedEncoder.Outcome]]
  ) -> (same: Double, all: Double, rate: Double) {
    var (same, all) = (0.0, 0.0)
    var deviations: [Double] = []
    for run in runs {
      for (interval, outcome) in zip(encoder.intervals, run) {
        if let height = interval.height {
          all += interval.length
          if outcome.height == Int(height) { same += interval.length }
        }
        if let rate = interval.rate, rate >= SentStretch.sending {
          deviations.append(abs(interval.media(outcome.rate) / interval.media(rate) - 1))
        }
      }
    }
    let count = Double(runs.count)
    return (same / count, all / count, deviations.isEmpty ? 0 : CapacityCourse.median(deviations))
  }
}
