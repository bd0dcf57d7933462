/// Bits that the sender of a scalable stream has sent in each spatial layer, second by second, including RTP headers.
package struct LayerCourse: Equatable, Sendable {
  /// An amount of a layer's bits.
  package struct Row: Equatable, Sendable {
    /// Time since the viewer joined [s].
    package var time: Double
    package var spatial: Int
    package var bits: Double
  }

  private var rows: [Row] = []

  package init() {}

  package var isEmpty: Bool { rows.isEmpty }

  /// Adds bits; there are at most three spatial layers.
  package mutating func add(_ bits: Double, of spatial: Int, at time: Double) {
    rows.append(Row(time: time, spatial: spatial, bits: bits))
  }

  /// Sums a layer's bits over a window.
  package func bits(of spatial: Int, in window: MeasureWindow) -> Double {
    rows.reduce(0) { $1.spatial == spatial && window.contains($1.time) ? $0 + $1.bits : $0 }
  }

  /// Reads the layers arriving at the server, as signalled in the packets' dependency descriptors: one row per second,
  /// direction, spatial and temporal layer.
  package init(path: String) throws(RecordingError) {
    var table = try RecordingTable(path: path)
    let time = try table.place(of: ["t"])
    let way = try table.place(of: ["way"])
    let spatial = try table.place(of: ["spatial"])
    let bytes = try table.place(of: ["bytes"])
    let packets = try table.place(of: ["packets"])
    while try table.next() {
      guard table.text(way) == "up" else { continue }
      let layer = try table.value(spatial)
      guard (0..<3).contains(layer) else { continue }
      let payload = try table.value(bytes) - Self.aroundRTP * (try table.value(packets))
      // A row covers the second that begins at its time; a sample of that second is taken at its end.
      add(payload * 8, of: Int(layer), at: try table.value(time) + Self.second)
    }
  }

  /// UDP and IP bytes around a recorded packet.
  private static let aroundRTP = 28.0
  private static let second = 0.5
}
