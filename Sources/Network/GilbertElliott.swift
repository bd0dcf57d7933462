package import Quantity
import Statistics

/// Loss in bursts: a path is good or bad, and changes with every packet.
///
/// Gilbert and Elliott's chain as netem has it (`loss gemodel p r 1-h 1-k`, tc-netem(8)).
package struct GilbertElliott: Hashable, Sendable, BitwiseCopyable {
  /// From good to bad, from packet to packet.
  package var toBad: Fraction
  /// From bad to good.
  package var toGood: Fraction
  /// Loss while the path is bad (netem's 1-h) and while it is good (1-k).
  package var lossWhenBad: Fraction
  package var lossWhenGood: Fraction

  package init(toBad: Fraction, toGood: Fraction, lossWhenBad: Fraction, lossWhenGood: Fraction = .zero) {
    self.toBad = toBad
    self.toGood = toGood
    self.lossWhenBad = lossWhenBad
    self.lossWhenGood = lossWhenGood
  }

  /// The simple model with a mean share of lost packets and a mean number of packets lost in a row: r = 1 / burst,
  /// p = r x mean / (1 - mean).
  ///
  /// `nil` when there is none: a mean of 100 % or a burst below one packet.
  package init?(mean: Fraction, burst: Double) {
    guard mean.value < 1, burst >= 1, burst.isFinite else { return nil }
    let toGood = 1 / burst
    guard let p = Fraction(toGood * mean.value / (1 - mean.value)), let r = Fraction(toGood),
      let all = Fraction(1)
    else { return nil }
    self.init(toBad: p, toGood: r, lossWhenBad: all)
  }
}

/// A Gilbert–Elliott chain on its way.
struct LossChain: BitwiseCopyable {
  private let model: GilbertElliott
  private var isBad = false

  init(_ model: GilbertElliott) { self.model = model }

  /// Whether the next packet is lost, by the state that it finds: one draw for the state after it, one for the loss.
  mutating func loses(_ draws: inout RandomStream) -> Bool {
    let (change, loss) = isBad ? (model.toGood, model.lossWhenBad) : (model.toBad, model.lossWhenGood)
    if draws.uniform() < change.value { isBad.toggle() }
    return draws.uniform() < loss.value
  }
}
