package import Media

/// Receivers of the tracks that are or were expected; each takes 4 KB, and most viewers of a large meeting receive few
/// of its sources.
package struct VideoReceivers: ~Copyable {
  /// Receivers by track; `nil` for one that was never expected.
  private let receivers: UnsafeMutablePointer<UnsafeMutablePointer<VideoReceiver>?>
  private let count: Int
  /// Receiver that stands for a track that was never expected.
  private let blank: UnsafeMutablePointer<VideoReceiver>

  init(tracks: Int) {
    count = tracks
    receivers = .allocate(capacity: max(tracks, 1))
    receivers.initialize(repeating: nil, count: tracks)
    blank = .allocate(capacity: 1)
    blank.initialize(to: VideoReceiver())
  }

  deinit {
    for track in 0..<count { receivers[track]?.deallocate() }
    receivers.deallocate()
    blank.deallocate()
  }

  /// Receiver of a track, created when it is first changed.
  package subscript(track: Int) -> VideoReceiver {
    @inline(__always) unsafeAddress { UnsafePointer(receivers[track] ?? blank) }
    @inline(__always) unsafeMutableAddress { receivers[track] ?? make(track) }
  }

  @inline(never)
  private func make(_ track: Int) -> UnsafeMutablePointer<VideoReceiver> {
    let receiver = UnsafeMutablePointer<VideoReceiver>.allocate(capacity: 1)
    receiver.initialize(to: VideoReceiver())
    receivers[track] = receiver
    return receiver
  }
}
