package import Quantity

/// The first frames of a stream that come before its transport is up.
///
/// libwebrtc makes an encoder before the transport is connected and tells it a start rate until the first allocation:
/// the estimate that calls begin with, 300 kbps, in even shares (`call/bitrate_allocator.cc`, GetStartBitrate), 150 kbps
/// beside a voice. The first allocation leaves a lone video about 250 kbps. As 270p has a start rate of 200 kbps, calls
/// begin at 180p where four frames are judged by the share, and at 270p where the allocation comes sooner: a race of the
/// connection's set-up against the camera.
///
/// How long a set-up takes is our model, no measured distribution: any number of frames from none to four is as likely
/// as another, so that one call in five begins at 180p. Of four recorded calls one did (Chromium 156).
package struct AllocationWait: BitwiseCopyable, Sendable {
  /// Every number of frames below is as likely as another.
  package static let frameCounts = 5
  /// A stream that begins later than that after its sender has joined finds the transport connected (our model).
  package static let longestSetUp = SimDuration.seconds(1)

  /// What the frames are judged by.
  package let startRate: BitRate
  private let end: SimTime
  private var framesLeft: Int

  /// - Parameters:
  ///   - frames: how many are captured before the first allocation.
  ///   - estimate: what the call begins with.
  ///   - tracks: how many share it, above 0.
  ///   - joined: when the sender joined.
  package init(frames: Int, estimate: BitRate, tracks: Int, joined: SimTime) {
    precondition(frames >= 0 && tracks > 0, "\(frames) frames, \(tracks) tracks")
    framesLeft = frames
    startRate = BitRate(bitsPerSecond: estimate.bitsPerSecond / Int64(tracks))
    end = joined + Self.longestSetUp
  }

  /// Counts a captured frame; the rate that it is judged by, `nil` once the allocation is there.
  package mutating func capture(at now: SimTime) -> BitRate? {
    guard framesLeft > 0, now < end else { return nil }
    framesLeft -= 1
    return startRate
  }
}
