import Ladder
import Media

/// Contents of cameras that the path limited throughout, by the sizes of their pictures.
extension ImportedScenario {
  /// Time in which a call's pictures give the content [s]: long enough for an encoder to have settled, and short
  /// enough to try many contents.
  private static let longestFit = 300.0

  /// Returns the content with which libwebrtc's encoder would have had the recorded pictures at the recorded targets,
  /// or else at the estimates; `nil` if the content is given, the guess by rates fits about as well, what was sent gives
  /// the content, or the capture is unknown, without which a small picture tells nothing.
  func contentByPictures(_ place: Int) -> String? {
    let (source, fit) = (record.sources[place], fits[place])
    guard content == nil, source.showsCamera, source.scalable == nil, fit.content == nil,
      assumed != nil || source.capture != nil,
      let encoder = TargetedEncoder(
        record, source, capture: capture(place), usesEstimate: true, until: Self.longestFit)
    else { return nil }
    let search = ContentSearch(encoder)
    let guess = fit.leastContent ?? SentStretch.reference.ceiling / 1000
    let isLikely = fit.isRich == true ? search.isRichPossible : search.range?.contains(guess) ?? false
    return isLikely ? nil : search.isRichPossible ? "rich" : search.best.text
  }
}
