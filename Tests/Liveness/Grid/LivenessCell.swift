import Ladder
import Parameters
import Scenario
import Systems
import Vendors

/// One meeting of the liveness grid: a system, a ladder, how many people, and one viewer's downlink.
package struct LivenessCell: Hashable, Sendable {
  /// The systems that allocate; Janus is that of its test branch, for releases leave it to their viewers.
  package enum System: String, CaseIterable, Sendable {
    case bluejeans, stream, agora, livekit, jitsi, mediasoup, janus, signal, gso, best

    /// The ladders that it is run with; `nil` for all.
    var ladders: [String]? {
      switch self {
      case .bluejeans, .stream: nil
      // Its senders make a high and a low stream, whatever else a ladder could offer.
      case .agora: ["agora-dual"]
      // Its controller orders bit rates, which only its own publishers have.
      case .gso: ["gso"]
      case .livekit, .jitsi, .mediasoup, .janus, .signal, .best: ["webrtc-vp8"]
      }
    }

    /// Whether its rule can give less of an encoding than all of its frames.
    var sharesTemporalLayers: Bool { self != .signal }

    /// The estimator that is held against the oracle: the system's own.
    var estimator: String {
      Catalogue.standard.systems[rawValue]?.description.estimator.name ?? OwnEstimator.uplinks
    }
  }

  package var system: System
  /// A name of ``Ladder/NamedLadder``.
  package var ladder: String
  /// Everybody but the viewer publishes a camera.
  package var people: Int
  /// Of the viewer's downlink [kbit/s]; everything else is ample.
  package var capacity: Int
  /// Of the viewer's downlink [%].
  package var loss: Int
  /// One way, of every link [ms].
  package var delay: Int
  /// What cameras look at; the default where nothing is said.
  package var content: String?

  package init(
    system: System, ladder: String, people: Int, capacity: Int, loss: Int = 0, delay: Int = 10,
    content: String? = nil
  ) {
    self.system = system
    self.ladder = ladder
    self.people = people
    self.capacity = capacity
    self.loss = loss
    self.delay = delay
    self.content = content
  }

  /// Values of each axis; the grid is their product.
  package struct Axes: Sendable {
    package var systems = System.allCases
    package var ladders = Catalogue.standard.systems.ladders.map(\.name)
    package var people = [2, 9]
    package var capacities = [150, 300, 500, 800, 1200, 1800, 2600, 4000, 6000]
    package var losses = [0, 2]
    package var delays = [0, 10, 100]

    package init() {}

    /// Series of cells that differ in capacity alone.
    package var series: [[LivenessCell]] {
      systems.flatMap { system in
        ladders.filter { system.ladders?.contains($0) ?? true }.flatMap { ladder in
          people.flatMap { count in
            losses.flatMap { loss in
              delays.map { delay in
                capacities.map {
                  LivenessCell(
                    system: system, ladder: ladder, people: count, capacity: $0, loss: loss, delay: delay)
                }
              }
            }
          }
        }
      }
    }
  }

  /// The meeting as a scenario.
  ///
  /// - Parameter share: of the capacity that the viewer's downlink has.
  package func scenario(estimator: String, seconds: Int, share: Double = 1) -> String {
    """
    name: liveness
    duration: \(seconds)s
    policy: \(policy)
    estimator: \(estimator)
    links:
      ample: {capacity: 100 Mbps, delay: \(delay) ms}
      narrow: {capacity: \(Int(Double(capacity * 1000) * share)) bps, delay: \(delay) ms, queue: 300 ms, loss: \(loss) %}
    participants:
      - {id: person, count: \(people - 1), up: ample, down: ample, publish: {camera: {capture: 720p30, ladder: \(ladder)\(look)}}}
      - {id: viewer, up: ample, down: narrow, capabilities: {receive-720p: true}, view: \(view)}
    """
  }

  private var look: String { content.map { ", content: \($0)" } ?? "" }

  private var policy: String {
    switch system {
    // Its audience cannot have a low stream begun; its senders send it always.
    case .agora: "{name: agora, dual-stream: enable}"
    case .janus: "{name: janus, allocation: true}"
    default: system.rawValue
    }
  }

  /// One large picture, or eight alike, so that nobody's turn comes only when others have all.
  private var view: String {
    switch (system, people > 2) {
    case (.bluejeans, false): "{request: [{quality: 720p30, priority: high}]}"
    case (.bluejeans, true): "{request: [{quality: 360p30, priority: medium, count: \(people - 1)}]}"
    case (_, false): "{everybody: 1280x720}"
    case (_, true): "{everybody: 640x360}"
    }
  }
}
