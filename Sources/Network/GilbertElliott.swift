package import Quantity
import Statistics

/// Burst loss by a two-state Markov chain that advances with every packet.
///
/// The Gilbert–Elliott model as in netem (`loss gemodel p r 1-h 1-k`, tc-netem(8)).
package struct GilbertElliott: Hashable, Sendable, BitwiseCopyable {
  /// Transition probability per packet from good to bad (netem's p).
  package var toBad: Fraction
  /// Transition probability per packet from bad to good (netem's r).
  package var toGood: Fraction
  /// Loss probability in the bad state (netem's 1-h).
  package var lossWhenBad: Fraction
  /// Loss probability in the good state (netem's 1-k).
  package var lossWhenGood: Fraction

  package init(toBad: Fraction, toGood: Fraction, lossWhenBad: Fraction, lossWhenGood: Fraction = .zero) {
    self.toBad = toBad
    self.toGood = toGood
    self.lossWhenBad = lossWhenBad
    self.lossWhenGood = lossWhenGood
  }

  /// Creates the simple Gilbert model with a mean loss rate and a mean burst length [packets]: r = 1 / burst, p = r x
  /// mean / (1 - mean).
  ///
  /// `nil` if no such chain exists: a mean of 100 %, or a burst below one packet.
  package init?(mean: Fraction, burst: Double) {
    guard mean.value < 1, burst >= 1, burst.isFinite else { return nil }
    let toGood = 1 / burst
    guard let p = Fraction(toGood * mean.value / (1 - mean.value)), let r = Fraction(toGood),
      let all = Fraction(1)
    else { return nil }
    self.init(toBad: p, toGood: r, lossWhenBad: all)
  }
}

/// Running state of a Gilbert–Elliott chain.
struct LossChain: BitwiseCopyable {
  private let model: GilbertElliott
  private var isBad = false

  init(_ model: GilbertElliott) { self.model = model }

  /// Decides whether the next packet is lost in the current state; takes one draw for the transition and one for the
  /// loss.
  mutating func loses(_ draws: inout RandomStream) -> Bool {
    let (change, loss) = isBad ? (model.toGood, model.lossWhenBad) : (model.toBad, model.lossWhenGood)
    if draws.uniform() < change.value { isBad.toggle() }
    return draws.uniform() < loss.value
  }
}
