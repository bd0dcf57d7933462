import Statistics

/// What every random stream of a run derives from.
struct RunSeed {
  let seed: UInt64
  let repetition: Int

  /// The stream for one purpose of one component, such as `encoder/ann/camera/frame-size`.
  func stream(_ name: String) -> RandomStream {
    RandomStream(seed: seed, repetition: repetition, name: name)
  }
}
