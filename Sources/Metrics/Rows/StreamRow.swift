import Allocation
package import Ladder
package import Quantity

/// State of a tile in an interval; the values of the `state` column.
package enum TileState: String, Sendable, CaseIterable {
  case receiving, paused, hidden, muted, absent
  case waitingForKeyFrame = "waiting-for-keyframe"

  package var meaning: String {
    switch self {
    case .receiving: "a layer is forwarded and can be decoded"
    case .paused: "requested, but nothing is allocated; the stream stays in the client's list"
    case .hidden: "not requested, or not on the screen"
    case .muted: "the source sends no video"
    case .absent: "requested, but nothing is allocated; the client's list does not have the stream"
    case .waitingForKeyFrame: "a layer is allocated, and its key frame has not come"
    }
  }
}

/// A row of `streams.csv`; participants and sources are indices into the recorder's names.
package struct StreamRow {
  package var viewer: Int
  package var source: Int
  package var kind: StaticString
  package var state: TileState
  package var tile: (width: Int, height: Int)?
  /// Set if the client's subscriptions have the source, also while it asks for none of its pictures; not in any column.
  package var isSubscribed: Bool
  package var requestedHeight: Int?
  /// Requested frame rate [1/1000 Hz].
  package var requestedMilliFrames: Int?
  package var targetHeight: Int
  package var frame: (width: Int, height: Int)?
  package var frames: Int
  package var bytes: Int64
  /// Bytes of the decoded frames, without repairs; not in any column.
  package var decodedBytes: Int64
  package var packetsLost: Int
  package var freezeCount: Int
  package var freezesDuration: SimDuration
  package var limitation: String
  /// Mean opinion score [1/100]; see ``score(over:)``.
  package var hundredthsOfMOS: Int?
  /// Bytes of the decoded frames without headers; not in any column.
  package var decodedPayload: Int64 = 0
  /// Size at which the picture is scored: the tile's, or without a tile the one requested; not in any column.
  package var display: Resolution?
  package var keyFramesDecoded = 0
  /// Picture loss indications sent by the viewer.
  package var pictureLossIndications = 0
  /// NACK packets sent by the viewer.
  package var negativeAcknowledgements = 0
  /// Times of the interval's frames; not in any column.
  package var frameTimes = FrameTimes()

  package init(
    viewer: Int, source: Int, kind: StaticString, state: TileState, tile: (width: Int, height: Int)?,
    requestedHeight: Int?, requestedMilliFrames: Int?, targetHeight: Int, frame: (width: Int, height: Int)?,
    frames: Int, bytes: Int64, decodedBytes: Int64, packetsLost: Int, freezeCount: Int,
    freezesDuration: SimDuration,
    limitation: String, hundredthsOfMOS: Int?
  ) {
    self.viewer = viewer
    self.source = source
    self.kind = kind
    self.state = state
    self.tile = tile
    isSubscribed = requestedHeight != nil
    self.requestedHeight = requestedHeight
    self.requestedMilliFrames = requestedMilliFrames
    self.targetHeight = targetHeight
    self.frame = frame
    self.frames = frames
    self.bytes = bytes
    self.decodedBytes = decodedBytes
    self.packetsLost = packetsLost
    self.freezeCount = freezeCount
    self.freezesDuration = freezesDuration
    self.limitation = limitation
    self.hundredthsOfMOS = hundredthsOfMOS
  }
}

extension StreamRow {
  /// Scores the decoded video, 1 to 5; `nil` for none.
  ///
  /// - Parameter length: length of the interval.
  package func score(over length: SimDuration) -> Double? {
    guard let frame, let display else { return nil }
    let rate = (Double(decodedPayload * 8) / length.seconds).rounded(.towardZero)
    return MeanOpinionScore.video(
      coded: Resolution(width: frame.width, height: frame.height), tile: display,
      bitrate: BitRate(rounding: rate), framesPerSecond: Double(frames) / length.seconds)
  }

  /// Checks whether another interval of the tile has the same size and request.
  func isAlike(_ other: StreamRow) -> Bool {
    tile?.width == other.tile?.width && tile?.height == other.tile?.height && display == other.display
      && requestedHeight == other.requestedHeight && requestedMilliFrames == other.requestedMilliFrames
  }

  /// Adds the counts of the interval that follows, whose state and last picture replace its own.
  mutating func append(_ next: StreamRow) {
    state = next.state
    limitation = next.limitation
    frame = next.frame ?? frame
    frames += next.frames
    bytes += next.bytes
    decodedBytes += next.decodedBytes
    decodedPayload += next.decodedPayload
    packetsLost += next.packetsLost
    freezeCount += next.freezeCount
    freezesDuration += next.freezesDuration
    keyFramesDecoded += next.keyFramesDecoded
    frameTimes.add(next.frameTimes)
  }
}

extension Limitation {
  /// Values of columns that hold limitations.
  static var columnValues: [ColumnValue] { allCases.map { ColumnValue($0.rawValue, $0.meaning) } }
}

extension StreamRow {
  /// Values of the column `kind`.
  private static let kinds = [
    ColumnValue("camera"), ColumnValue("screen", "a screen share"),
    ColumnValue("custom", "frames that an app makes, in the camera's place"),
  ]
}

extension StreamRow: TableRow {
  static var table: ResultTable { .streams }
  static var meaning: String { "interval, viewer and source" }
  static var primaryKey: [String] { ["run_id", "time_s", "viewer", "source"] }
  static var foreignKeys: [ForeignKey] { [.viewerInInterval] }

  static var blank: StreamRow {
    StreamRow(
      viewer: 0, source: 0, kind: "", state: .absent, tile: nil, requestedHeight: nil,
      requestedMilliFrames: nil, targetHeight: 0, frame: nil, frames: 0, bytes: 0, decodedBytes: 0,
      packetsLost: 0,
      freezeCount: 0, freezesDuration: .zero, limitation: "", hundredthsOfMOS: nil)
  }

  func declareColumns(in run: RecordedRun, to columns: inout some ColumnSink & ~Copyable) {
    run.declareInterval(to: &columns)
    run.declareTile(viewer: viewer, source: source, to: &columns)
    columns.column("kind", nil, "kind of the source", values: StreamRow.kinds, kind)
    columns.column(
      "state", nil, "state of the tile at the end of the interval",
      values: TileState.allCases.map { ColumnValue($0.rawValue, $0.meaning) }, Word(state.rawValue))
    columns.column(
      "tile_width_px", .pixels, "width of the tile on the viewer's display", empty: "no tile", tile?.width)
    columns.column(
      "tile_height_px", .pixels, "height of the tile on the viewer's display", empty: "no tile", tile?.height)
    columns.column(
      "requested_height_px", .pixels, "height that the app requests", empty: "nothing is requested",
      requestedHeight)
    columns.column(
      "requested_fps", .hertz, "frame rate that the app requests", empty: "nothing is requested",
      requestedMilliFrames.map { FixedPoint(Int64($0 / 10), decimals: 2) })
    columns.column(
      "target_height_px", .pixels, "allocated height, 0 for none", targetHeight)
    columns.column(
      "frame_width_px", .pixels, "width of the last frame decoded in the interval",
      empty: "no frame was decoded",
      frame?.width)
    columns.column(
      "frame_height_px", .pixels, "height of the last frame decoded in the interval",
      empty: "no frame was decoded", frame?.height)
    columns.column(
      "frames_per_second", .hertz, "decoded frame rate in the interval",
      FixedPoint(Int64(frames).scaled(by: 100_000_000_000, per: run.interval.nanoseconds), decimals: 2))
    columns.column(
      "bitrate_bps", .bitsPerSecond, "received in the interval, including headers", run.rate(ofBytes: bytes))
    columns.column("packets_lost", .one, "packets lost in the interval", packetsLost)
    columns.column(
      "freeze_count", .one,
      "freezes that ended in the interval (W3C freezeCount), without pauses of more than five seconds without a packet",
      freezeCount)
    columns.column(
      "freezes_duration_s", .seconds,
      "total duration of the freezes that ended in the interval (W3C totalFreezesDuration)",
      FixedPoint.seconds(freezesDuration, decimals: 3))
    columns.column(
      "limitation", nil, "what kept the tile below the request", values: Limitation.columnValues,
      Word(limitation))
    columns.column(
      "mos", .one, "mean opinion score of the tile, ITU-T P.1203.1 mode 0, 1 to 5",
      empty: "nothing was shown or requested",
      hundredthsOfMOS.map { FixedPoint(Int64($0), decimals: 2) })
    columns.column(
      "key_frames_decoded", .one, "key frames decoded in the interval (W3C keyFramesDecoded)",
      keyFramesDecoded)
    columns.column(
      "pli_count", .one, "picture loss indications that the viewer sent in the interval (W3C pliCount)",
      pictureLossIndications)
    columns.column(
      "nack_count", .one, "NACK packets that the viewer sent in the interval (W3C nackCount)",
      negativeAcknowledgements)
  }
}
