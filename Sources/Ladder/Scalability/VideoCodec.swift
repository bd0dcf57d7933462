/// Video codec, by its lowercase SDP name.
package enum VideoCodec: String, CaseIterable, Hashable, Sendable, BitwiseCopyable {
  case vp8, vp9, av1, h264

  /// `true` if one stream of the codec can carry several spatial layers.
  package var hasSpatialLayers: Bool { self == .vp9 || self == .av1 }
}
