/// A row of `layout.csv`; participants and sources are indices into the recorder's names.
package struct LayoutRow {
  package var viewer: Int
  /// Index of the source; `nil` for the screen itself.
  package var source: Int?
  /// Area of the tile; `nil` for the screen and for a removed tile.
  package var area: String?
  /// Frame of the tile [px], or scroll offset and size of the screen; `nil` for a removed tile.
  package var frame: (x: Int, y: Int, width: Int, height: Int)?
  /// Stacking order; `nil` for the screen and for a removed tile.
  package var z: Int?
  /// Visible share of the tile's area [1/10,000]; `nil` for the screen.
  package var visibleTenThousandths: Int?

  package init(
    viewer: Int, source: Int?, area: String?, frame: (x: Int, y: Int, width: Int, height: Int)?, z: Int?,
    visibleTenThousandths: Int?
  ) {
    self.viewer = viewer
    self.source = source
    self.area = area
    self.frame = frame
    self.z = z
    self.visibleTenThousandths = visibleTenThousandths
  }
}

extension LayoutRow: TableRow {
  static var table: ResultTable { .layout }
  static var meaning: String { "change of a viewer's screen, or of a tile's place on it" }
  // There is no primary key, since several calls at the same time may change a tile more than once.
  static var foreignKeys: [ForeignKey] { [.participant("viewer")] }

  static var blank: LayoutRow {
    LayoutRow(viewer: 0, source: nil, area: nil, frame: nil, z: nil, visibleTenThousandths: nil)
  }

  func declareColumns(in run: RecordedRun, to columns: inout some ColumnSink & ~Copyable) {
    run.declareID(to: &columns)
    run.declareTime("simulated time of the change; the row holds until the tile's next one", to: &columns)
    columns.column("viewer", nil, "participant whose screen it is", run.participants[viewer])
    columns.column(
      "source", nil,
      "participant whose tile it is; ID/screen for a screen share", empty: "the screen itself",
      source.map { run.sources[$0] })
    columns.column(
      "area", nil, "grid, stage, share or window", empty: "the screen, or a tile that has gone",
      area.map(Word.init))
    columns.column(
      "x_px", .pixels,
      "left edge of the tile in the content that scrolls; of the screen how far it has scrolled to the right",
      empty: "a tile that has gone",
      frame?.x)
    columns.column(
      "y_px", .pixels,
      "upper edge of the tile in the content that scrolls; of the screen how far it has scrolled down",
      empty: "a tile that has gone",
      frame?.y)
    columns.column(
      "width_px", .pixels, "width of the tile or of the screen", empty: "a tile that has gone",
      frame?.width)
    columns.column(
      "height_px", .pixels, "height of the tile or of the screen", empty: "a tile that has gone",
      frame?.height)
    columns.column(
      "z", .one,
      "stacking order: a tile covers those with less", empty: "the screen, or a tile that has gone",
      z)
    columns.column(
      "visible_frac", .one,
      "fraction of the tile's area on the screen, 0 to 1, whatever covers it; 0 if it has gone or is hidden",
      empty: "the screen",
      visibleTenThousandths.map { FixedPoint(Int64($0), decimals: 4) })
  }
}
