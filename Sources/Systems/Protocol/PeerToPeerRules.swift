package import Quantity

/// Peer-to-peer mode of a system: while exactly two participants are in a meeting, each sends its media to the other
/// over a connection of their own, and the server forwards none.
package struct PeerToPeerRules: Hashable, Sendable {
  /// Time after which two participants connect again when all others have left.
  package var returnDelay: SimDuration

  /// Change of a participant's media to or from a peer-to-peer connection.
  package static let event = EventDeclaration(
    "peer-to-peer", "the participant's media leaves the server, or returns to it",
    detail: "'true' for a connection to the other participant, 'false' for the server")

  package init(returnDelay: SimDuration) { self.returnDelay = returnDelay }
}
