import Endpoint
import Testing

/// Message sizes, where messages share the links.
@Suite("Message sizes")
struct SignallingSizeTests {
  /// `{"notification":true,"method":"consumerScore","data":{"consumerId":"…","score":{"score":10,"producerScore":10,
  /// "producerScores":[10,10,10]}}}` with an id of 36 characters, 4 B of WebSocket and 22 of TLS.
  @Test func aSourcesChangeIsAScoreOfMediasoupDemo() {
    let id = String(repeating: "0", count: 36)
    let score = #"{"score":10,"producerScore":10,"producerScores":[10,10,10]}"#
    let text =
      #"{"notification":true,"method":"consumerScore","data":{"consumerId":"\#(id)","score":\#(score)}}"#
    #expect(SignallingMessage.announcement(0, ofSource: true).wireBytes == text.utf8.count + 4 + 22)
    #expect(SignallingMessage.announcement(0, ofSource: false).wireBytes == 400)
  }
}
