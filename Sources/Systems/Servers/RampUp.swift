package import Allocation
import Ladder
package import Quantity

/// Ramp of one stream, which is limited to few lines until it ends.
package struct RampUp: Sendable {
  private let rule: ForwardingRules.RampUpRule
  private var end: SimTime
  /// Lines of the subscription that it is for.
  private var lines: Int

  /// Begins the ramp of a stream with its first layer.
  package init(_ rule: ForwardingRules.RampUpRule, of wish: Subscription, at now: SimTime) {
    self.rule = rule
    end = now + rule.time
    lines = wish.maximum.resolution.lines
  }

  /// Limits a grant until the ramp's end.
  ///
  /// Speakers who change slots of one request are not limited: the active speaker is to be seen at once.
  ///
  /// - Parameter isNewRequest: `true` if the app has made another request, which may begin the ramp anew.
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
