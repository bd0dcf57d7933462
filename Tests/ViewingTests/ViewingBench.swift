import Endpoint
import Ladder
import Media
import Network
import Plan
import Quantity
import SimulationKernel
import Systems
import TestSupport
import Viewing

/// The viewers of a small meeting, driven by hand: the test plays the SFU towards `v`, who watches the encodings `a`,
/// `b` and `c` of `p`. Receivers check for missing packets at every multiple of 20 ms, before packets that arrive then.
struct ViewingBench: ~Copyable {
  static let p = 0
  static let v = 1
  /// Size of every packet that the test sends [byte].
  static let size: UInt16 = 1000

  var kernel = Kernel()
  var wires: Wires
  var viewers: Viewers
  let streams: StreamNumbering
  /// Track of the source at `v`.
  let track: Int
  /// Time between two columns of a diagram [ms].
  var step: Int64 = 10
  /// Times at which a client's request was due [ms].
  var requests: [Int64] = []
  /// Next sequence number towards v.
  var sequence: UInt32 = 0
  /// Next frame, and position in the group of frames, by encoding.
  private var next = [(frame: UInt32, position: Int)](repeating: (0, 0), count: 3)

  init(_ system: PlainSystem = PlainSystem()) throws {
    self.init(try MeetingPlan.small(system))
  }

  private init(_ plan: MeetingPlan) {
    let streams = StreamNumbering(plan)
    self.streams = streams
    track = streams.track(viewer: Self.v, source: 0)
    let layers = plan.participants[Self.p].camera?.ladder.layers ?? []
    let source = Roster.Source(
      participant: Self.p, isScreen: false, isCapturing: true,
      capture: VideoFormat(.p720, framesPerSecond: 30), ladder: layers, offers: layers, sendsLow: true)
    viewers = Viewers(
      plan, streams: streams,
      directory: Directory(members: plan.listings(streams), sources: [source]),
      seed: RunSeed(seed: 1, repetition: 0))
    wires = Wires(plan)
    // The sizes of `a`, `b` and `c` have the numbers of the encodings.
    for size in [Resolution.p180, .p360, .p720] { _ = wires.net.sizes.number(of: size) }
    viewers.join(Self.v, connection: 0)
    kernel.schedule(after: RepairTiming.period, tag: MeetingEvent(.repair).tag)
  }

  mutating func markDirty(_ viewer: Int) { viewers.markDirty(viewer, kernel: &kernel) }

  mutating func debounceRequest(_ viewer: Int, by time: SimDuration) {
    viewers.debounceRequest(viewer, by: time, kernel: &kernel)
  }

  /// Next event until a time, without its effects.
  mutating func nextEvent(until time: SimTime) -> MeetingEvent? { wires.next(until: time, &kernel) }

  /// Current time [ms].
  var time: Int64 { kernel.now.nanoseconds / 1_000_000 }

  /// Advances the time [ms].
  mutating func run(to time: Int64) {
    while let event = wires.next(until: .ms(time), &kernel) {
      switch event.kind {
      case .repair:
        kernel.schedule(after: RepairTiming.period, tag: MeetingEvent(.repair).tag)
        viewers.receptions.repair(&wires.net, kernel: &kernel)
      case .request:
        requests.append(self.time)
        viewers.states[event.participant].pendingRequest = nil
      default: break
      }
    }
  }

  /// Tells v whether the SFU forwards the source.
  mutating func expect(_ isGiven: Bool) {
    viewers.receptions.expect(isGiven, source: 0, by: Self.v, at: kernel.now)
  }

  /// Delivers packets of an encoding, one in each step. `K` is a key frame, a digit a frame of that temporal layer, in
  /// the order 0 2 1 2, `x` a frame lost on the downlink and `.` none; each frame is one packet.
  ///
  /// - Returns: a drawing of the number of frames that are decoded in each step.
  mutating func arrive(_ row: String, of encoding: Int = 0) -> String {
    let start = time
    var decoded = ""
    for (column, letter) in row.enumerated() {
      run(to: start + Int64(column) * step)
      let before = framesDecoded
      if letter != "." {
        if letter == "K" { next[encoding].position = 0 }
        let packet = nextPacket(of: encoding, isKeyFrame: letter == "K")
        precondition("xK".contains(letter) || letter.wholeNumberValue == Int(packet.flags & 3))
        if letter != "x" { give(packet) }
      }
      decoded += "\(framesDecoded - before)"
    }
    run(to: start + Int64(row.count) * step)
    return decoded
  }

  private mutating func nextPacket(of encoding: Int, isKeyFrame: Bool) -> Packet {
    let own = next[encoding]
    let header = FrameHeader(
      temporalLayer: [0, 2, 1, 2][own.position], groupPosition: own.position, isKeyFrame: isKeyFrame)
    next[encoding] = (own.frame + 1, (own.position + 1) % 4)
    defer { sequence += 1 }
    return Packet(
      sentAt: kernel.now, size: Self.size, stream: UInt16(encoding), sequence: sequence,
      destination: UInt16(Self.v), kind: PacketKind.video.rawValue, flags: header.flags, frame: own.frame,
      format: UInt16(encoding))
  }

  /// Delivers a frame of `a` again, or late; frames and packets have the same numbers.
  ///
  /// - Returns: the number of frames decoded as a result.
  mutating func arriveLate(_ number: UInt32) -> Int {
    let position = Int(number) % 4
    let header = FrameHeader(
      temporalLayer: [0, 2, 1, 2][position], groupPosition: position, isKeyFrame: number == 0)
    let before = framesDecoded
    give(
      Packet(
        sentAt: kernel.now, size: Self.size, stream: 0, sequence: number, destination: UInt16(Self.v),
        kind: PacketKind.video.rawValue, flags: header.flags, frame: number
      ).repeated)
    return framesDecoded - before
  }

  private mutating func give(_ packet: Packet) {
    viewers.receptions.receive(packet, &wires.net, kernel: &kernel)
  }

  private var framesDecoded: Int { Int(viewers.receptions[track].status.framesDecoded) }

  // MARK: Outputs, of what has arrived: 1 ms after it was sent

  /// Returns the requests for missing packets that reached the SFU, such as `30: 2 3`: the time [ms] and the numbers.
  func missing() -> [String] {
    wires.packets(.negativeAcknowledgement, on: Path.up(Self.v)).map { sent in
      "\(sent.time): " + sent.packet.acknowledgedSequences.map(String.init).joined(separator: " ")
    }
  }

  /// Returns the times at which v has requested a key frame [ms].
  func keyFrameRequests() -> [Int64] { wires.times(.pictureLossIndication, on: Path.up(Self.v)) }
}
