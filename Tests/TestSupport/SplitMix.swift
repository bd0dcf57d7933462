/// Reproducible numbers for random states and instances: SplitMix64 (Steele, Lea, Flood 2014).
package struct SplitMix {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  package mutating func below<Number: FixedWidthInteger>(_ bound: Number) -> Number {
    Number(next() % UInt64(bound))
  }

  package mutating func within<Number: FixedWidthInteger>(_ range: ClosedRange<Number>) -> Number {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  package mutating func isOne(in count: Int) -> Bool { below(count) == 0 }

  /// Returns the next number from 0 to 1.
  package mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}
