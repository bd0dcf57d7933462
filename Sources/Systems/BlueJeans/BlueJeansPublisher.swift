/// BlueJeans' sender: the server has it stop encodings that nobody needs, but the lowest never (web SDK,
/// `stream_pause_states`, which names the encodings of simulcast; a source's only one has no name).
///
/// Our model: it goes on where nobody watches the source any more. Beside higher encodings that are watched it would take of a
/// narrow uplink what these need.
struct BlueJeansPublisher: Publisher {
  func wantedUnwatched(of encodings: Int) -> UInt32 { encodings > 1 ? 1 : 0 }
}
