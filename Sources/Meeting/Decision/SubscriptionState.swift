import Allocation
import Endpoint
import Metrics
import Plan
import Publishing
package import Quantity
import Serving
import SimulationKernel
import Systems
import Viewing

/// State of a tile's subscription at a moment of a repeated run.
package struct SubscriptionState: Sendable {
  package let exists: Bool
  /// Set if the viewer's client has subscribed, and nothing of that has reached the server.
  package let isUnderWay: Bool
  /// Set if its source sends video and its tile is on the screen.
  package let isSeen: Bool
  /// Time at which the last subscription ended; `nil` if there was none.
  package let endedAt: SimTime?
  /// Time after the moment from which the tile is seen; `nil` if it never is.
  package fileprivate(set) var seenFrom: SimTime?
  /// Set while the source sends video.
  package let isSourceOn: Bool
  /// Set if the client leaves the source out because it limits the number of videos.
  package let isBeyondLimit: Bool
}

extension MeetingReplay {
  /// Time between two checks for the next subscription.
  private static let lookPeriod = SimDuration.milliseconds(10)

  /// Returns the state of a tile's subscription at a moment, with the time of the next one.
  package func subscription(of tile: TilePlace, repetition: Int, at moment: SimTime) -> SubscriptionState {
    var model = ReplayedMeeting(self, repetition: repetition, watching: tile)
    var kernel = Kernel(capacity: 4096)
    run(&model, &kernel, every: .seconds(1), until: moment)
    let last = model.simulation.recording.decisions[model.track]
    var state = SubscriptionState(
      exists: model.simulation.parts.sfu.allocator.subscriptions.grants[model.track] != nil,
      isUnderWay: model.simulation.parts.viewers.knowledge[tile.viewer].isSubscribed[tile.source]
        && model.simulation.parts.sfu.allocator.subscriptions.grants[model.track] == nil,
      isSeen: model.isSeen,
      endedAt: last?.row.rank == nil ? last?.at : nil,
      isSourceOn: model.simulation.parts.publishers.sources[tile.source].capture.isOn,
      isBeyondLimit: model.simulation.parts.sfu.participants[tile.viewer].request?.demand.beyondLimit
        .contains(tile.source) ?? false)
    guard !state.isSeen else { return state }
    let end = SimTime.zero + plan.duration
    while kernel.now < end {
      kernel.run(until: min(kernel.now + Self.lookPeriod, end), model: &model)
      guard !model.isSeen else {
        state.seenFrom = kernel.now
        break
      }
    }
    return state
  }

  /// Checks whether a change lets a viewer see a source's tile at a moment; `nil` if it changes nothing.
  package func isSeen(
    _ tile: TilePlace, after change: SubscriptionChange, repetition: Int, at moment: SimTime
  ) -> Bool? {
    guard let changed = change.applied(to: plan, viewer: tile.viewer) else { return nil }
    let replay = MeetingReplay(changed, seed: seed)
    var model = ReplayedMeeting(replay, repetition: repetition, watching: tile)
    var kernel = Kernel(capacity: 4096)
    replay.run(&model, &kernel, every: .seconds(1), until: moment)
    return model.isSeen
  }
}

extension ReplayedMeeting {
  /// Indicates whether the track is subscribed to, its tile is on the screen, and its source sends video.
  fileprivate var isSeen: Bool {
    guard let wish = simulation.parts.sfu.allocator.subscriptions[track] else { return false }
    return wish.exclusion == nil
  }
}
