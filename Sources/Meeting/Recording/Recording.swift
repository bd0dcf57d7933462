import Endpoint
import Ladder
import Layout
import Metrics
import Network
import Plan
import Quantity
import SimulationKernel

/// Output of a run: collects the counts of the other parts, and writes the rows of the tables.
struct Recording: ~Copyable {
  private(set) var recorder: ResultRecorder
  var tiles: TileSummaries
  var yardstick: Yardstick
  /// Length of the current interval; shorter at the end of a run whose duration is not a multiple of the others'.
  private(set) var length: SimDuration
  private let names: Names
  var decisions: DecisionLog
  var limitations: LimitationMemo
  let duration: SimDuration
  var linkCourses: [LinkCourse]
  /// Bytes that arrived in the current interval, by path.
  private var arrivedBytes: Table<Int64>
  /// Costs by participant, over the whole run.
  var costs: Table<Cost>
  private var heldEvents = HeldEvents()
  var screens: ScreenRecord

  init(_ plan: MeetingPlan, streams: StreamNumbering, interval: SimDuration, runID: String) {
    names = Names(
      participants: plan.participants.map(\.id),
      sources: streams.sources.indices.map { plan.name(of: $0, in: streams) }, links: plan.links.map(\.name),
      layers: plan.layerNames(streams))
    decisions = DecisionLog(plan, streams: streams)
    limitations = LimitationMemo(tracks: streams.trackCount, viewers: plan.participants.count)
    duration = plan.duration
    length = interval
    recorder = ResultRecorder(
      runID: runID, participants: names.participants, sources: names.sources, links: names.links,
      layers: names.layers, interval: interval)
    tiles = TileSummaries(
      tileCount: streams.trackCount, viewerCount: plan.participants.count,
      captureRates: streams.sources.indices.map {
        plan.source($0, of: streams)?.capture.milliFramesPerSecond ?? 0
      }, duration: plan.duration)
    yardstick = Yardstick(isOn: plan.measuresUtility, participants: plan.participants.count)
    linkCourses = Array(repeating: LinkCourse(), count: plan.links.count)
    arrivedBytes = Table(repeating: 0, count: 2 * plan.participants.count)
    costs = Table(repeating: Cost(), count: plan.participants.count)
    screens = ScreenRecord(participants: plan.participants.count)
  }

  /// Names for the tables, by number.
  struct Names {
    let participants: [String]
    let sources: [String]
    let links: [String]
    /// Names of the encodings, as in the tables.
    let layers: [String]
  }

  var participants: [String] { names.participants }
  var sources: [String] { names.sources }
  var links: [String] { names.links }

  /// State behind a link's rows.
  struct LinkCourse {
    /// Counters at the beginning of the current interval.
    var mark = LinkCounters()
    /// Bytes of cross traffic delivered in the current interval.
    var crossBytes: Int64 = 0
    /// Rate of cross traffic delivered in the interval before.
    var crossRate = BitRate.zero
    /// Bytes of its capacity that rows have reported as used so far.
    var shownBytes: Int64 = 0
    /// Maximum queue delay over the whole run [ns].
    var queueDelayMaximum: Int64 = 0
  }

  /// Begins the rows of an interval of a given length.
  mutating func beginRows(of length: SimDuration) {
    self.length = length
    recorder.beginRows(of: length)
  }

  /// Counts a packet that has arrived at the end of a path.
  @inline(__always)
  mutating func noteArrival(_ packet: Packet, on path: Int) {
    arrivedBytes[path] += Int64(packet.size)
    if packet.isExtra, !Path.isUp(path) { addExtra(packet, to: Path.participant(of: path)) }
  }

  /// Returns the bytes that have arrived on a path since the last call.
  mutating func takeArrivedBytes(on path: Int) -> Int64 {
    defer { arrivedBytes[path] = 0 }
    return arrivedBytes[path]
  }

  mutating func record(_ row: EventRow, at now: SimTime) {
    if heldEvents.isEmpty { recorder.record(row, at: now) } else { heldEvents.append(row, at: now) }
  }

  /// Reserves a place among the events for a row that begins now and is completed by ``fillEvent(_:_:)``.
  mutating func reserveEvent(at now: SimTime) -> Int { heldEvents.reserve(at: now) }

  mutating func fillEvent(_ number: Int, _ row: EventRow) {
    heldEvents.fill(number, row)
    for held in heldEvents.takeReady() { recorder.record(held.row, at: held.at) }
  }

  /// Records a decision on a track if it differs from the last one.
  ///
  /// - Parameter taken: rate that the track takes from the budget.
  mutating func record(_ row: DecisionRow, taking taken: BitRate, on track: Int, at now: SimTime) {
    if decisions.note(row, taking: taken, on: track, at: now) { recorder.record(row, at: now) }
  }

  /// Forgets the decisions on the tracks of a leaving viewer.
  mutating func forgetDecisions(on tracks: Range<Int>) { decisions.forget(tracks) }

  /// Records the decisions whose rows have been waiting for the end of a second.
  mutating func endSecond(at now: SimTime) {
    for row in decisions.takeWaiting(at: now) { recorder.record(row, at: now) }
  }

  /// Records the changes on a viewer's screen.
  mutating func record(_ layout: ScreenLayout, of viewer: Int, at now: SimTime) {
    for row in screens.changes(to: layout, of: viewer, at: now) { recorder.record(row, at: now) }
  }

  mutating func record(_ row: AudioRow, at now: SimTime) { recorder.record(row, at: now) }
  mutating func record(_ row: SentRow, at now: SimTime) { recorder.record(row, at: now) }
  mutating func record(_ row: StreamRow, at now: SimTime) { recorder.record(row, at: now) }
  mutating func record(_ row: ParticipantRow, at now: SimTime) { recorder.record(row, at: now) }
  mutating func record(_ row: LinkRow, at now: SimTime) { recorder.record(row, at: now) }
  mutating func record(_ row: ScalarRow) { recorder.record(row) }

  /// Flushes every buffer larger than a threshold [byte] into a sink.
  mutating func flush<Sink: TableSink & ~Copyable>(
    into sink: inout Sink, above threshold: Int
  ) throws(ResultError) {
    try recorder.flush(into: &sink, above: threshold)
  }
}
