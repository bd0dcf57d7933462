package import Allocation
package import Quantity
import Systems

/// Ramps of all viewers' streams, for a system that limits them.
package struct RampUps {
  private let rule: ForwardingRules.RampUpRule?
  /// Ramps by track; `nil` for one that is not received.
  private var ramps: [RampUp?]
  /// Number of the request that was decided on last, by viewer.
  private var requests: [Int]
  /// Set while a viewer's request is decided on for the first time.
  private var isNewRequest = false

  init(_ rule: ForwardingRules.RampUpRule?, viewers: Int, tracks: Int) {
    self.rule = rule
    ramps = rule == nil ? [] : Array(repeating: nil, count: tracks)
    requests = Array(repeating: 0, count: viewers)
  }

  /// Begins the decision on a viewer's subscriptions.
  package mutating func begin(_ viewer: Int, request number: Int) {
    isNewRequest = number != requests[viewer]
    requests[viewer] = number
  }

  /// Limits a grant while its track ramps up.
  ///
  /// - Returns: the time at which the track is to be decided on again; `nil` if it is not limited.
  package mutating func limit(_ grant: inout Grant, of wish: Subscription, on track: Int, at now: SimTime)
    -> SimTime?
  {
    guard let rule else { return nil }
    guard grant.layer != nil else {
      ramps[track] = nil
      return nil
    }
    var ramp = ramps[track] ?? RampUp(rule, of: wish, at: now)
    defer { ramps[track] = ramp }
    return ramp.limit(&grant, of: wish, isNewRequest: isNewRequest, at: now)
  }

  /// Ends a track's ramp when it is no longer subscribed to.
  package mutating func end(_ track: Int) { if rule != nil { ramps[track] = nil } }
}
