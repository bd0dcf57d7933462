import Allocation
package import Endpoint
import Ladder
import Plan
package import Quantity
package import SimulationKernel
import Systems

/// Times at which clients send their subscriptions.
extension Viewers {
  package func isRequestPending(_ viewer: Int) -> Bool { states[viewer].pendingRequest != nil }

  /// Schedules a request after a client's reaction time; it covers all changes until then.
  package mutating func markDirty(_ viewer: Int, kernel: inout Kernel) {
    scheduleRequest(viewer, after: states[viewer].traits.reactionDelay, kernel: &kernel)
  }

  package mutating func scheduleRequest(_ viewer: Int, after delay: SimDuration, kernel: inout Kernel) {
    guard isViewer[viewer], !isRequestPending(viewer) else { return }
    let event = MeetingEvent(.request, of: viewer, connection: states[viewer].connection)
    states[viewer].pendingRequest = kernel.schedule(after: delay, tag: event.tag)
  }

  /// Schedules a request as ``scheduleRequest(_:after:kernel:)`` does, but a later call replaces an earlier one.
  package mutating func debounceRequest(_ viewer: Int, by delay: SimDuration, kernel: inout Kernel) {
    if let pending = states[viewer].pendingRequest { kernel.cancel(pending) }
    let event = MeetingEvent(.request, of: viewer, connection: states[viewer].connection)
    states[viewer].pendingRequest = kernel.schedule(after: delay, tag: event.tag)
  }

  /// Notes a client's request: the tiles in which it shows the sources, and the subscriptions that it ends.
  ///
  /// - Returns: `true` if the request has to be sent.
  package mutating func noteRequest(_ request: SubscriptionRequest, by viewer: Int) -> Bool {
    var tiles = [Resolution??](repeating: nil, count: streams.sourceCount)
    for wish in request.wishes { tiles[wish.source] = .some(wish.tile) }
    for source in streams.sources.indices {
      knowledge[viewer].receptions[source].tile = tiles[source] ?? nil
      let wasSubscribed = knowledge[viewer].isSubscribed[source]
      knowledge[viewer].isSubscribed[source] = tiles[source] != nil
      if wasSubscribed, tiles[source] == nil {
        _ = clients[viewer]?.notice(.subscriptionEnded(source: source))
        if !request.demand.keepsTracks { negotiated?.forget(source, of: viewer) }
      }
    }
    return negotiated?.takeNews(request, of: viewer) ?? true
  }
}
