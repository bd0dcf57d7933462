package import Quantity
import Statistics

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Parameters of a generated LTE-like trace.
package struct LTETraceParameters: Hashable, Sendable {
  package var duration = SimDuration.seconds(120)
  /// Sampling interval.
  package var step = SimDuration.milliseconds(200)
  /// Median rate outside fades.
  package var median = BitRate.kilobits(5_000)
  /// Standard deviation of the logarithm of the rate; public LTE drive traces have 0.5 to 0.9.
  package var spread = 0.6
  /// Autocorrelation of successive deviations, 0 to 1.
  package var memory = 0.95
  /// Mean time between fades.
  package var fadeEvery = SimDuration.seconds(25)
  /// Mean length of a fade.
  package var fadeLength = SimDuration.seconds(4)
  /// Fraction of the rate that remains during a fade.
  package var fadeShare = 0.1

  package init() {}
}

extension CapacityTrace {
  /// Generates an LTE-like drive as a `rate-csv` file.
  ///
  /// Our model: the logarithm of the rate is a first-order autoregressive process, interrupted by fades with
  /// exponential lengths and gaps. Values are whole kbps, so that every machine writes the same file.
  package static func lteDrive(_ parameters: LTETraceParameters, seed: UInt64) -> String {
    var rates = RandomStream(seed: seed, name: "trace/lte/rate")
    var fades = RandomStream(seed: seed, name: "trace/lte/fade")
    var text = "t_s,rate_bps\n"
    var deviation = 0.0
    var fadeBegins = fades.exponential(mean: parameters.fadeEvery.seconds)
    var fadeEnds = fadeBegins + fades.exponential(mean: parameters.fadeLength.seconds)
    let innovation = parameters.spread * (1 - parameters.memory * parameters.memory).squareRoot()
    for index in 0..<(parameters.duration.nanoseconds / parameters.step.nanoseconds) {
      let nanoseconds = index * parameters.step.nanoseconds
      let seconds = Double(nanoseconds) / 1e9
      deviation = parameters.memory * deviation + rates.normal(mean: 0, sd: innovation)
      while seconds >= fadeEnds {
        fadeBegins = fadeEnds + fades.exponential(mean: parameters.fadeEvery.seconds)
        fadeEnds = fadeBegins + fades.exponential(mean: parameters.fadeLength.seconds)
      }
      var rate = Double(parameters.median.bitsPerSecond) / 1000 * exp(deviation)
      if seconds >= fadeBegins { rate *= parameters.fadeShare }
      let milliseconds = nanoseconds / 1_000_000
      let fraction = String(1000 + milliseconds % 1000).dropFirst()
      text += "\(milliseconds / 1000).\(fraction),\(Int64(rate.rounded()) * 1000)\n"
    }
    return text
  }
}
