package import Allocation
package import Quantity
import Systems

/// Ramp-up of viewers' streams, in systems that limit it.
package struct RampUps {
  private let rule: ForwardingRules.RampUpRule?
  /// Ramps by track; `nil` for a track that is not received.
  private var ramps: [RampUp?]
  /// Number of the last request decided on, by viewer.
  private var requests: [Int]
  /// Set while a request is decided on for the first time.
  private var isNewRequest = false

  init(_ rule: ForwardingRules.RampUpRule?, viewers: Int, tracks: Int) {
    self.rule = rule
    ramps = rule == nil ? [] : Array(repeating: nil, count: tracks)
    requests = Array(repeating: 0, count: viewers)
  }

  /// Begins a decision on a viewer's subscriptions.
  package mutating func begin(_ viewer: Int, request number: Int) {
    isNewRequest = number != requests[viewer]
    requests[viewer] = number
  }

  /// Limits a grant while its track is ramping up.
  ///
  /// - Returns: the time at which the track has to be decided on again; `nil` if it is not limited.
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

  /// Ends the ramp of a track that is no longer subscribed to.
  package mutating func end(_ track: Int) { if rule != nil { ramps[track] = nil } }
}
