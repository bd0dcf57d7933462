import Endpoint
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
  package mutating func changeConnection(of number: Int, isToPeer: Bool, at now: SimTime) {
    for source in streams.cameraFirst(of: number) {
      sources[source].plan.sendsOneEncoding = isToPeer && sources[source].layering == nil
      sources[source].allocator = sources[source].plan.allocator
      sources[source].withdrawal = EncodingWithdrawal()
      sources[source].sender.connectedAt = now
      sources[source].applyDemand()
      renewEncoders(of: source)
      refreshSending(source)
    }
  }

  /// Replaces a source's encoders, which begin with key frames.
  private mutating func renewEncoders(of source: Int) {
    let custom = sources[source].custom
    if custom.frame != nil {
      setSizes(of: source, frame: custom.frame, isTurned: custom.isTurned)
    } else {
      for (number, encoding) in zip(sources[source].encodings, sources[source].plan.ladder.encodings) {
        renew(number, to: encoding, size: encoding.format.resolution)
        encoders[number].rates.follow(encoding, source: sources[source].pushedRate)
      }
    }
    for number in sources[source].encodings {
      encoders[number].output.hasRepaired = false
      encoders[number].keyFrames.isRequested = true
    }
  }

  /// Returns the encoding of a source that its participant sends to a peer; the highest if none is sent.
  package func encodingToPeer(of source: Int) -> Int {
    let own = sources[source].encodings
    return own.last { encoders[$0].isSending } ?? own.upperBound - 1
  }
}
