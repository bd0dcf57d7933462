import Ladder
import Media
import Parameters
import Quantity
import Scenario
import Systems
import Vendors

/// One meeting of the liveness grid: a system, a ladder, how many people, and one viewer's downlink.
package struct LivenessCell: Hashable, Sendable {
  /// The systems that allocate; Janus is that of its test branch, for releases leave it to their viewers.
  package enum System: String, CaseIterable, Sendable {
    case bluejeans, stream, agora, livekit, jitsi, mediasoup, janus, signal, gso, best

    /// Whether it is run with a ladder, or with a scalable stream.
    func takes(_ ladder: String) -> Bool {
      guard LivenessCell.sending(ladder) == nil else { return forwardsScalable }
      return switch self {
      case .bluejeans, .stream: true
      // Its senders make a high and a low stream, whatever else a ladder could offer.
      case .agora: ladder == "agora-dual"
      // Its controller orders bit rates, which only its own publishers have.
      case .gso: ladder == "gso"
      case .signal, .livekit, .jitsi, .mediasoup, .janus, .best: ladder == "webrtc-vp8"
      }
    }

    /// Whether it forwards streams of several spatial layers.
    package var forwardsScalable: Bool { Self.namesThatForwardScalable.contains(rawValue) }

    /// All systems of the catalogue that do.
    package static let namesThatForwardScalable = Catalogue.standard.systems.entries
      .filter { $0.description.scalableSending != nil }.map(\.name)

    /// Whether its rule can give less of an encoding than all of its frames.
    var sharesTemporalLayers: Bool { self != .signal }

    /// The estimator that is held against the oracle: the system's own.
    var estimator: String {
      Catalogue.standard.systems[rawValue]?.description.estimator.name ?? OwnEstimator.uplinks
    }
  }

  package var system: System
  /// A name of ``Ladder/NamedLadder``, or a codec and a scalability mode such as `vp9-L3T3_KEY`.
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
    package var ladders = Catalogue.standard.systems.ladders.map(\.name) + ["vp9-L3T3_KEY", "av1-L3T3_KEY"]
    package var people = [2, 9]
    package var capacities = [150, 300, 500, 800, 1200, 1800, 2600, 4000, 6000]
    package var losses = [0, 2]
    package var delays = [0, 10, 100]

    package init() {}

    /// Series of cells that differ in capacity alone.
    package var series: [[LivenessCell]] {
      systems.flatMap { system in
        ladders.filter(system.takes).flatMap { ladder in
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

  /// Codec and mode of a stream by its name among the ladders; `nil` for simulcast.
  static func sending(_ ladder: String) -> ScalableSending? {
    let parts = ladder.split(separator: "-", maxSplits: 1).map(String.init)
    guard parts.count == 2, let codec = VideoCodec(rawValue: parts[0]) else { return nil }
    return ScalabilityMode(name: parts[1]).map { ScalableSending(codec, $0) }
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
      - {id: person, count: \(people - 1), up: ample, down: ample, publish: {camera: {capture: 720p30, \(media)\(look)}}}
      - {id: viewer, up: ample, down: narrow, capabilities: {receive-720p: true}, view: \(view)}
    """
  }

  private var media: String {
    guard let sending = Self.sending(ladder) else { return "ladder: \(ladder)" }
    return "codec: \(sending.codec.rawValue), scalability-mode: \(sending.mode.name)"
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

/// What a cell's cameras take.
extension LivenessCell {
  /// What the least that the system's rule can give of everybody takes [bit/s].
  package var lowestLayers: Double {
    rate(of: system.sharesTemporalLayers ? layers.first : layers.last { $0.id.encoding == 0 })
  }

  /// What all frames of everybody's lowest encoding take [bit/s].
  var lowestEncodings: Double { rate(of: layers.last { $0.id.encoding == 0 }) }

  /// What the voices leave of the link [bit/s].
  package var leftByVoices: Double { Double(Int64(capacity) * 1000 - voices) }

  /// What the voices take [bit/s].
  var voices: Int64 { OpusVoice.wireRate.bitsPerSecond * Int64(min(3, people - 1)) }

  var hasOneEncoding: Bool { layers.last?.id.encoding == 0 }

  /// Returns what a layer takes of everybody [bit/s].
  private func rate(of layer: Layer?) -> Double {
    Double(layer?.bitrate.bitsPerSecond ?? 0) * Double(people - 1)
  }

  /// What each source has to offer.
  private var layers: [Layer] {
    let capture = VideoFormat(.p720, framesPerSecond: 30)
    if let sending = Self.sending(ladder) {
      return Ladder.scalable(sending, capture: capture, isScreen: false).layers
    }
    return Catalogue.standard.systems.ladders.first { $0.name == ladder }?.of(capture).layers ?? []
  }
}
