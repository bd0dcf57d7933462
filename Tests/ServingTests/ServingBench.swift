import Allocation
import Endpoint
import Ladder
import Network
import Plan
import Quantity
import Serving
import SimulationKernel
import Systems
import TestSupport

/// The SFU of a small meeting, driven by hand: the test plays `p`, which sends the encodings `a`, `b` and `c`, and the
/// viewers `v` and `w`.
struct ServingBench: ~Copyable {
  static let p = 0
  static let v = 1
  static let w = 2
  /// Size of every packet that the test sends [byte].
  static let size: UInt16 = 1000

  var kernel = Kernel()
  var wires: Wires
  var sfu: SFU
  let plan: MeetingPlan
  let streams: StreamNumbering
  /// Time between two columns of a diagram [ms].
  var step: Int64 = 10
  /// Results for the packets given to the forwarder, without empty ones.
  var news: [Forwarder.News] = []
  /// Next frame, sequence number, and position in the group of frames, by encoding.
  private var next = [(frame: UInt32, sequence: UInt32, position: Int)](repeating: (0, 0, 0), count: 3)

  /// - Parameter change: differences from a plain meeting.
  init(_ system: PlainSystem = PlainSystem(), change: (inout MeetingPlan) -> Void = { _ in }) throws {
    var plan = try MeetingPlan.small(system)
    change(&plan)
    self.init(plan)
  }

  private init(_ plan: MeetingPlan) {
    let streams = StreamNumbering(plan)
    self.plan = plan
    self.streams = streams
    let source = Roster.Source(
      participant: Self.p, isScreen: false, isCapturing: true,
      capture: VideoFormat(.p720, framesPerSecond: 30), ladder: Self.layers(of: plan),
      offers: Self.layers(of: plan), sendsLow: true)
    sfu = SFU(
      plan, streams: streams, directory: Directory(members: plan.listings(streams), sources: [source]))
    wires = Wires(plan)
    sfu.forwarder.setActive(true, 0)
    for viewer in [Self.v, Self.w] {
      wires.net.endpoints.observe(Path.down(viewer), capacity: .megabits(10), at: .zero)
    }
  }

  static func layers(of plan: MeetingPlan) -> [Layer] {
    plan.participants[p].camera?.ladder.layers ?? []
  }

  var layers: [Layer] { Self.layers(of: plan) }

  /// Returns a subscription to the source, with all its layers on offer.
  func wish(_ size: Resolution = .p720) -> Subscription {
    Subscription(source: 0, requested: VideoFormat(size, framesPerSecond: 30), offers: layers, ladder: layers)
  }

  /// Current time [ms].
  var time: Int64 { kernel.now.nanoseconds / 1_000_000 }

  /// Advances the time [ms].
  mutating func run(to time: Int64) {
    while let event = wires.next(until: .ms(time), &kernel) {
      guard event.kind == .keyFrameCheck else { continue }
      sfu.forwarder.checkKeyFrame(of: event.index, &wires.net, kernel: &kernel)
    }
  }

  // MARK: Inputs

  /// Delivers packets of `p`: a row for each encoding from the lowest up, a column for each step. `K` is a key frame, a
  /// digit a frame of that temporal layer, in the order 0 2 1 2, and `x` a frame lost on the uplink; each frame is one
  /// packet.
  mutating func arrive(_ rows: String...) {
    let start = time
    for column in 0..<(rows.map(\.count).max() ?? 0) {
      run(to: start + Int64(column) * step)
      for (encoding, row) in rows.enumerated() where column < row.count {
        let letter = Array(row)[column]
        guard letter != "." else { continue }
        if letter == "K" { next[encoding].position = 0 }
        let packet = nextPacket(of: encoding, isKeyFrame: letter == "K")
        precondition(
          letter == "x" || letter == "K"
            || letter.wholeNumberValue == [0, 2, 1, 2][Int(packet.flags) >> 2 & 3])
        if letter != "x" { give(packet) }
      }
    }
    run(to: start + Int64(rows.map(\.count).max() ?? 0) * step)
  }

  private mutating func nextPacket(of encoding: Int, isKeyFrame: Bool) -> Packet {
    let own = next[encoding]
    let header = FrameHeader(
      temporalLayer: [0, 2, 1, 2][own.position], groupPosition: own.position, isKeyFrame: isKeyFrame)
    next[encoding] = (own.frame + 1, own.sequence + 1, (own.position + 1) % 4)
    return Packet(
      sentAt: kernel.now, size: Self.size, stream: UInt16(encoding), sequence: own.sequence,
      kind: PacketKind.video.rawValue, flags: header.flags, frame: own.frame)
  }

  /// Next event until a time, without its effects.
  mutating func nextEvent(until time: SimTime) -> MeetingEvent? { wires.next(until: time, &kernel) }

  /// Delivers a message of a participant to the SFU.
  mutating func learn(_ message: SignallingMessage, from participant: Int, _ net: inout Connections) {
    sfu.learn(message, from: participant, &net, kernel: &kernel)
  }

  /// Delivers a packet to the SFU.
  mutating func give(_ packet: Packet) {
    let own = sfu.forwarder.forward(packet, &wires.net, kernel: &kernel)
    if !own.isEmpty { news.append(own) }
  }

  /// Delivers a forward error correction packet.
  ///
  /// - Returns: the sequence number of the packet that it recovers.
  mutating func protect(_ packet: Packet) -> UInt32? {
    sfu.forwarder.protect(packet, &wires.net, kernel: &kernel).recovered
  }

  /// Sends a probe to a viewer.
  ///
  /// - Returns: the number of bytes sent.
  mutating func sendProbe(of bytes: Int, to viewer: Int) -> Int {
    sfu.forwarder.sendProbe(bytes: bytes, to: viewer, &wires.net, kernel: &kernel)
  }

  /// Delivers a retransmitted packet.
  mutating func giveAgain(_ packet: Packet) {
    _ = sfu.forwarder.forwardLate(packet.repeated, &wires.net, kernel: &kernel)
  }

  /// Delivers a lost base-layer frame of an encoding late, as retransmitted by `p`; frames and packets have the same
  /// numbers.
  mutating func arriveLate(_ number: UInt32, of encoding: Int, temporal: Int) {
    let header = FrameHeader(temporalLayer: temporal, groupPosition: Int(number) % 4, isKeyFrame: false)
    let packet = Packet(
      sentAt: kernel.now, size: Self.size, stream: UInt16(encoding), sequence: number,
      kind: PacketKind.video.rawValue, flags: header.flags, frame: number)
    giveAgain(packet)
  }

  /// Decides on a viewer's layer, and requests the key frame that this needs.
  mutating func decide(_ viewer: Int, _ encoding: Int8, _ temporal: Int8 = 2, stops: Bool = false) {
    let needed = sfu.forwarder.switching.retarget(
      viewer: viewer, source: 0,
      to: encoding < 0 ? .none : CompactLayer(encoding: encoding, temporal: temporal),
      stops: stops, at: kernel.now)
    guard let needed else { return }
    sfu.forwarder.beginRequests(
      of: needed, for: streams.track(viewer: viewer, source: 0), &wires.net, kernel: &kernel)
  }

  /// Delivers a viewer's key frame request.
  mutating func requestKeyFrame(by viewer: Int) {
    sfu.forwarder.requestKeyFrame(
      for: .pictureLossIndication(stream: 0, destination: viewer, at: kernel.now),
      &wires.net, kernel: &kernel)
  }

  /// Delivers a viewer's request for missing packets: the first, and those that follow it without a gap.
  mutating func requestPackets(_ first: UInt32, count: UInt32 = 1, by viewer: Int) {
    var request = Packet.negativeAcknowledgement(
      stream: 0, sequence: first, following: (1 << (count - 1)) - 1, at: kernel.now)
    request.destination = UInt16(viewer)
    sfu.forwarder.retransmit(request, &wires.net, kernel: &kernel)
  }

  /// Repeats the requests for missing packets to `p`, as the meeting does every 20 ms.
  mutating func repair() {
    sfu.forwarder.repair(&wires.net, kernel: &kernel)
  }

  // MARK: Outputs, of what has arrived: 1 ms after it was sent

  /// Draws the packets that a viewer was sent for the first time: the letter of the encoding in each column, `.` for
  /// none.
  func sent(to viewer: Int) -> String {
    var drawing = [Character](repeating: ".", count: Int(time / step))
    for sent in wires.packets(.video, on: Path.down(viewer)) {
      drawing[Int(sent.time / step)] = Array("abc")[Int(sent.packet.stream)]
    }
    return String(drawing)
  }

  /// Returns the sequence numbers of the packets of a kind that a viewer was sent, in the order of sending.
  func sequences(_ kind: PacketKind = .video, to viewer: Int) -> [UInt32] {
    return wires.packets(kind, on: Path.down(viewer)).map(\.packet.sequence)
  }

  /// Returns the key frame requests that `p` was sent, such as `500 a`: the time [ms] and the encoding.
  func requests() -> [String] {
    return wires.packets(.pictureLossIndication, on: Path.down(Self.p)).map {
      "\($0.time) \(Array("abc")[Int($0.packet.stream)])"
    }
  }
}
