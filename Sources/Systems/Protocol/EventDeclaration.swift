/// A kind of row of `events.csv`: its only definition.
package struct EventDeclaration: Sendable {
  /// The column `event`.
  package var name: String
  /// What has happened, as a phrase; empty for an action of the timeline, which the scenario's key of that name explains.
  package var meaning: String
  /// What the column `detail` has; empty for nothing.
  package var detail: String
  /// What the column `result` can have.
  package var results: [CallResult]

  package init(_ name: String, _ meaning: String = "", detail: String = "", results: [CallResult] = [.ok]) {
    self.name = name
    self.meaning = meaning
    self.detail = detail
    self.results = results
  }
}
