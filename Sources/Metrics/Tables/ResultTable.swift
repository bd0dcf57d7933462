/// A table of a result directory.
package enum ResultTable: Int, CaseIterable, Sendable {
  case streams, audio, participants, links, decisions, events, layout, scalars

  package var name: String {
    switch self {
    case .streams: "streams"
    case .audio: "audio"
    case .participants: "participants"
    case .links: "links"
    case .decisions: "decisions"
    case .events: "events"
    case .layout: "layout"
    case .scalars: "scalars"
    }
  }

  package var fileName: String { name + ".csv" }

  package var header: String { columns.map(\.name).joined(separator: ",") + "\n" }

  /// The columns that the table's rows declare.
  package var columns: [TableColumn] {
    switch self {
    case .streams: StreamRow.columns
    case .audio: AudioRow.columns
    case .participants: ParticipantRow.columns
    case .links: LinkRow.columns
    case .decisions: DecisionRow.columns
    case .events: EventRow.columns
    case .layout: LayoutRow.columns
    case .scalars: ScalarRow.columns
    }
  }
}
