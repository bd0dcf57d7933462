import Allocation
import Decision
import Endpoint
import Ladder
import Media
import Metrics
package import Plan
import Publishing
package import Quantity
import Serving
import SimulationKernel
import Viewing

/// Repeats runs of a meeting up to a moment, with the same results as the original runs.
package struct MeetingReplay: Sendable {
  package let plan: MeetingPlan
  package let seed: UInt64
  /// Maximum number of repetitions that are run at a time.
  package let jobs: Int

  package init(_ plan: MeetingPlan, seed: UInt64, jobs: Int = 1) {
    self.plan = plan
    self.seed = seed
    self.jobs = jobs
  }

  /// Replays the last decision on a tile.
  ///
  /// - Parameter interval: interval of the run's tables.
  /// - Returns: `nil` if nothing was decided on the tile before the moment, or it was no longer subscribed to.
  package func decision(
    on tile: TilePlace, repetition: Int = 0, interval: SimDuration = .seconds(1), at moment: SimTime
  ) -> ReplayedDecision? {
    var model = ReplayedMeeting(
      self, repetition: repetition, interval: interval, watching: tile, keepsDecision: true)
    var kernel = Kernel(capacity: 4096)
    run(&model, &kernel, every: interval, until: moment)
    guard var decision = model.decision(at: moment) else { return nil }
    decision.freezes =
      model.frames?.freezes.filter { ($0.end ?? $0.leftAt).map { $0 > moment - interval } ?? true } ?? []
    guard let open = model.frames?.open(model.simulation.parts, at: moment) else { return decision }
    // The cause, and whether the freeze is long enough to count, is known only when the next picture arrives.
    let end = min(moment + Self.longestFreeze, .zero + plan.duration)
    func ended() -> [Freeze] { model.frames?.freezes.filter { $0.begin == open.begin } ?? [] }
    while kernel.now < end, model.frames?.beganAt == open.begin, ended().isEmpty {
      kernel.run(until: min(kernel.now + .milliseconds(100), end), model: &model)
    }
    // Of a freeze that goes on, what is known at the moment.
    let isOpen = ended().isEmpty && model.frames?.beganAt == open.begin
    decision.freezes += isOpen ? [open] : ended()
    return decision
  }

  /// Longest time for which a freeze is followed beyond the moment.
  private static let longestFreeze = SimDuration.seconds(30)

  /// Returns each viewer's picture of each source at a moment, in each of several repetitions.
  package func pictures(watching tile: TilePlace, repetitions: [Int], at moment: SimTime)
    -> [[[ReplayedPicture]]]
  {
    ParallelRuns.map(repetitions, jobs: jobs) { pictures(watching: tile, repetition: $0, at: moment) }
  }

  /// Returns each viewer's picture of each source at a moment.
  ///
  /// - Parameter tile: the tile whose frames are also examined.
  package func pictures(watching tile: TilePlace, repetition: Int, at moment: SimTime) -> [[ReplayedPicture]]
  {
    var model = ReplayedMeeting(self, repetition: repetition, watching: tile)
    var kernel = Kernel(capacity: 4096)
    run(&model, &kernel, every: .seconds(1), until: moment)
    let watch = model.simulation.recording.limitations.watch
    var pictures = plan.participants.indices.map { viewer in
      model.simulation.parts.streams.sources.indices.map { source in
        let shown = TileMoment(viewer: viewer, source: source, model.simulation.parts.streams, at: moment)
        let arrival = watch?.arrivals[
          model.simulation.parts.streams.track(viewer: viewer, source: source)]
        return ReplayedPicture(
          format: shown.producedFormat(model.simulation.parts), isBroken: arrival?.isBroken ?? false,
          isDark: arrival?.isDark ?? false)
      }
    }
    var own = pictures[tile.viewer][tile.source]
    if let last = watch?.last {
      // Another encoding than the allocated one may still be shown.
      if let shown = last.shown?.resolution, shown.lines < own.format?.resolution.lines ?? 0 {
        own.format?.resolution = shown
      }
      own.isShort = last.isShort
      own.frozen = last.frozen + openFreeze(model, at: moment)
    } else {
      // The tile has appeared since the last rows.
      own.isDark = model.simulation.parts.viewers.receptions[model.track].interval.frames == 0
    }
    pictures[tile.viewer][tile.source] = own
    return pictures
  }

  /// Returns for how long the watched tile's picture has stood still; 0 for less than ``FrameCourse/least``.
  private func openFreeze(_ model: borrowing ReplayedMeeting, at moment: SimTime) -> SimDuration {
    guard model.simulation.parts.viewers.receptions[model.track].status.framesDecoded > 0,
      model.simulation.parts.sfu.allocator.subscriptions.grants[model.track]?.layer != nil,
      model.simulation.parts.publishers.sources[model.place.source].capture.isOn
    else { return .zero }
    let shownAt = model.simulation.parts.viewers.receptions.receivers[model.track].freezes.lastShownAt
    let still = moment - shownAt
    return still >= FrameCourse.least ? still : .zero
  }

  /// Runs up to a moment, writing the rows of every interval that ends by then.
  func run(
    _ model: inout ReplayedMeeting, _ kernel: inout Kernel, every interval: SimDuration, until moment: SimTime
  ) {
    var sink = DiscardingSink()
    model.simulation.begin(kernel: &kernel)
    let end = SimTime.zero + plan.duration
    var start = SimTime.zero
    repeat {
      let next = min(start + interval, end)
      kernel.run(until: min(next, moment), model: &model)
      guard next <= moment else {
        model.simulation.recording.beginRows(of: moment - start)
        return
      }
      model.simulation.endInterval(from: start, at: next)
      try? model.simulation.recording.flush(into: &sink, above: 0)
      start = next
    } while start < min(moment, end)
  }
}

/// A run that is repeated to examine one tile.
struct ReplayedMeeting: ~Copyable, EventModel {
  var simulation: MeetingSimulation
  let place: TilePlace
  /// Number of the tile's track.
  let track: Int
  private let keepsDecision: Bool
  private var decision: ReplayedDecision?
  /// Course of the tile's frames; `nil` in runs that only need the pictures.
  private(set) var frames: FrameCourse?

  /// - Parameters:
  ///   - interval: interval of the tables.
  ///   - keepsDecision: `true` to keep the last decision on the tile and the course of its frames.
  init(
    _ replay: MeetingReplay, repetition: Int, interval: SimDuration = .seconds(1), watching tile: TilePlace,
    keepsDecision: Bool = false
  ) {
    self.keepsDecision = keepsDecision
    place = tile
    simulation = MeetingSimulation(
      plan: replay.plan, seed: replay.seed, repetition: repetition, interval: interval, runID: "")
    track = simulation.parts.streams.track(viewer: tile.viewer, source: tile.source)
    simulation.recording.limitations.watch = WatchedTile(
      track: track, viewer: tile.viewer, of: simulation.parts.streams.trackCount)
    guard keepsDecision else { return }
    frames = FrameCourse(
      of: tile, track: track, encodings: simulation.parts.streams.sources[tile.source].encodings.count)
  }

  /// Returns the tile at a moment.
  func tile(at moment: SimTime) -> TileMoment {
    TileMoment(viewer: place.viewer, source: place.source, simulation.parts.streams, at: moment)
  }

  /// Returns the last decision on the tile, with the tile's state at the moment at which the run stopped.
  mutating func decision(at moment: SimTime) -> ReplayedDecision? {
    guard var decision else { return nil }
    let tile = tile(at: moment)
    decision.shown = ReplayedDecision.Shown(
      tile, after: decision.at, &simulation.parts, &simulation.recording)
    decision.state = MomentState(tile, &simulation.parts, simulation.recording)
    if let wait = decision.state.wait, let keyFrameAt = frames?.keyFrames[wait.place].at,
      keyFrameAt >= wait.askedAt ?? .zero
    {
      decision.state.wait?.answeredAt = keyFrameAt
    }
    return decision
  }

  mutating func handle(_ event: Event, kernel: inout Kernel) {
    simulation.handle(event, kernel: &kernel)
    guard keepsDecision else { return }
    frames?.follow(simulation.parts, at: kernel.now)
    guard let last = simulation.recording.decisions[track], last.at == kernel.now else { return }
    decision = ReplayedDecision(tile(at: kernel.now), &simulation.parts, simulation.recording)
  }
}
