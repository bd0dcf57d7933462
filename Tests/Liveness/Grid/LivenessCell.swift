import Ladder
import Media
import Parameters
import Quantity
import Scenario
import Systems
import Vendors

/// One meeting of the liveness grid: a system, a ladder, how many people, and one viewer's downlink.
package struct LivenessCell: Hashable, Sendable {
  /// The systems that allocate; Janus is its test branch, as its releases leave allocation to the viewers.
  package enum System: String, CaseIterable, Sendable {
    case bluejeans, stream, agora, livekit, jitsi, mediasoup, janus, signal, gso, best

    /// Indicates whether the system is run with a ladder, or with a scalable stream.
    func takes(_ ladder: String) -> Bool {
      guard LivenessCell.sending(ladder) == nil else { return forwardsScalable }
      return switch self {
      case .bluejeans, .stream: true
      // Agora's senders produce a high and a low stream, whatever else a ladder could offer.
      case .agora: ladder == "agora-dual"
      // GSO's controller orders bit rates, which only its own publishers support.
      case .gso: ladder == "gso"
      case .signal, .livekit, .jitsi, .mediasoup, .janus, .best: ladder == "webrtc-vp8"
      }
    }

    /// Indicates whether the system forwards streams with several spatial layers.
    package var forwardsScalable: Bool { Self.namesThatForwardScalable.contains(rawValue) }

    /// Systems of the catalogue that forward streams with several spatial layers.
    package static let namesThatForwardScalable = Catalogue.standard.systems.entries
      .filter { $0.description.scalableSending != nil }.map(\.name)

    /// Indicates whether the rule can grant less than all frames of an encoding.
    var sharesTemporalLayers: Bool { self != .signal }

    /// The estimator that is compared with the oracle: the system's own.
    var estimator: String {
      Catalogue.standard.systems[rawValue]?.description.estimator.name ?? OwnEstimator.uplinks
    }
  }

  package var system: System
  /// A name of ``Ladder/NamedLadder``, or a codec and a scalability mode such as `vp9-L3T3_KEY`.
  package var ladder: String
  /// Number of people; all but the viewer publish a camera.
  package var people: Int
  /// Capacity of the viewer's downlink [kbit/s]; all other links are ample.
  package var capacity: Int
  /// Loss of the viewer's downlink [%].
  package var loss: Int
  /// One-way delay of every link [ms].
  package var delay: Int
  /// Content of the cameras; `nil` for the default.
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

    /// Series of cells that differ only in capacity.
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

  /// Returns the codec and mode of a stream named among the ladders; `nil` for simulcast.
  static func sending(_ ladder: String) -> ScalableSending? {
    let parts = ladder.split(separator: "-", maxSplits: 1).map(String.init)
    guard parts.count == 2, let codec = VideoCodec(rawValue: parts[0]) else { return nil }
    return ScalabilityMode(name: parts[1]).map { ScalableSending(codec, $0) }
  }

  /// Returns the meeting as a scenario.
  ///
  /// - Parameter share: the share of its capacity that the viewer's downlink has.
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
    // Its viewers cannot start a low stream; the senders always send it.
    case .agora: "{name: agora, dual-stream: enable}"
    case .janus: "{name: janus, allocation: true}"
    default: system.rawValue
    }
  }

  /// One large picture, or eight equal ones, so that no tile waits until all others are complete.
  private var view: String {
    switch (system, people > 2) {
    case (.bluejeans, false): "{request: [{quality: 720p30, priority: high}]}"
    case (.bluejeans, true): "{request: [{quality: 360p30, priority: medium, count: \(people - 1)}]}"
    case (_, false): "{everybody: 1280x720}"
    case (_, true): "{everybody: 640x360}"
    }
  }
}

/// Rates of a cell's cameras.
extension LivenessCell {
  /// Rate of the lowest layers that the system's rule can grant, over all sources [bit/s].
  package var lowestLayers: Double {
    rate(of: system.sharesTemporalLayers ? layers.first : layers.last { $0.id.encoding == 0 })
  }

  /// Rate of all frames of the lowest encoding, over all sources [bit/s].
  var lowestEncodings: Double { rate(of: layers.last { $0.id.encoding == 0 }) }

  /// Capacity left after the voices [bit/s].
  package var leftByVoices: Double { Double(Int64(capacity) * 1000 - voices) }

  /// Rate of the voices [bit/s].
  var voices: Int64 { OpusVoice.wireRate.bitsPerSecond * Int64(min(3, people - 1)) }

  var hasOneEncoding: Bool { layers.last?.id.encoding == 0 }

  /// Returns the rate of a layer, over all sources [bit/s].
  private func rate(of layer: Layer?) -> Double {
    Double(layer?.bitrate.bitsPerSecond ?? 0) * Double(people - 1)
  }

  /// Layers that each source offers.
  private var layers: [Layer] {
    let capture = VideoFormat(.p720, framesPerSecond: 30)
    if let sending = Self.sending(ladder) {
      return Ladder.scalable(sending, capture: capture, isScreen: false).layers
    }
    return Catalogue.standard.systems.ladders.first { $0.name == ladder }?.of(capture).layers ?? []
  }
}
