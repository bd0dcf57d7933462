/// The definition of one kind of row in `events.csv`.
package struct EventDeclaration: Hashable, Sendable {
  /// Name in the column `event`.
  package var name: String
  /// Explanation of the event, as a phrase; empty for a timeline action, which the scenario key of that name explains.
  package var meaning: String
  /// Contents of the column `detail`; empty for none.
  package var detail: String
  /// Possible values of the column `result`.
  package var results: [CallResult]

  package init(_ name: String, _ meaning: String = "", detail: String = "", results: [CallResult] = [.ok]) {
    self.name = name
    self.meaning = meaning
    self.detail = detail
    self.results = results
  }

  /// Declares a call to the client, with the results common to all calls and any others.
  package static func call(_ name: String, detail: String, _ more: CallResult...) -> EventDeclaration {
    EventDeclaration(name, detail: detail, results: [.ok, .notInMeeting, .noView] + more)
  }
}
