package import Endpoint
import Ladder
import Media
import Plan
package import Quantity
import SimulationKernel

/// Change of a participant's media between the server and a peer-to-peer connection.
extension Publishers {
  /// Begins to send a participant's sources over another connection, with new encoders: over a peer-to-peer connection
  /// each source is a single encoding, the highest that the other participant would get if no link were short. Scalable
  /// streams keep all their layers [our model].
  package mutating func changeConnection(
    of number: Int, _ sizes: inout PictureSizes, isToPeer: Bool, at now: SimTime
  ) {
    for source in streams.cameraFirst(of: number) {
      sources[source].changeConnection(&encoders, &sizes, isToPeer: isToPeer, at: now)
    }
  }

  /// Returns the encoding of a source that its participant sends to a peer; the highest if none is sent.
  package func encodingToPeer(of source: Int) -> Int {
    let own = sources[source].encodings
    return own.last { encoders[$0].isSending } ?? own.upperBound - 1
  }
}
