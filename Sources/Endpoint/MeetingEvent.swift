/// A kernel event of a meeting: a kind and the index of its entity.
///
/// Packed into the kernel's 24-bit tag: 5 bits of kind, 19 bits of index.
public struct MeetingEvent: Equatable {
  /// Kind of an event.
  public enum Kind: UInt32, CaseIterable {
    /// A packet reaches the end of a link; must stay 0, since links tag their events with their own index.
    case linkArrival = 0
    /// A video source captures a frame.
    case capture
    /// A microphone sends a packet of speech or comfort noise.
    case voice
    /// A talker falls silent or a listener begins to talk.
    case talkSpurt
    /// The mixer sends a packet to every listener.
    case mix
    /// An entry of the timeline is due.
    case timeline
    /// Estimates are passed on to their followers.
    case estimate
    /// A client sends its subscriptions.
    case request
    /// A signalling message reaches the end of a path.
    case signal
    /// A participant's turn of speech ends.
    case speechEnd
    /// The SFU checks whether a requested key frame has arrived.
    case keyFrameCheck
    /// A participant joins.
    case join
    /// A pacer may send again.
    case pace
    /// A receiver's transport-wide feedback is due.
    case feedback
    /// A path's sender report is due.
    case senderReport
    /// A path's receiver report is due.
    case receiverReport
    /// The congestion controllers' periodic work is due.
    case control
    /// Receivers request missing packets again.
    case repair
    /// A client asked to be woken.
    case wakeClient
    /// A flow of cross traffic begins or ends.
    case crossSwitch
    /// A flow's timer is due.
    case crossTimer
    /// An acknowledgement returns to a flow.
    case crossAcknowledgement
    /// The receiver of a flow sends its delayed acknowledgement.
    case crossDelayedAnswer
    /// An app pushes the next of its frames.
    case push
    /// The timer of a path's TCP connection is due: that of its signalling or, with ``MeetingEvent/mediaConnection``,
    /// that of its media; or the next step towards a peer-to-peer connection, with ``MeetingEvent/peerConnection``.
    case connectionTimer
    /// A viewer's own step of its negotiation is due.
    case negotiation
    /// A viewer's part of the SFU wakes.
    case serverWake
    /// A measurement cycle of an encoding's layers ends.
    case layerCheck
    /// A change between camera and custom frames completes.
    case sourceChange
    /// Encodings that are no longer wanted may pause.
    case encodingPause
    /// A scrolling screen is examined.
    case screenLook
    /// The SFU reallocates a viewer's streams on its own initiative.
    case reallocate
  }

  /// Kind of the event.
  public var kind: Kind
  /// Index of its entity.
  public var index: Int

  static var kindBits: UInt32 { 5 }
  /// Number of a tag's bits that hold the index.
  @inlinable public static var indexBits: UInt32 { 19 }
  /// Bit of the index that distinguishes a path's media connection from its signalling connection.
  package static let mediaConnection = 1 << 18
  /// Index of the event of a peer-to-peer connection, beyond those of all paths to the server.
  package static let peerConnection = 1 << 17
  /// Number of the index's low bits that hold the participant in an event for a single stay; the bits above hold the
  /// stay, modulo 8.
  private static var participantBits: UInt32 { 16 }

  /// Creates an event.
  @inlinable @inline(__always)
  public init(_ kind: Kind, _ index: Int = 0) {
    self.kind = kind
    self.index = index
  }

  /// Creates an event for a single stay of a participant.
  ///
  /// - Parameter connection: the participant's connection when the event is scheduled.
  package init(_ kind: Kind, of participant: Int, connection: UInt8) {
    self.init(kind, participant | Int(connection & 7) << Self.participantBits)
  }

  /// Participant in an event for a single stay.
  package var participant: Int { index & (1 << Self.participantBits - 1) }

  /// Checks whether an event for a single stay belongs to the stay with this connection.
  package func isOf(connection: UInt8) -> Bool { index >> Self.participantBits == Int(connection & 7) }

  /// Reads an event from a tag; `nil` for an unknown kind.
  @inlinable @inline(__always)
  public init?(tag: UInt32) {
    guard let kind = Kind(rawValue: tag >> Self.indexBits) else { return nil }
    self.kind = kind
    self.index = Int(tag & ((1 << Self.indexBits) - 1))
  }

  /// Checks once that all events of a meeting fit into a tag.
  ///
  /// - Parameter count: maximum number of entities of one kind.
  package static func checkRoom(for count: Int) {
    precondition(Kind.allCases.count <= 1 << kindBits, "\(Kind.allCases.count) kinds of events")
    precondition(count <= 1 << indexBits, "\(count) entities of one kind")
  }

  /// Tag of the event.
  @inlinable @inline(__always)
  public var tag: UInt32 { kind.rawValue << Self.indexBits | UInt32(truncatingIfNeeded: index) }
}
