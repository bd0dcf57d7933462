package import Quantity

/// First frames of a stream, captured before its transport is connected.
///
/// libwebrtc creates an encoder when the answer is applied, with a start rate until the first allocation: the initial
/// estimate of 300 kbps in equal shares among the streams already sent and the new one (`call/bitrate_allocator.cc`,
/// GetStartBitrate). A voice is sent as soon as its transport is connected (`pc/channel.cc`, IsReadyToSendMedia). On a
/// path without delay that is before the encoder is created, and 150 kbps admits only 180p, after four dropped frames;
/// otherwise the encoder comes first, and 300 kbps is the start rate of 360p, after two. An earlier allocation leaves a
/// single video about 230 kbps, enough for 270p.
///
/// Our model: connecting takes three round trips after the answer (one for ICE, RFC 8445, two for DTLS, RFC 6347),
/// applying the answer up to ``longestAnswer``, and any number of frames below ``frameCounts`` is captured before the
/// first allocation. Both were fitted to the starts of recorded Chromium calls: 10 of 15 without delay began at 180p, the
/// others at 270p; of ten with 20 ms or more each way five began at 360p, three at 270p and two at 180p.
package struct AllocationWait: BitwiseCopyable, Sendable {
  /// Number of possible frame counts: the number of frames is uniform in 0 ..< this.
  package static let frameCounts = 13
  /// Time in which an answer is applied: uniform up to this.
  package static let longestAnswer = SimDuration.milliseconds(150)
  /// Round trips that connect a transport.
  package static let roundTrips: Int64 = 3
  /// Time after the sender joined from which a newly started stream finds the transport connected (our model).
  package static let longestSetUp = SimDuration.seconds(1)

  /// Rate used until the first allocation.
  package let startRate: BitRate
  private let end: SimTime
  private var framesLeft: Int

  /// Checks whether a voice is sent before the encoder of a video beside it is created.
  ///
  /// - Parameters:
  ///   - answer: time in which the answer is applied, relative to ``longestAnswer``.
  ///   - roundTrip: round trip of the path.
  package static func hasVoiceFirst(answer: Double, roundTrip: SimDuration) -> Bool {
    answer * Double(longestAnswer.nanoseconds) > Double(roundTrips * roundTrip.nanoseconds)
  }

  /// - Parameters:
  ///   - frames: number of frames captured before the first allocation.
  ///   - estimate: initial estimate of the call.
  ///   - tracks: number of tracks that share it, its own included, above 0.
  ///   - joined: time when the sender joined.
  package init(frames: Int, estimate: BitRate, tracks: Int, joined: SimTime) {
    precondition(frames >= 0 && tracks > 0, "\(frames) frames, \(tracks) tracks")
    framesLeft = frames
    startRate = BitRate(bitsPerSecond: estimate.bitsPerSecond / Int64(tracks))
    end = joined + Self.longestSetUp
  }

  /// Counts a captured frame; returns the start rate, or `nil` once there is an allocation.
  package mutating func capture(at now: SimTime) -> BitRate? {
    guard framesLeft > 0, now < end else { return nil }
    framesLeft -= 1
    return startRate
  }
}
