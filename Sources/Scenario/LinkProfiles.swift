import Network
import Quantity

/// What one direction of a participant's path is like, before it gets a name.
struct LinkProfile {
  var up: LinkParameters
  var down: LinkParameters

  /// The same in both directions.
  init(_ parameters: LinkParameters) {
    up = parameters
    down = parameters
  }

  init(up: LinkParameters, down: LinkParameters) {
    self.up = up
    self.down = down
  }
}

/// Link profiles that need no definition.
package struct LinkPreset: Sendable {
  package var name: String
  package var summary: String
  package var source: String
  var profile: LinkProfile

  private static func make(
    _ name: String, down: Int64, up: Int64, delayDown: Int64, delayUp: Int64, loss: Double = 0,
    _ source: String
  ) -> LinkPreset {
    func parameters(_ kilobits: Int64, _ delay: Int64) -> LinkParameters {
      LinkParameters(
        capacity: .constant(.kilobits(kilobits)), propagationDelay: .milliseconds(delay),
        loss: Fraction(loss) ?? .zero)
    }
    return LinkPreset(
      name: name,
      summary: "down \(down) kbps \(delayDown) ms, up \(up) kbps \(delayUp) ms"
        + (loss > 0 ? ", loss \(loss * 100) %" : ""),
      source: source, profile: LinkProfile(up: parameters(up, delayUp), down: parameters(down, delayDown)))
  }

  private static let apple = "Apple Network Link Conditioner, one-way delays; 300 ms queue is ours"
  private static let facebook = "Facebook Augmented Traffic Control profiles; 300 ms queue is ours"

  /// Every preset; one-way delay and loss per direction.
  package static let all: [LinkPreset] = [
    make("ample", down: 100_000, up: 100_000, delayDown: 5, delayUp: 5, "ours: a link that limits nothing"),
    make("nlc/3g", down: 780, up: 330, delayDown: 100, delayUp: 100, apple),
    make("nlc/dsl", down: 2_000, up: 256, delayDown: 5, delayUp: 5, apple),
    make("nlc/edge", down: 240, up: 200, delayDown: 400, delayUp: 440, apple),
    make("nlc/lte", down: 50_000, up: 10_000, delayDown: 50, delayUp: 65, apple),
    make("nlc/wifi", down: 40_000, up: 33_000, delayDown: 1, delayUp: 1, apple),
    make("nlc/very-bad", down: 1_000, up: 1_000, delayDown: 500, delayUp: 500, loss: 0.1, apple),
    make("atc/3g-average", down: 780, up: 330, delayDown: 100, delayUp: 100, facebook),
    make("atc/3g-good", down: 850, up: 420, delayDown: 90, delayUp: 100, facebook),
    make("atc/cable", down: 6_000, up: 1_000, delayDown: 2, delayUp: 2, facebook),
    make("atc/dsl", down: 2_000, up: 256, delayDown: 5, delayUp: 5, facebook),
    make("atc/edge-good", down: 250, up: 200, delayDown: 350, delayUp: 370, facebook),
  ]
}
