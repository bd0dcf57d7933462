import CrossTraffic
import Quantity
import Testing

@Suite("TCP receiver")
struct TCPReceiverTests {
  private func segment(_ number: Int64, at milliseconds: Int64 = 0) -> TCPSegment {
    TCPSegment(number: number, size: 1500, sentAt: .zero + .milliseconds(milliseconds))
  }

  @Test func everySecondSegmentIsAnswered() {
    var receiver = TCPReceiver()
    #expect(receiver.receive(segment(0, at: 1), at: seconds(0.1)) == nil)
    #expect(receiver.deadline == Deadline(seconds(0.14)))
    // The echo is that of the older segment.
    let ack = receiver.receive(segment(1, at: 2), at: seconds(0.11))
    #expect(ack == TCPAcknowledgement(next: 2, echo: seconds(0.001)))
    #expect(receiver.deadline == .never && receiver.received == ByteCount(2896))
  }

  @Test func aLoneSegmentIsAnsweredAfterTheDelay() {
    var receiver = TCPReceiver()
    _ = receiver.receive(segment(0, at: 1), at: seconds(0.1))
    #expect(receiver.timeout(at: seconds(0.139)) == nil)
    #expect(receiver.timeout(at: seconds(0.14)) == TCPAcknowledgement(next: 1, echo: seconds(0.001)))
    #expect(receiver.deadline == .never)
  }

  @Test func gapsAreToldAtOnceNewestBlockFirst() throws {
    var receiver = TCPReceiver()
    var blocks: [[Int64]] = []
    for number: Int64 in [1, 2, 5, 9, 12, 6, 11] {
      let answer = receiver.receive(segment(number), at: .zero)
      let ack = try #require(answer)
      #expect(ack.next == 0)
      var bounds: [Int64] = []
      for block in [ack.first, ack.second, ack.third] where !block.isEmpty {
        bounds += [block.lower, block.upper]
      }
      blocks.append(bounds)
    }
    #expect(
      blocks == [
        [1, 2], [1, 3], [5, 6, 1, 3], [9, 10, 5, 6, 1, 3], [12, 13, 9, 10, 5, 6], [5, 7, 12, 13, 9, 10],
        [11, 13, 5, 7, 9, 10],
      ])
    // Filling the gap is acknowledged at once and moves past the held segments.
    let answer = receiver.receive(segment(0), at: .zero)
    let filled = try #require(answer)
    #expect(filled.next == 3 && filled.first == SegmentRange(lower: 11, upper: 13))
    for number: Int64 in [3, 4, 7, 8, 10] { _ = receiver.receive(segment(number), at: .zero) }
    #expect(receiver.next == 13 && receiver.received == ByteCount(13 * 1448))
  }

  @Test func whatCameTwiceCountsOnceAndIsAnswered() {
    var receiver = TCPReceiver()
    _ = receiver.receive(segment(0), at: .zero)
    _ = receiver.receive(segment(1), at: .zero)
    let again = receiver.receive(segment(0), at: .zero)
    #expect(again?.next == 2)
    #expect(receiver.received == ByteCount(2896))
  }

  @Test func blocksCostRoom() {
    var ack = TCPAcknowledgement(next: 0, echo: .zero)
    var sizes = [ack.size]
    ack.first = SegmentRange(lower: 1, upper: 2)
    sizes.append(ack.size)
    ack.second = SegmentRange(lower: 4, upper: 5)
    ack.third = SegmentRange(lower: 7, upper: 8)
    sizes.append(ack.size)
    #expect(sizes == [52, 64, 80])
  }
}
