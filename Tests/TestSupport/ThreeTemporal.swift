package import Ladder
import Quantity

extension Ladder {
  /// Creates a ladder of 30 fps encodings whose temporal layers take 40, 20 and 40 % (libwebrtc's shares).
  package static func threeTemporal(_ rows: [(rid: String, size: Resolution, kilobits: Int64)]) -> Ladder {
    Ladder(
      encodings: rows.map { row in
        Encoding(
          rid: row.rid, format: VideoFormat(row.size, framesPerSecond: 30),
          cumulativeBitrates: [40, 60, 100].map { BitRate(bitsPerSecond: row.kilobits * 10 * $0) })
      })
  }
}
