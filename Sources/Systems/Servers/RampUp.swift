package import Allocation
import Ladder
package import Quantity

/// Ramp-up of one stream, which is limited to a number of lines until the ramp ends.
package struct RampUp: Sendable {
  private let rule: ForwardingRules.RampUpRule
  private var end: SimTime
  /// Lines that the subscription last asked for.
  private var lines: Int

  /// Starts the ramp of a stream with its first layer.
  package init(_ rule: ForwardingRules.RampUpRule, of wish: Subscription, at now: SimTime) {
    self.rule = rule
    end = now + rule.time
    lines = wish.maximum.resolution.lines
  }

  /// Limits a grant until the end of the ramp.
  ///
  /// Speakers who change slots within one request are not limited, so that the active speaker is visible at once.
  ///
  /// - Parameter isNewRequest: `true` if the app has made another request, which may restart the ramp.
  /// - Returns: the end of the ramp if it limits the stream; `nil` otherwise.
  package mutating func limit(
    _ grant: inout Grant, of wish: Subscription, isNewRequest: Bool, at now: SimTime
  ) -> SimTime? {
    let wanted = wish.maximum.resolution.lines
    if isNewRequest, lines <= rule.lines, wanted > rule.lines { end = now + rule.time }
    lines = wanted
    guard let layer = grant.layer, now < end, layer.format.resolution.lines > rule.lines else { return nil }
    let small = wish.offers.last { [rule] in
      $0.format.resolution.lines <= rule.lines && $0.bitrate <= layer.bitrate
        && $0.format.isWithin(wish.maximum)
    }
    if let small {
      grant.layer = small
      grant.limitation = .switching
    }
    return end
  }
}
