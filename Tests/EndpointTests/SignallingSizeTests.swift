import Endpoint
import Testing

/// Message sizes, where messages share the links.
@Suite("Message sizes")
struct SignallingSizeTests {
  /// An announcement has the size that the system states; other messages have one of their kind.
  @Test func announcementsHaveStatedSizes() {
    #expect(SignallingMessage.announcement(0, bytes: 201).wireBytes == 201)
    #expect(SignallingMessage.trackRequest.wireBytes == 200)
  }
}
