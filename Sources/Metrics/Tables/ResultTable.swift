import Files

/// A table of a result directory.
package enum ResultTable: Int, CaseIterable, Sendable {
  case streams, sent, audio, participants, links, decisions, events, layout, scalars

  package var name: String {
    switch self {
    case .streams: "streams"
    case .sent: "sent"
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

  /// Returns the file's name in a directory with or without compressed tables.
  package func fileName(isCompressed: Bool) -> String {
    isCompressed && isCompressible ? fileName + StoredTable.compressedSuffix : fileName
  }

  /// Indicates whether the table may be compressed: all but the whole-run values, which every tool reads first.
  var isCompressible: Bool { self != .scalars }

  package var header: String { columns.map(\.name).joined(separator: ",") + "\n" }

  /// Type of the rows, which declares the columns.
  private var row: any TableRow.Type {
    switch self {
    case .streams: StreamRow.self
    case .sent: SentRow.self
    case .audio: AudioRow.self
    case .participants: ParticipantRow.self
    case .links: LinkRow.self
    case .decisions: DecisionRow.self
    case .events: EventRow.self
    case .layout: LayoutRow.self
    case .scalars: ScalarRow.self
    }
  }

  /// Columns declared by the table's rows.
  package var columns: [TableColumn] { row.columns }

  /// Description of the table's columns and keys.
  package var description: TableDescription {
    TableDescription(
      name: name, meaning: row.meaning, columns: columns, primaryKey: row.primaryKey,
      foreignKeys: row.foreignKeys)
  }
}
