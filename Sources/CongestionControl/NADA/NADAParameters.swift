package import Parameters
package import Quantity

/// NADA parameters: those of RFC 8698 (figure 3) under their names there, and our own.
package struct NADAParameters: RateControllerParameters {
  /// PRIO: weight of the flow.
  package var priority = 1.0
  /// RMIN: minimum rate, unless constraints have a higher one.
  package var minimumRate = BitRate.kilobits(150)
  /// RMAX: maximum rate, unless constraints set one. It is part of the control law: a flow at rate r keeps a queuing
  /// delay of PRIO x XREF x RMAX / r, so competing flows should have the same RMAX, not much above what they can get.
  package var maximumRate = BitRate.kilobits(1500)
  /// XREF: congestion signal of a flow at its maximum rate.
  package var referenceSignal = SimDuration.milliseconds(10)
  /// KAPPA: gain of the gradual update.
  package var gain = 0.5
  /// ETA: weight of the signal's change in the gradual update.
  package var changeWeight = 2.0
  /// TAU: upper bound on the round trip in the gradual update.
  package var horizon = SimDuration.milliseconds(500)
  /// DELTA: minimum interval between rate updates.
  package var updateInterval = SimDuration.milliseconds(100)
  /// LOGWIN: observation window of rates and losses.
  package var window = SimDuration.milliseconds(500)
  /// QEPS: queuing delay below which, throughout the window, the accelerated ramp-up is allowed.
  package var rampUpQueue = SimDuration.milliseconds(10)
  /// DFILT: upper bound on the filtering delay.
  package var filterDelay = SimDuration.milliseconds(120)
  /// GAMMA_MAX: maximum relative increase of a ramp-up step over the receiving rate.
  package var maximumRampUp = 0.5
  /// QBOUND: upper bound on self-inflicted queuing delay during ramp-up.
  package var rampUpQueueBound = SimDuration.milliseconds(50)
  /// MULTILOSS: number of mean loss intervals after a loss during which the delay is warped.
  package var lossMemory = 7.0
  /// QTH: queuing delay above which it is warped while losses occur.
  package var warpThreshold = SimDuration.milliseconds(50)
  /// LAMBDA: scaling exponent of the warping.
  package var warpExponent = 0.5
  /// PLRREF: reference loss ratio, penalised with ``lossPenalty``.
  package var referenceLoss = 0.01
  /// DLOSS: delay penalty at ``referenceLoss``.
  package var lossPenalty = SimDuration.milliseconds(10)
  /// ALPHA: smoothing factor of the loss ratio.
  package var lossSmoothing = 0.1
  /// Number of taps of the minimum filters of delay and round trip (RFC 8698 section 5.1.1).
  package var filterTaps = 15
  /// Upper bound on the congestion signal: 500 ms in the authors' ns3-rmcat (`nada-controller.cc`).
  package var maximumSignal = SimDuration.milliseconds(500)
  /// History of the base delay. Not specified in the RFC; 10 min as in LEDBAT (RFC 6817).
  package var baseHistory = SimDuration.seconds(600)
  /// Pacing rate relative to the rate: the RFC sends at most 5 percent faster to drain the encoder's buffer (section
  /// 5.2.2, equation for r_diff_s).
  package var pacingFactor = 1.05
  /// Time without feedback, in addition to a round trip, after which the rate is halved while packets are sent. Our
  /// model: the RFC leaves missing feedback to circuit breakers (RFC 8083).
  package var feedbackTimeout = SimDuration.seconds(1)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .rate("minimum", \.minimumRate, "lowest estimate", source: "RFC 8698, figure 3: RMIN"),
    .rate("maximum", \.maximumRate, "highest estimate", source: "RFC 8698, figure 3: RMAX"),
    .number(
      "priority", \.priority, in: 0.1...10, "weight of the flow relative to others",
      source: "RFC 8698, figure 3: PRIO; range ours"),
  ]
}
