package import Quantity

/// Strength of a stream's forward error correction in addition to retransmission, as in libwebrtc's hybrid method
/// (`modules/video_coding/media_opt_util.cc`, VCMNackFecMethod; `fec_controller_default.cc`).
package struct LossProtection: BitwiseCopyable {
  /// Known state of the path and the stream.
  package struct Circumstances: BitwiseCopyable {
    /// Loss in the last report [1/255].
    package var loss: UInt8
    package var roundTrip: SimDuration
    /// Rate of the stream, protection included.
    package var rate: BitRate
    package var framesPerSecond: Double
    package var pixels: Int

    package init(
      loss: UInt8, roundTrip: SimDuration, rate: BitRate, framesPerSecond: Double, pixels: Int
    ) {
      self.loss = loss
      self.roundTrip = roundTrip
      self.rate = rate
      self.framesPerSecond = framesPerSecond
      self.pixels = pixels
    }
  }

  /// Round trip below which retransmission alone is in time (kLowRttNackMs).
  private static let leastRoundTrip = SimDuration.milliseconds(20)
  /// Round trip from which a low rate does not turn protection off (kMaxRttTurnOffFec).
  private static let longRoundTrip = SimDuration.milliseconds(200)
  /// Number of seconds over which the maximum loss is taken (kLossPrHistorySize).
  private static let memory = 10
  /// Minimum protection of a frame of more than one packet: a fifth.
  private static let firstPartition = 51
  /// Maximum protection: half of all packets.
  private static let most = 128
  /// kUpperLimitFramesFec.
  private static let mostFrames = 6
  private static let referencePixels = 704.0 * 576
  private static let payload = 1460.0

  private var losses = InlineArray<11, UInt8>(repeating: 0)
  private var second: Int64 = 0
  /// Protection packets per 255 media packets, for delta frames and for key frames.
  package private(set) var deltaFactor = 0
  package private(set) var keyFactor = 0
  /// Maximum number of frames that are protected together.
  package private(set) var frames = 1

  package init() {}

  package mutating func update(_ now: Circumstances, at time: SimTime) {
    let loss = Int(greatestLoss(now.loss, at: time))
    let rate = max(now.framesPerSecond, 1)
    let kilobits = Int(Double(now.rate.bitsPerSecond) / 1000 / rate)
    frames = min(max(Int(2 * rate * now.roundTrip.seconds + 0.5), 1), Self.mostFrames)
    deltaFactor = 0
    keyFactor = 0
    guard loss > 0, !isTooLow(kilobits, now) else { return }
    var delta = ProtectionTable.factor(loss: min(loss, Self.most), kilobits: effective(kilobits, now.pixels))
    let packets = Int(1.5 + Double(kilobits) * 1000 / (8 * Self.payload))
    if packets > 1 { delta = max(delta, Self.firstPartition) }
    delta = min(delta, Self.most)
    let boosted = ProtectionTable.factor(
      loss: min(loss, Self.most), kilobits: 2 * effective(kilobits, now.pixels) + 5)
    let key = min(max(loss, 2 * delta, boosted), Self.most)
    keyFactor = Self.perMedia(key)
    deltaFactor = now.roundTrip < Self.leastRoundTrip ? 0 : Self.perMedia(delta)
  }

  /// Returns the maximum loss of the last ten seconds.
  private mutating func greatestLoss(_ loss: UInt8, at time: SimTime) -> UInt8 {
    let now = time.nanoseconds / 1_000_000_000
    let count = Int64(Self.memory + 1)
    while second < now {
      second = max(second + 1, now - count + 1)
      losses[Int(second % count)] = 0
    }
    let place = Int(now % count)
    losses[place] = max(losses[place], loss)
    var greatest: UInt8 = 0
    for place in 0..<Self.memory + 1 { greatest = max(greatest, losses[place]) }
    return greatest
  }

  /// Scales a rate by the picture's size: larger ones need less protection for the same rate.
  private func effective(_ kilobits: Int, _ pixels: Int) -> Int {
    Int(Double(kilobits) * Self.power(Double(max(pixels, 1)) / Self.referencePixels))
  }

  /// Approximates x^-0.3 to a thousandth by the square roots that make up 77/256, identically on every processor.
  static func power(_ value: Double) -> Double {
    var root = value
    var result = 1.0
    // 0.30078 is 77/256, in binary 0.01001101.
    for place in 1...8 {
      root = root.squareRoot()
      if 77 >> (8 - place) & 1 == 1 { result *= root }
    }
    return 1 / result
  }

  /// Checks whether frames are too small to protect, since one more packet would double them; never on long round
  /// trips.
  private func isTooLow(_ kilobits: Int, _ now: Circumstances) -> Bool {
    let least = now.pixels <= 352 * 288 ? 400 : now.pixels > 640 * 480 ? 1000 : 700
    return kilobits * 125 < least && now.roundTrip < Self.longRoundTrip
  }

  /// Converts a share of all packets to one of the media packets [1/255].
  private static func perMedia(_ factor: Int) -> Int {
    min(255, Int(0.5 + 255 * Double(factor) / Double(255 - factor)))
  }
}

/// Media packets from which the next protection packets are generated (`ulpfec_generator.cc`).
package struct ProtectedGroup: BitwiseCopyable {
  /// Maximum number of packets of a group that a mask can cover (kUlpfecMaxMediaPackets).
  private static let mostPackets = 48
  /// Excess of protection over the factor from which further frames are gathered [1/256] (kMaxExcessOverhead).
  private static let mostExcess = 50
  /// Protection above which at least four packets are gathered.
  private static let highFactor = 80
  private static let leastPackets = 4

  /// Packets gathered since the last group.
  package private(set) var packets = 0
  private var frames = 0
  /// Size of the largest packet gathered [byte].
  package private(set) var largest: UInt16 = 0

  package init() {}

  /// Adds a complete frame.
  ///
  /// - Returns: the number of protection packets to send now, over ``packets``; then call ``reset()``. 0 while more
  ///   frames are to be gathered.
  package mutating func add(packets count: Int, largest size: UInt16, factor: Int, frames mostFrames: Int)
    -> Int
  {
    packets += count
    frames += 1
    largest = max(largest, size)
    guard factor > 0 else {
      reset()
      return 0
    }
    let protecting = Self.count(of: packets, factor: factor)
    let excess = (protecting << 8) / packets - factor
    let least = factor > Self.highFactor ? Self.leastPackets : 1
    let isFull = packets >= (packets < 2 * frames ? least : least + 1)
    return frames >= mostFrames || excess < Self.mostExcess && isFull ? protecting : 0
  }

  package mutating func reset() { self = ProtectedGroup() }

  private static func count(of packets: Int, factor: Int) -> Int {
    max(1, (min(packets, mostPackets) * factor + 128) >> 8)
  }
}
