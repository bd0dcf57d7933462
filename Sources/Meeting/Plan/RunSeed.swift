import Statistics

/// Origin of every random stream of a run.
struct RunSeed {
  let seed: UInt64
  let repetition: Int

  /// Returns the stream for one purpose of one component, such as `encoder/ann/camera/frame-size`.
  func stream(_ name: String) -> RandomStream {
    RandomStream(seed: seed, repetition: repetition, name: name)
  }
}
