package import SimulationKernel

/// Connections between the participants and the SFU: links, both halves of each connection, signalling messages, and
/// the picture sizes that packets refer to.
package struct Connections: ~Copyable {
  package var endpoints: Endpoints
  package var links: PathLinks
  package var signalling: Signalling
  package var sizes: PictureSizes

  package init(
    _ endpoints: consuming Endpoints, _ links: consuming PathLinks, _ signalling: consuming Signalling,
    _ sizes: PictureSizes = PictureSizes()
  ) {
    self.endpoints = endpoints
    self.links = links
    self.signalling = signalling
    self.sizes = sizes
  }

  /// Sends a message on a path.
  package mutating func send(_ message: SignallingMessage, on path: Int, kernel: inout Kernel) {
    signalling.send(message, on: path, &links, kernel: &kernel)
  }
}
