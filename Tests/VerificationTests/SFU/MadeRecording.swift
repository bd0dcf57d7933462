/// Handmade tables of recorded meetings.
enum MadeRecording {
  /// One second of a tile: counts since the beginning.
  struct Second {
    var bytes = 0
    var lost = 0
    var frames = 0
    var height = 0
    var frozen = 0.0
  }

  /// A table with its columns in an unusual order, some of which are not read.
  ///
  /// - Parameter rows: time, publisher and counters.
  static func table(_ rows: [(time: Double, publisher: String, Second)]) -> String {
    "publisher,t,paused,h,frames,lost,bytes,freeze_s,fps\n"
      + rows.map { time, publisher, second in
        "\(publisher),\(time),False,\(second.height),\(second.frames),\(second.lost),\(second.bytes),"
          + "\(second.frozen),30\n"
      }.joined()
  }

  /// A tile at a steady rate: bytes, lost packets and frames in each second.
  static func steady(
    _ publisher: String, seconds: Int, bytes: Int, frames: Int, height: Int, lost: Int = 0,
    from start: Int = 0
  ) -> [(time: Double, publisher: String, Second)] {
    (0..<seconds).map { second in
      let count = max(0, second + 1 - start)
      return (
        Double(second) + 0.5, publisher,
        Second(
          bytes: count * bytes, lost: count * lost, frames: count * frames, height: count > 0 ? height : 0)
      )
    }
  }

  /// A meeting of two cameras under the oracle, whose recording begins when its viewer joins at 2 s.
  static let scenario = """
    name: made
    duration: 42s
    policy: stream
    estimator: oracle
    links:
      home: {capacity: 2 Mbps, delay: 10 ms}
      open: {capacity: 100 Mbps, delay: 1 ms}
    participants:
      - {id: p-1, up: open, down: open, publish: {audio: false, camera: 720p30}}
      - {id: p-2, up: open, down: open, publish: {audio: false, camera: 720p30}}
      - id: viewer
        join: 2s
        up: open
        down: home
        view: {request: [{quality: 360p30, participant: p-1}, {quality: 360p30, participant: p-2}]}

    """
}
