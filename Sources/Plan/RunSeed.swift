package import Statistics

/// Origin of every random stream of a run.
package struct RunSeed {
  package let seed: UInt64
  package let repetition: Int

  package init(seed: UInt64, repetition: Int) {
    self.seed = seed
    self.repetition = repetition
  }

  /// Returns the stream for one purpose of one component, such as `encoder/ann/camera/frame-size`.
  package func stream(_ name: String) -> RandomStream {
    RandomStream(seed: seed, repetition: repetition, name: name)
  }
}
