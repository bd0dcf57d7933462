/// An event that a system's publisher or server reports in `events.csv`.
package struct SystemEvent: Hashable, Sendable {
  package var name: String
  package var detail: String

  package init(name: String, detail: String) {
    self.name = name
    self.detail = detail
  }
}
