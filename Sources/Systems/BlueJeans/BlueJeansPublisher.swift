/// A BlueJeans publisher: the server may have it pause any encoding but the lowest (`stream_pause_states` of the web SDK).
struct BlueJeansPublisher: Publisher {
  func alwaysSent(of encodings: Int) -> UInt32 { 1 }
}
