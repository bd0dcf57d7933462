import Network
import Quantity

/// Link parameters by direction.
struct LinkProfile {
  var up: LinkParameters
  var down: LinkParameters

  /// Uses the same parameters in both directions.
  init(_ parameters: LinkParameters) {
    up = parameters
    down = parameters
  }

  init(up: LinkParameters, down: LinkParameters) {
    self.up = up
    self.down = down
  }
}

/// A built-in link profile: rate, one-way delay, loss and jitter per direction from `Presets/links.csv`, which lists
/// the sources. No published set specifies a queue; 300 ms at the link's rate is our choice.
package struct LinkPreset: Sendable {
  package var name: String
  package var summary: String
  package var source: String
  var profile: LinkProfile

  /// All presets; the first is the default.
  package static let all: [LinkPreset] = String(decoding: PackageResources.links_csv, as: UTF8.self)
    .split(separator: "\n").dropFirst().compactMap { LinkPreset(row: $0) }

  private init?(row: Substring) {
    let fields = row.split(separator: ",", maxSplits: 10, omittingEmptySubsequences: false)
    guard fields.count == 11 else { return nil }
    let numbers = fields[1...8].compactMap { Double($0) }
    guard numbers.count == 8 else { return nil }
    guard let lossDown = Fraction(numbers[4] / 100), let lossUp = Fraction(numbers[5] / 100) else {
      return nil
    }
    func parameters(_ direction: Int, _ loss: Fraction) -> LinkParameters {
      LinkParameters(
        capacity: .constant(BitRate(bitsPerSecond: Int64(numbers[direction] * 1000))),
        propagationDelay: .microseconds(Int64(numbers[2 + direction] * 1000)), loss: loss,
        jitter: .microseconds(Int64(numbers[6 + direction] * 1000)))
    }
    name = String(fields[0])
    source = "\(fields[10]) (delay: \(fields[9]))"
    summary = "down \(fields[1]) kbps \(fields[3]) ms, up \(fields[2]) kbps \(fields[4]) ms"
    if numbers[4] + numbers[5] > 0 { summary += ", loss \(fields[5]) % down \(fields[6]) % up" }
    if numbers[6] + numbers[7] > 0 { summary += ", jitter \(fields[7]) ms down \(fields[8]) ms up" }
    profile = LinkProfile(up: parameters(1, lossUp), down: parameters(0, lossDown))
  }
}
