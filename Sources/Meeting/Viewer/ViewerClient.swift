import SimulationKernel
import Systems

/// The client of one viewer, with what it waits for.
struct ViewerClient {
  var client: any Client
  /// The allocation that it has asked for.
  var pendingAllocation: EventHandle?

  init(_ client: any Client) { self.client = client }
}
