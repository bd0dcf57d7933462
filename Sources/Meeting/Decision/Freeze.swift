package import Ladder
package import Quantity

/// A time without a new picture, and where its frames were held up.
package struct Freeze: Equatable, Sendable {
  /// Stage of the path at which the next frame was held up.
  package enum Cause: String, Sendable, CaseIterable {
    case frameRate = "frame-rate"
    case encoder
    case receiver = "slow-receiver"
    case uplink
    case server
    case downlink
    case repair = "late-repair"
    case keyFrame = "key-frame"
    case decodeOrder = "decode-order"

    /// Set for causes at which what a link loses or delays has a part.
    package var isOnTheWay: Bool { ![.encoder, .receiver, .server].contains(self) }

    /// Meaning, for a path over UDP.
    package var meaning: String { meaning(on: .packets) }

    /// - Parameter isOver: `false` while no picture has come.
    package func meaning(on route: Route, isOver: Bool = true) -> String {
      switch self {
      case .frameRate: "the layer has so few frames that the next one was not due yet"
      case .encoder: "the sender encoded no frame of it"
      case .receiver:
        "the sender encoded no frame of it: its rate follows the slowest receiver, whose downlink was short"
      case .uplink where route == .tcp:
        "frames were encoded, but none reached the server: they waited in the sender's TCP connection, behind segments "
          + "that were sent again, or its send buffer was full"
      case .uplink where route == .peer:
        "frames were encoded, but none left the sender's uplink: they waited there, or were lost"
      case .uplink:
        "frames were encoded, but none reached the server: they waited on the sender's uplink, or were lost"
      case .server:
        "frames reached the server, which forwarded none to the viewer: it had no layer, or no key frame"
      case .downlink where route == .tcp:
        "frames were forwarded, but none reached the viewer: they waited in the server's pacer or its TCP connection to "
          + "the viewer, behind segments that were sent again, or its send buffer was full"
      case .downlink where route == .peer:
        "frames were sent to the viewer, but none reached it: they waited on a link, or were lost"
      case .downlink:
        "frames were forwarded, but none reached the viewer: they waited in the server's pacer or on the downlink, or "
          + "were lost"
      case .repair where !isOver: "frames arrived, but a packet is missing, which may still come, sent again"
      case .keyFrame where !isOver: "what arrives cannot be decoded until a key frame comes"
      case .decodeOrder where !isOver:
        "frames arrived, but wait for one that they refer to, or for their time of display"
      case .repair: "frames arrived, but a packet was missing that came later, sent again"
      case .keyFrame: "frames arrived, but could not be decoded until a key frame came"
      case .decodeOrder: "frames arrived, but waited for one that they refer to, or for their time of display"
      }
    }
  }

  /// Route of media.
  package enum Route: Sendable {
    /// To or from the server, packet by packet.
    case packets
    /// To or from the server over TCP, on which only a full send buffer drops packets.
    case tcp
    /// Straight to another participant.
    case peer
  }

  /// History of one packet that the viewer missed.
  package struct Repair: Equatable, Sendable {
    /// Time at which the gap in the sequence numbers was noticed.
    package var missingAt: SimTime
    /// Times of the first and the last request; `nil` before the first.
    package var asked: ClosedRange<SimTime>?
    /// Number of requests.
    package var requests = 0
    /// Time at which it arrived; `nil` while it is missing.
    package var arrivedAt: SimTime?
  }

  /// Number of key frames that arrived, with the time of the last one; `nil` for none.
  package struct Arrivals: Sendable {
    package var count = 0
    package var last: SimTime?
    var askedAt: SimTime?
    var areAwaited = false

    mutating func note(at now: SimTime) {
      count += 1
      last = now
    }
  }

  /// Time at which the frozen picture was shown.
  package var begin: SimTime
  /// Time of the next picture; `nil` if there was none.
  package var end: SimTime?
  /// Time at which the tile left the screen, or viewer or source the meeting, without another picture; `nil` if it did
  /// not.
  package var leftAt: SimTime?
  package var cause: Cause
  /// Set if the server gave the tile nothing for a time, and the browser counts no freeze.
  package var isPause: Bool
  /// Set if its cause is that the server gave the tile nothing.
  package var isWithheld: Bool
  /// Number of the viewer whose downlink the sender's rate followed; `nil` for other causes.
  package var slowest: Int?
  /// Longest time without a frame at the cause; `nil` for causes at the viewer.
  package var silence: (from: SimTime, to: SimTime)?
  /// The packet whose late arrival completed the next picture; if there is no next picture, the first one still
  /// missing.
  package var repair: Repair?
  /// Key frames of the next encoding that have reached the server since the freeze began.
  package var keyFrames: Arrivals
  /// Time at which the viewer first asked for a key frame.
  package var keyFrameAskedAt: SimTime? { keyFrames.askedAt }
  /// Set while the server waited for a key frame.
  package var awaitsKeyFrame: Bool { keyFrames.areAwaited }
  /// Sizes of the frozen picture and the next one, if they differ.
  package var resized: (from: Resolution, to: Resolution)?
  /// Packets lost at random on the path with the cause, and packets dropped by its queues; on a path over TCP, segments
  /// that are retransmitted.
  package var packetsMissing: (lost: Int64, dropped: Int64)
  /// Route of the path with the cause.
  package var route: Route
  /// Packets dropped by the full send buffer of a TCP connection: the sender's, and the server's to the viewer.
  package var packetsRefused: (up: Int64, down: Int64)
  /// Mean queue delay of the packets delivered on that path.
  package var queueDelay: SimDuration

  package static func == (a: Freeze, b: Freeze) -> Bool {
    a.begin == b.begin && a.end == b.end && a.cause == b.cause
  }
}
