import Systems

/// BlueJeans' sender: the server pauses encodings that nobody needs, except the lowest (web SDK, `stream_pause_states`,
/// which names the encodings of simulcast; a source's only one has no name).
///
/// Our model: the lowest continues even without viewers of the source. Beside higher encodings that are watched, it
/// would take bandwidth of a narrow uplink from them.
struct BlueJeansPublisher: Publisher {
  func wantedUnwatched(of encodings: Int) -> UInt32 { encodings > 1 ? 1 : 0 }
}
