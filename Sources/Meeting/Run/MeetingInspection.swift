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
        let track = simulation.parts.streams.track(viewer: viewer, source: source)
        let mark = simulation.mark(viewer: viewer, source: source)
        guard marks[track] != mark else { continue }
        marks[track] = mark
        changes.append(simulation.inspection(mark, viewer: viewer, source: source, at: kernel.now))
      }
    }
  }
}

/// State compared after every event.
private struct Mark: Equatable {
  var asked: VideoFormat?
  var decided: Layer?
  var routed: CompactLayer
  var routes: Int
  var isSwitching: Bool
}

extension MeetingSimulation {
  fileprivate func mark(viewer: Int, source: Int) -> Mark {
    let track = parts.streams.track(viewer: viewer, source: source)
    var mark = Mark(
      asked: parts.sfu.allocator.subscriptions.tile(track)?.requested,
      decided: parts.sfu.allocator.subscriptions.grants[track]?.layer, routed: .none, routes: 0,
      isSwitching: parts.sfu.forwarder.switching.tracks[track].isWaiting)
    // Taken from the lists that packets are forwarded by, not from the track's own record.
    for encoding in parts.streams.sources[source].encodings {
      for place in 0..<parts.sfu.forwarder.switching.viewers.count(of: encoding)
      where Int(parts.sfu.forwarder.switching.viewers[place, of: encoding]) == viewer {
        mark.routes += 1
        mark.routed = CompactLayer(
          encoding: parts.sfu.forwarder.ingress[encoding].index,
          temporal: parts.sfu.forwarder.switching.tracks[track].current.temporal)
      }
    }
    return mark
  }

  fileprivate func inspection(_ mark: Mark, viewer: Int, source: Int, at now: SimTime) -> TrackInspection {
    let ladder = parts.publishers.sources[source].plan.ladder.layers
    let id = LayerID(encoding: Int(mark.routed.encoding), temporal: Int(mark.routed.temporal))
    return TrackInspection(
      viewer: recording.participants[viewer], source: recording.sources[source], at: now,
      asked: mark.asked, decided: mark.decided, routed: ladder.first { $0.id == id }, routes: mark.routes,
      isSwitching: mark.isSwitching, ladder: ladder)
  }
}
