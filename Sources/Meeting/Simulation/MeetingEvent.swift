/// What an event of the kernel means to the meeting: a kind and the index of the entity that it is for.
///
/// Packed into the kernel's 24-bit tag: 5 bits of kind, 19 bits of index.
struct MeetingEvent: Equatable {
  enum Kind: UInt32 {
    /// A packet reaches the end of a link; must stay 0, since links tag their events with their own index.
    case linkArrival = 0
    /// A video source captures a frame.
    case capture
    /// A microphone fills a packet, or a silent one sends comfort noise.
    case voice
    /// A talker falls silent or a listener begins to talk.
    case talkSpurt
    /// The mixer sends a packet to every listener.
    case mix
    /// An entry of the timeline is due.
    case timeline
    /// Estimators look at their paths.
    case estimate
    /// A viewer's streams are allocated anew.
    case allocate
    /// A signalling message reaches the end of a path.
    case signal
    /// Somebody's turn of speech ends.
    case speechEnd
    /// The SFU looks whether a requested key frame came.
    case keyFrameCheck
    /// A participant joins.
    case join
    /// A pacer may send again.
    case pace
    /// A receiver reports on its path.
    case feedback
    /// A path's sender tells its time, for the round trip.
    case senderReport
    /// A path's receiver tells what it missed.
    case receiverReport
    /// The congestion controllers do their periodic work.
    case control
    /// Receivers look for what has not come.
    case repair
    /// A client looks whether somebody may come on its main stage.
    case wakeClient
    /// A flow of cross traffic begins or ends.
    case crossSwitch
    /// A flow's timer is due.
    case crossTimer
    /// An acknowledgement comes back to a flow.
    case crossAcknowledgement
    /// The receiver of a flow gives the answer that it has held back.
    case crossDelayedAnswer
  }

  var kind: Kind
  var index: Int

  static let indexBits: UInt32 = 19

  @inline(__always)
  init(_ kind: Kind, _ index: Int = 0) {
    self.kind = kind
    self.index = index
  }

  @inline(__always)
  init?(tag: UInt32) {
    guard let kind = Kind(rawValue: tag >> Self.indexBits) else { return nil }
    self.kind = kind
    self.index = Int(tag & ((1 << Self.indexBits) - 1))
  }

  @inline(__always)
  var tag: UInt32 { kind.rawValue << Self.indexBits | UInt32(truncatingIfNeeded: index) }
}
