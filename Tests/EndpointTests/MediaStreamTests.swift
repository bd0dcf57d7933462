import Endpoint
import Network
import Quantity
import TestSupport
import Testing

/// A TCP connection that carries media, 10 ms each way, driven by hand.
@Suite("Media over TCP")
struct MediaStreamTests {
  private func packet(_ number: UInt32, size: UInt16 = 1228) -> Packet {
    Packet(sentAt: .zero, size: size, sequence: number, destination: 3)
  }

  private func arrived(_ stream: inout MediaStream) -> [UInt32] {
    var numbers: [UInt32] = []
    while let packet = stream.takeArrived() { numbers.append(packet.sequence) }
    return numbers
  }

  /// Writes packets one by one; each is sent at once as far as the window allows.
  private func written(_ numbers: Range<UInt32>, to stream: inout MediaStream, at time: Int64) -> [Packet] {
    var segments: [Packet] = []
    for number in numbers {
      stream.append(packet(number))
      segments += sent(&stream, at: time)
    }
    return segments
  }

  private func sent(_ stream: inout MediaStream, at time: Int64) -> [Packet] {
    var segments: [Packet] = []
    while let segment = stream.next(to: 3, at: .ms(time)) { segments.append(segment) }
    return segments
  }

  /// 1228 bytes of UDP are 1200 of payload, plus 2 of framing and 52 of headers.
  @Test func aPacketIsASegment() {
    var stream = MediaStream(at: .zero)
    defer { stream.deallocate() }
    stream.append(packet(7))
    let segments = sent(&stream, at: 0)
    #expect(segments.map(\.size) == [1254])
    #expect(segments[0].destination == 3)
    #expect(stream.receive(segments[0], at: .ms(10)) == nil)
    #expect(arrived(&stream) == [7])
    // One segment alone is acknowledged after 40 ms.
    #expect(stream.deadline == Deadline(SimTime.ms(50)))
    #expect(stream.delayedAcknowledgement(to: 3, at: .ms(50))?.size == 52)
  }

  /// 1050 bytes of UDP are 1022 of payload and 2 of framing: 256 of them fill 262,144 bytes, and one more is dropped.
  @Test func aFullBufferTakesNoPacket() {
    var stream = MediaStream(at: .zero)
    defer { stream.deallocate() }
    for number in 0..<UInt32(255) { stream.append(packet(number, size: 1050)) }
    #expect(stream.hasRoom)
    stream.append(packet(255, size: 1050))
    #expect(!stream.hasRoom)
  }

  /// Three selective acknowledgements reveal the loss at 20 ms; its retransmission arrives at 30 ms, and the four
  /// behind it are delivered with it.
  @Test func whatIsBehindALostSegmentWaitsForIt() throws {
    var stream = MediaStream(at: .zero)
    defer { stream.deallocate() }
    let segments = written(0..<5, to: &stream, at: 0)
    #expect(segments.map(\.sequence) == [0, 1, 2, 3, 4])
    let answers = segments.dropFirst().compactMap { stream.receive($0, at: .ms(10)) }
    try #require(answers.count == 4)
    #expect(arrived(&stream) == [])
    for answer in answers.prefix(2) { stream.acknowledge(answer, at: .ms(20)) }
    #expect(sent(&stream, at: 20).isEmpty)
    stream.acknowledge(answers[2], at: .ms(20))
    let again = sent(&stream, at: 20)
    #expect(again.map(\.sequence) == [0])
    _ = stream.receive(again[0], at: .ms(30))
    #expect(arrived(&stream) == [0, 1, 2, 3, 4])
  }

  /// The first acknowledgement arrives after 10 + 40 + 10 ms, so the timeout is 60 + 200 ms: a packet sent at 100 ms
  /// and lost alone is retransmitted at 360 ms.
  @Test func aLastSegmentWaitsForTheTimeout() throws {
    var stream = MediaStream(at: .zero)
    defer { stream.deallocate() }
    stream.append(packet(0))
    _ = stream.receive(sent(&stream, at: 0)[0], at: .ms(10))
    let delayed = stream.delayedAcknowledgement(to: 3, at: .ms(50))
    let answer = try #require(delayed)
    stream.acknowledge(answer, at: .ms(60))
    #expect(arrived(&stream) == [0])
    stream.append(packet(1))
    #expect(sent(&stream, at: 100).count == 1)
    #expect(stream.deadline == Deadline(SimTime.ms(360)))
    stream.timeOut(at: .ms(359))
    #expect(sent(&stream, at: 359).isEmpty)
    stream.timeOut(at: .ms(360))
    let again = sent(&stream, at: 360)
    #expect(again.map(\.sequence) == [1])
    _ = stream.receive(again[0], at: .ms(370))
    #expect(arrived(&stream) == [1])
  }

  /// Ten segments go out at once; the 3 x 1202 bytes that wait behind them fill segments of 1448: a packet is delivered
  /// with its last byte.
  @Test func whatTheWindowHoldsBackFillsSegments() throws {
    var stream = MediaStream(at: .zero)
    defer { stream.deallocate() }
    let first = written(0..<10, to: &stream, at: 0)
    #expect(first.map(\.size) == Array(repeating: 1254, count: 10))
    let waiting = written(10..<13, to: &stream, at: 0)
    #expect(waiting.isEmpty)
    let answers = first.compactMap { stream.receive($0, at: .ms(10)) }
    #expect(answers.count == 5)
    #expect(arrived(&stream).count == 10)
    for answer in answers { stream.acknowledge(answer, at: .ms(20)) }
    let rest = sent(&stream, at: 20)
    #expect(rest.map(\.size) == [1500, 1500, 762])
    _ = stream.receive(rest[0], at: .ms(30))
    #expect(arrived(&stream) == [10])
    _ = stream.receive(rest[1], at: .ms(30))
    #expect(arrived(&stream) == [11])
    _ = stream.receive(rest[2], at: .ms(30))
    #expect(arrived(&stream) == [12])
  }

  /// 218 x 1202 bytes fit in 262,144, 219 do not; packets that do not fit are dropped, and acknowledgements free space.
  @Test func aFullBufferDropsPackets() throws {
    var stream = MediaStream(at: .zero)
    defer { stream.deallocate() }
    for number in 0..<218 { stream.append(packet(UInt32(number))) }
    #expect(stream.hasRoom)
    stream.append(packet(218))
    #expect(!stream.hasRoom)
    stream.append(packet(219))
    let segments = sent(&stream, at: 0)
    let (one, two) = (stream.receive(segments[0], at: .ms(10)), stream.receive(segments[1], at: .ms(10)))
    let answer = try #require(one ?? two)
    stream.acknowledge(answer, at: .ms(20))
    #expect(stream.hasRoom)
    stream.append(packet(220))
    var numbers = arrived(&stream)
    var window = Array(segments.dropFirst(2)) + sent(&stream, at: 20)
    var time: Int64 = 20
    while !window.isEmpty {
      time += 20
      let answers = window.compactMap { stream.receive($0, at: .ms(time - 10)) }
      numbers += arrived(&stream)
      for answer in answers { stream.acknowledge(answer, at: .ms(time)) }
      window = sent(&stream, at: time)
    }
    if let last = stream.delayedAcknowledgement(to: 3, at: .ms(time + 40)) {
      stream.acknowledge(last, at: .ms(time + 60))
    }
    #expect(numbers == Array(0...218) + [220])
  }
}
