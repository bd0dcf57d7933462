package import Ladder
package import Systems

/// Layers that a viewer's app names for each stream in its configure requests.
package struct JanusSignals: Hashable, Sendable {
  package struct Choice: Hashable, Sendable {
    package var source: SignalledSource
    package var ceiling: LayerID
  }

  /// Choices in the order of the subscriptions: those with a substream, then those with only a temporal layer.
  package let choices: [Choice]

  package init(_ signals: ViewSignals) {
    var choices: [Choice] = []
    for entry in signals.bySource("substream") ?? [] {
      choices.append(
        Choice(source: entry.source, ceiling: LayerID(encoding: entry.value.integer ?? 2, temporal: 2)))
    }
    for entry in signals.bySource("temporal") ?? [] {
      let temporal = entry.value.integer ?? 2
      if let place = choices.firstIndex(where: { $0.source == entry.source }) {
        choices[place].ceiling.temporal = temporal
      } else {
        choices.append(Choice(source: entry.source, ceiling: LayerID(encoding: 2, temporal: temporal)))
      }
    }
    self.choices = choices
  }

  package static let declarations = [
    SignalDeclaration(
      "substream", .bySource(.integer(0...2)),
      "highest encoding that is relayed, 2 for the highest of three, by default 2; a source that is named neither here "
        + "nor in 'temporal' is not subscribed to"),
    SignalDeclaration(
      "temporal", .bySource(.integer(0...2)), "highest temporal layer that is relayed; by default 2"),
  ]
}
