/// A reproducible stream of random numbers with a name of its own.
///
/// The draws depend on the seed, the repetition and the name (component and purpose, such as
/// `encoder/teacher/camera/720p`) and on nothing else: a participant that is added shifts nobody's draws.
///
/// The generator is xoshiro256** (Blackman, Vigna, "Scrambled linear pseudorandom number generators", 2021), its
/// state filled by splitmix64 from an FNV-1a hash of the name. Variates are made by inverse transform, one draw
/// each, so that two runs that differ in a parameter stay in step (common random numbers).
@frozen
package struct RandomStream: BitwiseCopyable, Sendable {
  @usableFromInline var s0: UInt64
  @usableFromInline var s1: UInt64
  @usableFromInline var s2: UInt64
  @usableFromInline var s3: UInt64

  /// Makes the stream of a name.
  package init(seed: UInt64, repetition: Int = 0, name: String) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    var mix = SplitMix(state: seed)
    var state = mix.next() ^ hash
    mix = SplitMix(state: state &+ UInt64(bitPattern: Int64(repetition)) &* 0x9e37_79b9_7f4a_7c15)
    state = mix.next()
    s0 = state
    s1 = mix.next()
    s2 = mix.next()
    s3 = mix.next()
  }

  /// Makes a stream from its seed alone, filled as the reference implementations of xoshiro do.
  package init(splitMixSeed seed: UInt64) {
    var mix = SplitMix(state: seed)
    s0 = mix.next()
    s1 = mix.next()
    s2 = mix.next()
    s3 = mix.next()
  }

  /// The next 64 random bits.
  @inlinable @inline(__always)
  package mutating func next() -> UInt64 {
    let product = s1 &* 5
    let result = (product << 7 | product >> 57) &* 9
    let t = s1 << 17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = s3 << 45 | s3 >> 19
    return result
  }

  /// A number in 0 ..< 1 with 53 random bits.
  @inlinable @inline(__always)
  package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number strictly between 0 and 1.
  @inlinable @inline(__always)
  package mutating func uniformOpen() -> Double { (Double(next() >> 12) + 0.5) * 0x1p-52 }

  /// Whether an event of this probability happens; `nil` is certainty (`Fraction.threshold`).
  @inlinable @inline(__always)
  package mutating func happens(threshold: UInt64?) -> Bool {
    guard let threshold else { return true }
    return next() < threshold
  }

  /// A whole number in 0 ..< bound, without bias (Lemire 2019).
  ///
  /// - Precondition: `bound > 0`.
  package mutating func index(below bound: Int) -> Int {
    precondition(bound > 0, "index(below: \(bound)) needs a bound above zero")
    let limit = UInt64(bound)
    while true {
      let product = next().multipliedFullWidth(by: limit)
      if product.low >= limit || product.low >= (0 &- limit) % limit { return Int(product.high) }
    }
  }

  /// The numbers 0 ..< count in random order (Fisher, Yates).
  package mutating func permutation(of count: Int) -> [Int] {
    var order = Array(0..<count)
    var last = count - 1
    while last > 0 {
      order.swapAt(last, index(below: last + 1))
      last -= 1
    }
    return order
  }
}

/// Steele, Lea, Flood 2014: turns one seed into many.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}
