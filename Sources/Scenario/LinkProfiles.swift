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

/// Link profiles that need no definition: rates, one-way delays and losses per direction, as `Presets/links.csv` has
/// them with their sources. No public set states its queue: 300 ms at the link's rate here.
package struct LinkPreset: Sendable {
  package var name: String
  package var summary: String
  package var source: String
  var profile: LinkProfile

  /// Every preset; the first is the one for a participant without links.
  package static let all: [LinkPreset] = String(decoding: PackageResources.links_csv, as: UTF8.self)
    .split(separator: "\n").dropFirst().compactMap { LinkPreset(row: $0) }

  private init?(row: Substring) {
    let fields = row.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
    guard fields.count == 9 else { return nil }
    let numbers = fields[1...6].compactMap { Double($0) }
    guard numbers.count == 6, let lossDown = Fraction(numbers[4] / 100),
      let lossUp = Fraction(numbers[5] / 100)
    else { return nil }
    func parameters(_ kilobits: Double, _ delay: Double, _ loss: Fraction) -> LinkParameters {
      LinkParameters(
        capacity: .constant(BitRate(bitsPerSecond: Int64(kilobits * 1000))),
        propagationDelay: .microseconds(Int64(delay * 1000)), loss: loss)
    }
    name = String(fields[0])
    source = "\(fields[8]) (delay: \(fields[7]))"
    summary =
      "down \(fields[1]) kbps \(fields[3]) ms, up \(fields[2]) kbps \(fields[4]) ms"
      + (numbers[4] + numbers[5] > 0 ? ", loss \(fields[5]) % down \(fields[6]) % up" : "")
    profile = LinkProfile(
      up: parameters(numbers[1], numbers[3], lossUp), down: parameters(numbers[0], numbers[2], lossDown))
  }
}
