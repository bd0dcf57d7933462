import Serving
import Testing

@Suite("Viewers of an encoding")
struct EncodingViewersTests {
  private func list(_ viewers: borrowing EncodingViewers, of encoding: Int) -> [UInt16] {
    (0..<viewers.count(of: encoding)).map { viewers[$0, of: encoding] }
  }

  @Test func theOthersKeepTheirOrderWhenOneLeaves() {
    var viewers = EncodingViewers(encodings: 2, participants: 4)
    for viewer in [3, 0, 2, 1] { viewers.start(1, to: viewer) }
    viewers.start(0, to: 1)
    viewers.stop(1, to: 0)
    #expect(list(viewers, of: 1) == [3, 2, 1])
    // Somebody who is not there changes nothing.
    viewers.stop(1, to: 0)
    #expect(list(viewers, of: 1) == [3, 2, 1])
    viewers.start(1, to: 0)
    viewers.stop(1, to: 3)
    #expect(list(viewers, of: 1) == [2, 1, 0])
    #expect(list(viewers, of: 0) == [1])
  }
}
