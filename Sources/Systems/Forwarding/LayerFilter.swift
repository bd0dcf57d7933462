package import Ladder

/// All layers up to a spatial and a temporal one, which a viewer can decode together.
package struct DecodeTarget: Hashable, Sendable, BitwiseCopyable {
  /// Highest spatial layer, -1 for nothing.
  package var spatial: Int8
  /// Highest temporal layer, -1 for nothing.
  package var temporal: Int8

  package init(spatial: Int8, temporal: Int8) {
    self.spatial = spatial
    self.temporal = temporal
  }

  package static let none = DecodeTarget(spatial: -1, temporal: -1)

  /// `true` for ``none``.
  package var isNone: Bool { spatial < 0 }
}

/// Filter through which an SFU forwards a stream of several spatial layers to one viewer: a state machine over the
/// stream's frames.
package protocol LayerFilter: BitwiseCopyable, Sendable {
  /// Creates a filter that forwards nothing yet.
  init(mode: ScalabilityMode, codec: VideoCodec)

  /// Layers to switch to; ``DecodeTarget/none`` to stop.
  var target: DecodeTarget { get set }
  /// Layers being forwarded.
  var current: DecodeTarget { get }
  /// `true` while the filter waits for a key picture.
  var needsKeyPicture: Bool { get }

  /// Decides on a frame; called once per frame, in stream order.
  ///
  /// - Returns: `true` to forward it.
  mutating func admits(_ frame: LayerFrame) -> Bool
}

/// Type-erased filters of an SFU's tracks, by track index.
///
/// Calls are dynamically dispatched per frame, change of target or reset, but never per packet.
package protocol LayerFilters: AnyObject {
  /// Makes a track forward nothing, and sets the mode and codec of its next stream.
  func reset(_ track: Int, mode: ScalabilityMode, codec: VideoCodec)
  func retarget(_ track: Int, to target: DecodeTarget)
  func admits(_ frame: LayerFrame, of track: Int) -> Bool
  func current(of track: Int) -> DecodeTarget
  func needsKeyPicture(of track: Int) -> Bool
}

/// Filters of one type, mutated in place.
private final class LayerFilterTable<Filter: LayerFilter>: LayerFilters {
  private var filters: [Filter]

  init(tracks: Int) {
    let nothing = Filter(mode: ScalabilityMode(spatial: 1, temporal: 1), codec: .vp9)
    filters = Array(repeating: nothing, count: tracks)
  }

  func reset(_ track: Int, mode: ScalabilityMode, codec: VideoCodec) {
    filters[track] = Filter(mode: mode, codec: codec)
  }

  func retarget(_ track: Int, to target: DecodeTarget) { filters[track].target = target }
  func admits(_ frame: LayerFrame, of track: Int) -> Bool { filters[track].admits(frame) }
  func current(of track: Int) -> DecodeTarget { filters[track].current }
  func needsKeyPicture(of track: Int) -> Bool { filters[track].needsKeyPicture }
}

/// Type of an SFU's filters, as a value.
package struct LayerFilterKind: Hashable, Sendable {
  private let type: any LayerFilter.Type

  package init(_ type: any LayerFilter.Type) { self.type = type }

  package static func == (a: Self, b: Self) -> Bool { ObjectIdentifier(a.type) == ObjectIdentifier(b.type) }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }

  /// Creates the filters of a number of tracks, which forward nothing.
  package func filters(tracks: Int) -> any LayerFilters { type.table(tracks: tracks) }
}

extension LayerFilter {
  fileprivate static func table(tracks: Int) -> any LayerFilters { LayerFilterTable<Self>(tracks: tracks) }
}
