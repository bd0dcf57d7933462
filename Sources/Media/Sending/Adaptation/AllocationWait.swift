package import Quantity

/// First frames of a stream, captured before its transport is connected.
///
/// libwebrtc creates an encoder before the transport is connected, with a start rate until the first allocation: the
/// initial estimate of 300 kbps in equal shares (`call/bitrate_allocator.cc`, GetStartBitrate), 150 kbps beside one
/// audio track. The first allocation leaves a single video about 250 kbps. As the start rate of 270p is 200 kbps,
/// calls start at 180p if four frames are judged by the share, and at 270p if the allocation comes sooner: a race
/// between connection setup and camera.
///
/// The setup time is our model, not a measured distribution: any number of frames from none to four is equally likely,
/// so that one call in five starts at 180p. One of four recorded calls did (Chromium 156).
package struct AllocationWait: BitwiseCopyable, Sendable {
  /// Number of possible frame counts: the number of frames is uniform in 0 ..< this.
  package static let frameCounts = 5
  /// Time after the sender joined from which a newly started stream finds the transport connected (our model).
  package static let longestSetUp = SimDuration.seconds(1)

  /// Rate used until the first allocation.
  package let startRate: BitRate
  private let end: SimTime
  private var framesLeft: Int

  /// - Parameters:
  ///   - frames: number of frames captured before the first allocation.
  ///   - estimate: initial estimate of the call.
  ///   - tracks: number of tracks that share it, above 0.
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
