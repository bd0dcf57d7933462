/// Name of a video source in files and tables: a participant's id for its camera, `ID/screen` for its screen share.
package struct SourceName: Hashable, Sendable, CustomStringConvertible {
  /// Id of the participant.
  package let owner: String
  package let isScreen: Bool

  package init(owner: String, isScreen: Bool) {
    self.owner = owner
    self.isScreen = isScreen
  }

  /// Reads a name; any text names a source.
  package init(_ text: String) {
    isScreen = text.hasSuffix(Self.suffix)
    owner = isScreen ? String(text.dropLast(Self.suffix.count)) : text
  }

  package var description: String { isScreen ? owner + Self.suffix : owner }

  private static let suffix = "/screen"
}
