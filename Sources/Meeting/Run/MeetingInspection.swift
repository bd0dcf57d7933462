import Allocation
package import Ladder
package import Plan
import Publishing
package import Quantity
import Serving
import SimulationKernel
import Viewing

/// State of one viewer's track of a source: the requested, the decided and the forwarded layer.
package struct TrackInspection: Equatable, Sendable {
  package var viewer: String
  /// Name in the tables: a participant, or `ID/screen`.
  package var source: String
  /// Time since which the state holds.
  package var at: SimTime
  /// Requested format; `nil` for a source that is not subscribed to.
  package var asked: VideoFormat?
  /// Last decided layer; `nil` for none.
  package var decided: Layer?
  /// Layer being forwarded: one encoding up to a temporal layer; `nil` for none.
  package var routed: Layer?
  /// Number of the source's encodings being forwarded, at most one in a correct run.
  package var routes: Int
  /// Set while waiting for a key frame of the decided layer.
  package var isSwitching: Bool
  /// Layers that the source can send.
  package var ladder: [Layer]
}

/// Inspects a meeting after every event, to test invariants between the rows of the tables.
package enum MeetingInspection {
  /// Returns every change of every track, in order of time.
  package static func changes(of plan: MeetingPlan, seed: UInt64) -> [TrackInspection] {
    var model = InspectedMeeting(
      simulation: MeetingSimulation(
        plan: plan, seed: seed, repetition: 0, interval: .seconds(1), runID: "inspection"))
    var kernel = Kernel(capacity: 4096)
    model.simulation.begin(kernel: &kernel)
    kernel.run(until: SimTime.zero + plan.duration, model: &model)
    return model.changes
  }
}

private struct InspectedMeeting: ~Copyable, EventModel {
  var simulation: MeetingSimulation
  var changes: [TrackInspection] = []
  private var marks: [Mark?]

  init(simulation: consuming MeetingSimulation) {
    marks = Array(repeating: nil, count: simulation.parts.streams.trackCount)
    self.simulation = simulation
  }

  mutating func handle(_ event: Event, kernel: inout Kernel) {
    simulation.handle(event, kernel: &kernel)
    for viewer in simulation.parts.people.indices where simulation.parts.viewers.clients[viewer] != nil {
      for source in simulation.parts.streams.sources.indices {
        let tile = TileMoment(viewer: viewer, source: source, simulation.parts.streams, at: kernel.now)
        let mark = Mark(tile, simulation.parts)
        guard marks[tile.track] != mark else { continue }
        marks[tile.track] = mark
        changes.append(TrackInspection(mark, tile, simulation.parts, simulation.recording))
      }
    }
  }
}

/// State compared after every event.
private struct Mark: Equatable {
  let asked: VideoFormat?
  let decided: Layer?
  var routed = CompactLayer.none
  var routes = 0
  let isSwitching: Bool

  init(_ tile: TileMoment, _ parts: borrowing MeetingParts) {
    let track = parts.sfu.forwarder.switching.tracks[tile.track]
    asked = parts.sfu.allocator.subscriptions.tile(tile.track)?.requested
    decided = parts.sfu.allocator.subscriptions.grants[tile.track]?.layer
    isSwitching = track.isWaiting
    // Taken from the lists that packets are forwarded by, not from the track's own record.
    for encoding in parts.streams.sources[tile.source].encodings {
      for place in 0..<parts.sfu.forwarder.switching.viewers.count(of: encoding)
      where Int(parts.sfu.forwarder.switching.viewers[place, of: encoding]) == tile.viewer {
        routes += 1
        routed = CompactLayer(
          encoding: parts.sfu.forwarder.ingress[encoding].index, temporal: track.current.temporal)
      }
    }
  }
}

extension TrackInspection {
  fileprivate init(
    _ mark: Mark, _ tile: TileMoment, _ parts: borrowing MeetingParts, _ recording: borrowing Recording
  ) {
    let ladder = parts.publishers.sources[tile.source].plan.ladder.layers
    let id = LayerID(encoding: Int(mark.routed.encoding), temporal: Int(mark.routed.temporal))
    self.init(
      viewer: recording.participants[tile.viewer], source: recording.sources[tile.source], at: tile.now,
      asked: mark.asked, decided: mark.decided, routed: ladder.first { $0.id == id }, routes: mark.routes,
      isSwitching: mark.isSwitching, ladder: ladder)
  }
}
