import Ladder
import Systems

/// The frames of a stream that a filter forwards, picture by picture.
///
/// Each spatial layer is a line, the highest first, with one character per picture: the temporal layer of a forwarded
/// frame, `-` for a dropped one, a space for none. The first line has a `k` at key pictures. A key picture arrives
/// three pictures after the filter starts to need one.
struct FilterDiagram {
  var mode: ScalabilityMode
  var codec: VideoCodec
  var pictures = 14
  /// Targets such as `2.1`, or `-` for none, each from a picture on.
  var targets: [(picture: Int, target: String)]
  /// Number of active spatial layers, each from a picture on; all of them at first.
  var active: [(picture: Int, count: Int)] = []

  init(_ mode: String, _ codec: VideoCodec, _ targets: [(picture: Int, target: String)]) {
    self.mode = ScalabilityMode(name: mode) ?? ScalabilityMode(spatial: 1, temporal: 1)
    self.codec = codec
    self.targets = targets
  }

  func lines(_ type: any LayerFilter.Type) -> [String] {
    let filters = LayerFilterKind(type).filters(tracks: 1)
    filters.reset(0, mode: mode, codec: codec)
    var structure = ScalabilityStructure(mode, codec: codec)
    var lines = Array(repeating: "", count: mode.spatialLayers)
    var keys = ""
    var keyAt: Int?
    var count = mode.spatialLayers
    for picture in 0..<pictures {
      for change in active where change.picture == picture { count = change.count }
      for change in targets where change.picture == picture {
        filters.retarget(0, to: Self.target(change.target))
      }
      if filters.needsKeyPicture(of: 0), keyAt == nil { keyAt = picture == 0 ? 0 : picture + 3 }
      structure.advance(active: count, keyPicture: keyAt == picture)
      if keyAt == picture { keyAt = nil }
      keys += structure.isKeyPicture ? "k" : "."
      for spatial in 0..<mode.spatialLayers {
        guard let frame = structure.frame(spatial) else {
          lines[spatial] += " "
          continue
        }
        structure.noteEncoded(spatial)
        lines[spatial] += filters.admits(frame, of: 0) ? "\(frame.temporal)" : "-"
      }
    }
    return [keys] + lines.reversed()
  }

  private static func target(_ text: String) -> DecodeTarget {
    let parts = text.split(separator: ".").compactMap { Int8($0) }
    return parts.count == 2 ? DecodeTarget(spatial: parts[0], temporal: parts[1]) : .none
  }
}
