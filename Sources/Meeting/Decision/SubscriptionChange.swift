import Allocation
import Endpoint
package import Ladder
import Metrics
package import Plan
import Publishing
package import Quantity
import Serving
import SimulationKernel
import Systems

/// A change of a meeting that may let a viewer see a source's tile.
package enum SubscriptionChange: Sendable {
  /// Leaves entries of the timeline out, by their places.
  case without(entries: [Int])
  /// Turns a source's video on from the beginning, by its index.
  case on(source: Int)
  /// Keeps a page of the view on the screen, from 1.
  case page(Int)
  /// Shows all tiles on one page.
  case onePage
  /// Shows screen shares.
  case shares
  /// Adds a tile of a source, by its name, to the tiles that the view lists [pt].
  case tile(String, Resolution)
  /// Shows everybody in tiles of a size, in place of the view's own arrangement [pt].
  case everybody(Resolution)

  /// Returns the changed meeting; `nil` where there is nothing to change.
  func applied(to plan: MeetingPlan, viewer: Int) -> MeetingPlan? {
    var changed = plan
    guard var view = plan.participants[viewer].view else { return nil }
    switch self {
    case .without(let entries):
      for entry in entries.sorted(by: >) { changed.timeline.remove(at: entry) }
      return changed
    case .on(let source):
      let stream = StreamNumbering(plan).sources[source]
      let own =
        stream.isScreen
        ? plan.participants[stream.participant].screen : plan.participants[stream.participant].camera
      guard var own, !own.startsOn else { return nil }
      own.startsOn = true
      if stream.isScreen {
        changed.participants[stream.participant].screen = own
      } else {
        changed.participants[stream.participant].camera = own
      }
      return changed
    case .page(let page):
      guard view.tilesPerPage != nil else { return nil }
      view.page = page
      changed.timeline.removeAll { entry in
        if case .client(.page) = entry.action { entry.participant == viewer } else { false }
      }
    case .onePage:
      guard view.tilesPerPage != nil else { return nil }
      view.tilesPerPage = nil
    case .shares:
      guard !view.showsShares else { return nil }
      view.showsShares = true
    case .tile(let name, let size):
      guard case .tiles(var tiles) = view.arrangement, view.tileSize(of: name) == nil else { return nil }
      var tile = ViewPlan.TileSize(participant: String(name.prefix { $0 != "/" }), size: size)
      tile.isScreenShare = name.contains("/")
      tiles.append(tile)
      view.arrangement = .tiles(tiles)
    case .everybody(let size):
      switch view.arrangement {
      case .everybody, .tiles: return nil
      case .request, .layout, .grid, .container, .signals: view.arrangement = .everybody(size)
      }
    }
    changed.participants[viewer].view = view
    return changed
  }
}

/// Subscription of a tile at a moment of a repeated run.
package struct SubscriptionState: Sendable {
  package let exists: Bool
  /// Set if it is of a source that sends video, in a tile on the screen.
  package let isSeen: Bool
  /// Time at which the last one ended; `nil` if there was none.
  package let endedAt: SimTime?
  /// Time after the moment from which the tile is seen; `nil` where it never is.
  package fileprivate(set) var seenFrom: SimTime?
  /// Set while the source sends video.
  package let isSourceOn: Bool
  /// Set if the client leaves the source out because of a limit of videos.
  package let isBeyondLimit: Bool
}

extension MeetingReplay {
  /// Time between two looks for the next subscription.
  private static let lookPeriod = SimDuration.milliseconds(10)

  /// Returns a tile's subscription at a moment, with the time of the next one.
  package static func subscription(
    in plan: MeetingPlan, seed: UInt64, repetition: Int, viewer: Int, source: Int, at moment: SimTime
  ) -> SubscriptionState {
    var model = ReplayedMeeting(
      simulation: MeetingSimulation(
        plan: plan, seed: seed, repetition: repetition, interval: .seconds(1), runID: ""), viewer: viewer,
      source: source, keepsDecision: false)
    var kernel = Kernel(capacity: 4096)
    run(&model, plan, &kernel, every: .seconds(1), until: moment)
    let track = model.simulation.parts.streams.track(viewer: viewer, source: source)
    let last = model.simulation.recording.decisions[track]
    var state = SubscriptionState(
      exists: model.simulation.parts.sfu.allocator.subscriptions.grants[track] != nil,
      isSeen: model.isSeen(track),
      endedAt: last?.row.rank == nil ? last?.at : nil,
      isSourceOn: model.simulation.parts.publishers.sources[source].capture.isOn,
      isBeyondLimit: model.simulation.parts.sfu.participants[viewer].request?.demand.beyondLimit.contains(
        source)
        ?? false)
    guard !state.isSeen else { return state }
    let end = SimTime.zero + plan.duration
    while kernel.now < end {
      kernel.run(until: min(kernel.now + lookPeriod, end), model: &model)
      guard !model.isSeen(track) else {
        state.seenFrom = kernel.now
        break
      }
    }
    return state
  }

  /// Checks whether a change lets a viewer see a source's tile at a moment; `nil` where it changes nothing.
  package static func isSeen(
    after change: SubscriptionChange, in plan: MeetingPlan, seed: UInt64, repetition: Int, viewer: Int,
    source: Int, at moment: SimTime
  ) -> Bool? {
    guard let changed = change.applied(to: plan, viewer: viewer) else { return nil }
    var model = ReplayedMeeting(
      simulation: MeetingSimulation(
        plan: changed, seed: seed, repetition: repetition, interval: .seconds(1), runID: ""), viewer: viewer,
      source: source, keepsDecision: false)
    var kernel = Kernel(capacity: 4096)
    run(&model, changed, &kernel, every: .seconds(1), until: moment)
    let track = model.simulation.parts.streams.track(viewer: viewer, source: source)
    return model.isSeen(track)
  }
}

extension ReplayedMeeting {
  /// Checks whether a track is subscribed to, for a tile on the screen, of a source that sends video.
  fileprivate borrowing func isSeen(_ track: Int) -> Bool {
    guard let wish = simulation.parts.sfu.allocator.subscriptions[track] else { return false }
    return wish.exclusion == nil
  }
}
