/// A tile of a meeting by numbers: its viewer, and the source that it shows.
package struct TilePlace: Hashable, Sendable {
  package let viewer: Int
  package let source: Int

  package init(viewer: Int, source: Int) {
    self.viewer = viewer
    self.source = source
  }
}
