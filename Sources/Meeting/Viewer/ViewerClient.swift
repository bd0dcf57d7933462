import Quantity
import SimulationKernel
import Systems

/// The client of one viewer, with what it waits for.
struct ViewerClient {
  var client: any Client
  /// The allocation that it has asked for.
  var pendingAllocation: EventHandle?
  /// When the SFU allocates its streams anew by itself, as a ramp-up ends or a connection is set up; `nil` for no such time.
  var reallocatesAt: SimTime?

  /// ``Client/reactionDelay`` and ``Client/followsDownlink``, which never change: asking the client copies it.
  let reactionDelay: SimDuration
  let followsDownlink: Bool

  init(_ client: any Client) {
    self.client = client
    reactionDelay = client.reactionDelay
    followsDownlink = client.followsDownlink
  }
}
