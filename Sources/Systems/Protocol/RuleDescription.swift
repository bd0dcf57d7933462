/// Human-readable description of a rule that decides a tile's allocation.
package struct RuleDescription: Hashable, Sendable {
  /// Name in `decisions.csv`.
  package var name: String
  /// Effect of the rule, as a sentence.
  package var sentence: String
  /// Document or code that the rule follows, and the part that is our model.
  package var source: String
  /// Setting through which the rule limits a picture; `nil` if there is none.
  package var setting: String?

  package init(_ name: String, _ sentence: String, source: String, setting: String? = nil) {
    self.name = name
    self.sentence = sentence
    self.source = source
    self.setting = setting
  }

  /// Returns the sentence with settings in place of the defaults, which are in brackets after their keys.
  package func sentence(with settings: [(key: String, value: String)]) -> String {
    settings.reduce(sentence) { text, setting in
      let key = "'\(setting.key)' ("
      guard let place = text.firstRange(of: key),
        let end = text[place.upperBound...].firstIndex(of: ")")
      else { return text }
      return text[..<place.upperBound] + setting.value + text[end...]
    }
  }

  /// Rules common to all systems: limits set by the viewer itself.
  package static let common = [
    RuleDescription(
      "ReceiveCap",
      "The viewer's client accepts no higher rate: its own 'receive-cap', which holds for whole packets; a tenth "
        + "each is kept for headers and for the variation of encoders.",
      source: "our model of a client's limit"),
    RuleDescription(
      "PolicyReceiveCap",
      "The policy's 'receive-cap' limits what every client receives, in whole packets; a tenth each is kept for "
        + "headers and for the variation of encoders.",
      source: "the web SDK of BlueJeans; the margins are our model"),
    RuleDescription(
      "ReceiveGate",
      "The viewer has not enabled pictures above 360 lines: 'receive-720p' in its capabilities or the timeline.",
      source: "BlueJeans' custom layout guide; in other systems our model", setting: "receive-720p"),
    RuleDescription(
      "SenderLadder",
      "The source's ladder has fewer lines or frames than its capture: the policy's own ladder where 'publish' names "
        + "none.",
      source: "the ladder's: `meetsim list ladders`"),
    RuleDescription(
      "PictureInPicture", "The picture-in-picture window takes no larger picture.",
      source: "the vendors' guides to picture in picture"),
  ]
}
