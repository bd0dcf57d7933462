import Endpoint
import Ladder
import Media
package import Metrics
import Network
package import Plan
import Publishing
package import Quantity
import SimulationKernel

/// One run of a meeting.
package enum MeetingRun {
  /// Outcome of a run.
  package enum Outcome: Equatable, Sendable {
    /// The run reached the plan's duration.
    case finished
    /// The run was stopped early.
    case interrupted(at: SimTime)
  }

  /// A run's results besides its tables.
  package struct Result: Sendable {
    package var outcome: Outcome
    /// Number of events that the kernel ran.
    package var eventCount: UInt64
    /// Number of packets offered to links.
    package var packetHops: Int64
    /// All tiles that were ever requested, by viewer and then by source.
    package var tiles: [Tile]
    /// Pictures of each participant as a viewer over time.
    package var viewerCourses: [Course]
    /// Pictures of each source at its viewers over time.
    package var sourceCourses: [Course]
    /// All encodings, by source and then from the lowest up.
    package var encodings: [EncodingTotal]
    /// Number of rows of each table, in the order of ``Metrics/ResultTable``.
    package var rowCounts: [Int]
  }

  /// Bytes that a publisher sent of an encoding.
  package struct EncodingTotal: Sendable {
    package var source: String
    package var rid: String
    /// RTP headers and payload; padding counts toward the lowest encoding of a camera, as libwebrtc sends it [byte].
    package var sentBytes: Int64
  }

  /// A tile with its viewer and source by name.
  package struct Tile: Sendable {
    package var viewer: String
    package var source: String
    package var summary: TileSummary
  }

  /// A participant's or a source's course, with its name.
  package struct Course: Sendable {
    package var name: String
    package var course: DeliveryCourse
  }

  /// Runs a meeting.
  ///
  /// Runs with the same plan, seed and repetition write the same bytes.
  ///
  /// - Parameters:
  ///   - plan: a valid plan.
  ///   - seed: seed of every random stream.
  ///   - repetition: number of the repetition, from 0; each draws different numbers.
  ///   - interval: length of the tables' intervals, above zero.
  ///   - runID: value of every `run_id` column.
  ///   - sink: destination of the tables.
  ///   - progress: called after each interval with the simulated time; returns `false` to stop the run.
  /// - Throws: ``Metrics/ResultError`` if the sink cannot keep the tables.
  package static func run<Sink: TableSink & ~Copyable>(
    _ plan: MeetingPlan, seed: UInt64, repetition: Int = 0, interval: SimDuration = .seconds(1),
    runID: String, into sink: inout Sink, progress: (SimTime) -> Bool = { _ in true }
  ) throws(ResultError) -> Result {
    var simulation = MeetingSimulation(
      plan: plan, seed: seed, repetition: repetition, interval: interval, runID: runID)
    var kernel = Kernel(capacity: 4096)
    simulation.begin(kernel: &kernel)
    let end = SimTime.zero + plan.duration
    var start = SimTime.zero
    var outcome = Outcome.finished
    while start < end {
      // The last interval is shorter if the interval does not divide the duration.
      let next = min(start + interval, end)
      kernel.run(until: next, model: &simulation)
      simulation.endInterval(from: start, at: next)
      try simulation.recording.flush(into: &sink, above: 1 << 16)
      guard progress(next) else {
        outcome = .interrupted(at: next)
        break
      }
      start = next
    }
    simulation.end()
    try simulation.recording.flush(into: &sink, above: 0)
    return Result(
      outcome: outcome, eventCount: kernel.eventCount, packetHops: simulation.parts.net.links.packetHops,
      tiles: tiles(simulation.parts, simulation.recording),
      viewerCourses: courses(simulation.recording.tiles.viewerCourses, simulation.recording.participants),
      sourceCourses: courses(simulation.recording.tiles.sourceCourses, simulation.recording.sources),
      encodings: simulation.parts.streams.encodings.indices.map {
        EncodingTotal($0, simulation.parts, simulation.recording)
      },
      rowCounts: ResultTable.allCases.map { simulation.recording.recorder.rowCount(of: $0) })
  }

  private static func courses(_ courses: [DeliveryCourse], _ names: [String]) -> [Course] {
    zip(names, courses).map { Course(name: $0, course: $1) }
  }

  private static func tiles(_ parts: borrowing MeetingParts, _ recording: borrowing Recording) -> [Tile] {
    var tiles: [Tile] = []
    for viewer in parts.people.indices {
      for source in parts.streams.sources.indices {
        let summary = recording.tiles.tiles[parts.streams.track(viewer: viewer, source: source)]
        guard summary.intervals > 0 else { continue }
        tiles.append(
          Tile(viewer: recording.participants[viewer], source: recording.sources[source], summary: summary))
      }
    }
    return tiles
  }
}

extension MeetingRun.EncodingTotal {
  fileprivate init(_ number: Int, _ parts: borrowing MeetingParts, _ recording: borrowing Recording) {
    let encoding = parts.streams.encodings[number]
    let publisher = parts.streams.sources[encoding.source]
    source = recording.sources[encoding.source]
    rid = parts.publishers.sources[encoding.source].plan.ladder.encodings[encoding.index].rid
    sentBytes = parts.publishers.encoders[number].output.bytes
    guard encoding.index == 0, !publisher.isScreen else { return }
    sentBytes += parts.paddingBytes(by: publisher.participant)
  }
}
