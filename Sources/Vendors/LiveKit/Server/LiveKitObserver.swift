package import CongestionControl
import Parameters
import Systems

/// Parameters of an observer that watches estimates for signs of congestion; probes have a separate one.
package protocol LiveKitObserver {
  var trend: TrendParameters { get set }
  var nacks: RepeatedNACKWindow.Parameters { get set }
}

extension Parameterized where Self: LiveKitObserver {
  /// Declares the parameters of an observer.
  ///
  /// - Parameters:
  ///   - prefix: prefix of all keys.
  ///   - estimates: name of the observed estimates in the summaries.
  static func observation(_ prefix: String, of estimates: String) -> [ParameterDeclaration<Self>] {
    let source = "LiveKit 1.13.5, remotebwe/channel_observer.go"
    return [
      .integer(
        "\(prefix)trend-samples", \.trend.samples, in: 2...1000,
        "server: \(estimates) that a trend is sought in", source: source),
      .integer(
        "\(prefix)trend-least-samples", \.trend.minimumSamples, in: 2...1000,
        "server: fewest \(estimates) with a falling trend, once they span more than '\(prefix)trend-wait'",
        source: source),
      .duration(
        "\(prefix)trend-wait", \.trend.wait, "server: time that fewer \(estimates) have to span",
        source: source),
      .number(
        "\(prefix)trend-threshold", \.trend.threshold, in: -1...1,
        "server: \(estimates) fall where their rank correlation with time (Kendall's tau) is below this",
        source: source),
      .duration(
        "\(prefix)trend-collapse", \.trend.collapse,
        "server: equal \(estimates) count once in this time", source: source),
      .duration(
        "\(prefix)trend-validity", \.trend.validity,
        "server: \(estimates) are forgotten after this long", source: source),
      .number(
        "\(prefix)nack-threshold", \.nacks.threshold, in: 0...1,
        "server: packets requested repeatedly are congestion above this share", source: source),
      .duration(
        "\(prefix)nack-least-window", \.nacks.least,
        "server: they count once the first of them is older than this", source: source),
      .duration(
        "\(prefix)nack-longest-window", \.nacks.longest,
        "server: they are forgotten once the first of them is older than this", source: source),
    ]
  }
}
