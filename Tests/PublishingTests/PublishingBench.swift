import Endpoint
import Ladder
import Network
import Plan
import Publishing
import Quantity
import SimulationKernel
import Systems
import TestSupport

/// The publishers of a small meeting, driven by hand: the test plays the SFU towards `p`, whose camera has the
/// encodings `a`, `b` and `c`, and triggers the captures at times of its choice.
struct PublishingBench: ~Copyable {
  static let p = 0
  /// Encodings of `p`, one bit each.
  static let a: UInt32 = 0b001
  static let b: UInt32 = 0b010
  static let c: UInt32 = 0b100

  var kernel = Kernel()
  var wires: Wires
  var publishers: Publishers
  /// Time between two columns of a diagram [ms].
  var step: Int64 = 100
  /// Times at which the camera would capture on its own [ns].
  var captures: [Int64] = []
  /// Indicates that the camera captures on its own.
  var capturesByItself = false

  /// - Parameter change: differences from a plain meeting.
  init(
    _ system: PlainSystem = PlainSystem(), camera: String = "720p30",
    change: (inout MeetingPlan) -> Void = { _ in }
  ) throws {
    var plan = try MeetingPlan.small(system, camera: camera)
    change(&plan)
    self.init(plan)
  }

  private init(_ plan: MeetingPlan) {
    wires = Wires(plan)
    publishers = Publishers(
      plan, streams: StreamNumbering(plan), seed: RunSeed(seed: 1, repetition: 0), &wires.net.sizes)
    setCapacity(.megabits(100))
    publishers.join(Self.p, at: .zero)
    refreshCapture()
  }

  /// Current time [ms].
  var time: Int64 { kernel.now.nanoseconds / 1_000_000 }

  /// Advances the time [ms].
  mutating func run(to time: Int64) {
    while let event = wires.next(until: .ms(time), &kernel) {
      switch event.kind {
      case .capture:
        captures.append(kernel.now.nanoseconds)
        guard capturesByItself else { continue }
        publishers.capture(source: 0, &wires.net, kernel: &kernel)
      default: break
      }
    }
  }

  /// Starts or stops the capture of a source according to its participant's state.
  mutating func refreshCapture(_ source: Int = 0) {
    publishers.refreshCapture(source, wires.net, kernel: &kernel)
  }

  mutating func beginChange(sourceOf participant: Int, to kind: VideoSourcePlan.Kind) -> CallResult {
    publishers.beginChange(sourceOf: participant, to: kind, kernel: &kernel)
  }

  /// Completes a change of source.
  ///
  /// - Returns: the new kind of source; `nil` if none is due.
  mutating func completeChange(at time: SimTime) -> VideoSourcePlan.Kind? {
    publishers.completeChange(of: 0, &wires.net.sizes, at: time)
  }

  mutating func set(_ change: SendChange) {
    _ = publishers.set(change, by: Self.p, &wires.net, kernel: &kernel)
  }

  /// Starts the encoders anew.
  mutating func restart() { publishers.restart(0, &wires.net.sizes) }

  /// Makes the SFU request a packet of the lowest encoding and the next one.
  mutating func retransmit(_ sequence: UInt32) {
    publishers.retransmit(
      .negativeAcknowledgement(stream: 0, sequence: sequence, following: 0b1, at: kernel.now),
      &wires.net, kernel: &kernel)
  }

  /// Captures frames, one in each step.
  mutating func capture(_ frames: Int) {
    for _ in 0..<frames {
      publishers.encode(0, &wires.net, kernel: &kernel)
      run(to: time + step)
    }
  }

  /// Delivers the SFU's demand.
  mutating func demand(_ encodings: UInt32, settled: UInt32 = 0) {
    let demand = EncodingDemand(
      forwarded: EncodingSet(rawValue: encodings), settled: EncodingSet(rawValue: settled))
    _ = publishers.setDemand(demand, of: 0)
  }

  mutating func requestKeyFrame(of encoding: Int) {
    publishers.answerKeyFrameRequest(for: encoding, at: kernel.now)
  }

  /// Sets the capacity that the uplink's estimator knows.
  mutating func setCapacity(_ rate: BitRate) {
    wires.net.endpoints.observe(Path.up(Self.p), capacity: rate, at: kernel.now)
  }

  /// Fits the encodings to the uplink.
  ///
  /// - Returns: the shares of their rates at which they run, in percent; `-` for an encoding that the uplink does not
  /// carry.
  mutating func fit() -> String {
    _ = publishers.fitUplink(of: Self.p, &wires.net, at: kernel.now)
    var shares: [String] = []
    for number in 0..<publishers.encoders.count {
      let scale = publishers.encoders[number].scale
      shares.append(scale > 0 ? "\(Int((scale * 100).rounded()))" : "-")
    }
    return shares.joined(separator: " ")
  }

  // MARK: Outputs, of what has arrived: 1 ms after it was sent

  /// Draws the frames of an encoding: `K` for a key frame, otherwise the temporal layer, `.` for none in a step.
  func frames(of encoding: Int) -> String {
    var drawing = [Character](repeating: ".", count: Int(time / step))
    for sent in wires.packets(.video, on: Path.up(Self.p))
    where Int(sent.packet.stream) == encoding && sent.packet.index == 0 {
      let header = FrameHeader(flags: sent.packet.flags)
      drawing[Int(sent.time / step)] = header.isKeyFrame ? "K" : Character("\(header.temporalLayer)")
    }
    return String(drawing)
  }

  /// Frames of all encodings, `a` first.
  var frames: [String] { [frames(of: 0), frames(of: 1), frames(of: 2)] }
}
