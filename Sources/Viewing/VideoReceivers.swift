import Ladder
package import Media

/// Receivers of the tracks that are or were expected; each takes 10 KB, and most viewers of a large meeting receive few
/// of its sources.
package struct VideoReceivers: ~Copyable {
  /// Receivers by track; `nil` for a track that was never expected.
  private let receivers: UnsafeMutablePointer<UnsafeMutablePointer<VideoReceiver>?>
  private let count: Int
  /// Stand-in for the receiver of a track that was never expected.
  private let blank: UnsafeMutablePointer<VideoReceiver>
  /// Picture assemblies of scalable streams by track; `nil` for a track that was never expected.
  private var assemblies: [UnsafeMutablePointer<PictureAssembly>?]

  /// - Parameter hasAssemblies: `true` if some streams are scalable.
  init(tracks: Int, hasAssemblies: Bool) {
    assemblies = Array(repeating: nil, count: hasAssemblies ? tracks : 0)
    count = tracks
    receivers = .allocate(capacity: max(tracks, 1))
    receivers.initialize(repeating: nil, count: tracks)
    blank = .allocate(capacity: 1)
    blank.initialize(to: VideoReceiver())
  }

  deinit {
    for track in 0..<count { receivers[track]?.deallocate() }
    for assembly in assemblies { assembly?.deallocate() }
    receivers.deallocate()
    blank.deallocate()
  }

  /// Receiver of a track, created on first change.
  package subscript(track: Int) -> VideoReceiver {
    @inline(__always) unsafeAddress { UnsafePointer(receivers[track] ?? blank) }
    @inline(__always) unsafeMutableAddress { receivers[track] ?? make(track) }
  }

  // MARK: Scalable streams

  /// Begins a track of a scalable stream, with no picture received.
  mutating func beginAssembly(of track: Int, _ mode: ScalabilityMode) {
    let assembly = assemblies[track] ?? .allocate(capacity: 1)
    assembly.initialize(to: PictureAssembly(mode))
    assemblies[track] = assembly
  }

  /// Changes a track's assembly; no effect if its stream is not scalable.
  mutating func withAssembly(of track: Int, _ change: (inout PictureAssembly) -> Void) {
    guard !assemblies.isEmpty, let assembly = assemblies[track] else { return }
    change(&assembly.pointee)
  }

  /// Takes the next complete picture of a scalable stream's track; `nil` if there is none.
  mutating func takePicture(of track: Int, hasMissing: Bool) -> CompletePicture? {
    assemblies[track]?.pointee.take(hasMissing: hasMissing)
  }

  @inline(never)
  private func make(_ track: Int) -> UnsafeMutablePointer<VideoReceiver> {
    let receiver = UnsafeMutablePointer<VideoReceiver>.allocate(capacity: 1)
    receiver.initialize(to: VideoReceiver())
    receivers[track] = receiver
    return receiver
  }
}
