/// A row of `events.csv`; the participant is an index into the recorder's names.
package struct EventRow {
  /// Index of the participant; `nil` for events of a link or a flow.
  package var participant: Int?
  package var event: String
  package var detail: String
  package var result: String

  package init(participant: Int?, event: String, detail: String, result: String) {
    self.participant = participant
    self.event = event
    self.detail = detail
    self.result = result
  }
}

extension EventRow: TableRow {
  static var table: ResultTable { .events }
  static var meaning: String { "timeline entry, result of a call, or event of a client or server" }

  static var foreignKeys: [ForeignKey] { [.participant("participant")] }

  static var blank: EventRow { EventRow(participant: nil, event: "", detail: "", result: "") }

  func declareColumns(in run: RecordedRun, to columns: inout some ColumnSink & ~Copyable) {
    run.declareID(to: &columns)
    run.declareTime("simulated time of the event", to: &columns)
    columns.column(
      "participant", nil, "id of the participant", empty: "an event of a link or of cross traffic",
      participant.map { run.participants[$0] })
    columns.column("event", nil, "name of the event: see 'meetsim list events'", event)
    columns.column(
      "detail", nil, "parameters of the event", empty: "the event has none",
      detail.isEmpty ? nil : detail)
    columns.column("result", nil, "ok, or the name of the error", result)
  }
}
