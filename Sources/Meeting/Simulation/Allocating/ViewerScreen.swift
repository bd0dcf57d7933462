import Allocation

/// What a viewer's screen remembers of before: it decides who is wanted next to what the viewer asks for.
struct ViewerScreen {
  /// Participants that the viewer pinned, earliest first.
  var pins: [Int]
  /// The picture-in-picture window while the app is in the background, if there is one.
  var window: PictureInPicture?
  /// The built-in layout that ``seats`` belong to.
  var layout: BuiltInLayout?
  /// Who sits where in it; `nil` is an empty seat.
  var seats: [Int?] = []
  /// Who is on its main stage.
  var stage: Int?
  var hasStageCheck = false

  /// GetStream: what is asked for by hand.
  var overrides: StreamOverrides

  init(pins: [Int], overrides: StreamOverrides) {
    self.pins = pins
    self.overrides = overrides
  }
}
