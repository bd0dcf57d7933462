package import Quantity

/// The state of a tile in an interval; the values of the `state` column.
package enum TileState: String, Sendable {
  case receiving, paused, hidden, muted, absent
  case waitingForKeyFrame = "waiting-for-keyframe"
}

/// A row of `streams.csv`; participants and sources are indices into the recorder's names.
package struct StreamRow {
  package var viewer: Int
  package var source: Int
  package var kind: StaticString
  package var state: TileState
  package var tile: (width: Int, height: Int)?
  package var requestedHeight: Int?
  /// [1/1000 Hz]
  package var requestedMilliFrames: Int?
  package var targetHeight: Int
  package var frame: (width: Int, height: Int)?
  package var frames: Int
  package var bytes: Int64
  package var packetsLost: Int
  package var freezeCount: Int
  package var freezesDuration: SimDuration
  package var limitation: String
  /// [1/100]
  package var hundredthsOfMOS: Int?

  package init(
    viewer: Int, source: Int, kind: StaticString, state: TileState, tile: (width: Int, height: Int)?,
    requestedHeight: Int?, requestedMilliFrames: Int?, targetHeight: Int, frame: (width: Int, height: Int)?,
    frames: Int, bytes: Int64, packetsLost: Int, freezeCount: Int, freezesDuration: SimDuration,
    limitation: String, hundredthsOfMOS: Int?
  ) {
    self.viewer = viewer
    self.source = source
    self.kind = kind
    self.state = state
    self.tile = tile
    self.requestedHeight = requestedHeight
    self.requestedMilliFrames = requestedMilliFrames
    self.targetHeight = targetHeight
    self.frame = frame
    self.frames = frames
    self.bytes = bytes
    self.packetsLost = packetsLost
    self.freezeCount = freezeCount
    self.freezesDuration = freezesDuration
    self.limitation = limitation
    self.hundredthsOfMOS = hundredthsOfMOS
  }
}

extension StreamRow: TableRow {
  static var table: ResultTable { .streams }

  static var blank: StreamRow {
    StreamRow(
      viewer: 0, source: 0, kind: "", state: .absent, tile: nil, requestedHeight: nil,
      requestedMilliFrames: nil, targetHeight: 0, frame: nil, frames: 0, bytes: 0, packetsLost: 0,
      freezeCount: 0, freezesDuration: .zero, limitation: "", hundredthsOfMOS: nil)
  }

  func declareColumns(in run: RecordedRun, to columns: inout some ColumnSink) {
    run.declareInterval(to: &columns)
    run.declareTile(viewer: viewer, source: source, to: &columns)
    columns.column("kind", nil, "camera, screen or custom", kind)
    columns.column(
      "state", nil, "receiving, paused, hidden, muted, absent or waiting-for-keyframe", Word(state.rawValue))
    columns.column("tile_width_px", .pixels, "width of the tile on the viewer's display", tile?.width)
    columns.column("tile_height_px", .pixels, "height of the tile on the viewer's display", tile?.height)
    columns.column("requested_height_px", .pixels, "height that the app requests", requestedHeight)
    columns.column(
      "requested_fps", .hertz, "frame rate that the app requests",
      requestedMilliFrames.map { FixedPoint(Int64($0 / 10), decimals: 2) })
    columns.column(
      "target_height_px", .pixels, "allocated height, 0 for none", targetHeight)
    columns.column(
      "frame_width_px", .pixels, "width of the last frame decoded in the interval", frame?.width)
    columns.column(
      "frame_height_px", .pixels, "height of the last frame decoded in the interval", frame?.height)
    columns.column(
      "frames_per_second", .hertz, "decoded frame rate in the interval",
      FixedPoint(Int64(frames).scaled(by: 100_000_000_000, per: run.interval.nanoseconds), decimals: 2))
    columns.column(
      "bitrate_bps", .bitsPerSecond, "received in the interval, including headers", run.rate(ofBytes: bytes))
    columns.column("packets_lost", .one, "packets lost in the interval", packetsLost)
    columns.column(
      "freeze_count", .one, "freezes that ended in the interval (W3C freezeCount)", freezeCount)
    columns.column(
      "freezes_duration_s", .seconds,
      "total duration of the freezes that ended in the interval (W3C totalFreezesDuration)",
      FixedPoint.seconds(freezesDuration, decimals: 3))
    columns.column("limitation", nil, "what kept the tile below the request", Word(limitation))
    columns.column(
      "mos", .one, "mean opinion score of the tile, ITU-T P.1203.1 mode 0, 1 to 5",
      hundredthsOfMOS.map { FixedPoint(Int64($0), decimals: 2) })
  }
}
