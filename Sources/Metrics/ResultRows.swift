package import Quantity

/// What a tile does in an interval; the words of the `state` column.
package enum TileState: String, Sendable {
  case receiving, paused, hidden, muted, absent
  case waitingForKeyFrame = "waiting-for-keyframe"
}

/// A row of `streams.csv`; names are indices into the recorder's.
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

/// What one direction of a participant's path did in an interval.
package struct PathRow {
  package var capacity = BitRate.zero
  package var estimate = BitRate.zero
  package var bytes: Int64 = 0
  package var packets: Int64 = 0
  package var packetsMissing: Int64 = 0
  /// [ns], over all packets.
  package var queueDelaySum: Int64 = 0
  package var queueDelayPackets: Int64 = 0

  package init() {}
}

/// A row of `participants.csv`.
package struct ParticipantRow {
  package var participant: Int
  package var up = PathRow()
  package var down = PathRow()
  package var audioBytes: Int64 = 0
  package var audioPacketsReceived: Int64 = 0
  /// Less than none when more came late than went missing.
  package var audioPacketsLost: Int64 = 0
  package var videosReceived = 0
  package var decodedPixels: Int64 = 0

  package init(participant: Int) { self.participant = participant }
}

/// A row of `links.csv`.
package struct LinkRow {
  package var link: Int
  package var capacity: BitRate
  package var deliveredBytes: Int64
  /// What the link added to them [byte].
  package var overheadBytes: Int64
  /// [ns]
  package var queueDelaySum: Int64
  package var queueDelayPackets: Int64
  package var queueDelayMaximum: Int64
  package var packetsDropped: Int64

  package init(
    link: Int, capacity: BitRate, deliveredBytes: Int64, overheadBytes: Int64, queueDelaySum: Int64,
    queueDelayPackets: Int64, queueDelayMaximum: Int64, packetsDropped: Int64
  ) {
    self.link = link
    self.capacity = capacity
    self.deliveredBytes = deliveredBytes
    self.overheadBytes = overheadBytes
    self.queueDelaySum = queueDelaySum
    self.queueDelayPackets = queueDelayPackets
    self.queueDelayMaximum = queueDelayMaximum
    self.packetsDropped = packetsDropped
  }
}

/// A row of `scalars.csv`.
package struct ScalarRow {
  package enum Direction: String { case bigger, smaller, neither }
  package var scope: StaticString
  package var viewer: String
  package var source: String
  package var metric: StaticString
  package var stat: StaticString
  package var unit: StaticString
  package var direction: Direction
  /// In units of 10^-`decimals`; `nil` when there was nothing to measure.
  package var value: Int64?
  package var decimals: Int

  package init(
    scope: StaticString, viewer: String = "", source: String = "", metric: StaticString, stat: StaticString,
    unit: StaticString, direction: Direction, value: Int64?, decimals: Int
  ) {
    self.scope = scope
    self.viewer = viewer
    self.source = source
    self.metric = metric
    self.stat = stat
    self.unit = unit
    self.direction = direction
    self.value = value
    self.decimals = decimals
  }
}
