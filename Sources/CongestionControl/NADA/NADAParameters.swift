package import Parameters
package import Quantity

/// What can be set about NADA: the table of RFC 8698 (figure 3) by the names given there, and what is ours.
package struct NADAParameters: RateControllerParameters {
  /// PRIO: weight of the flow among others.
  package var priority = 1.0
  /// RMIN: the least rate, where constraints do not ask for more.
  package var minimumRate = BitRate.kilobits(150)
  /// RMAX: the greatest rate, where constraints do not set one. It is part of the control law: a flow at a rate r
  /// keeps a queue of PRIO x XREF x RMAX / r, so that flows which compete should have the same, and not much more
  /// than they can get.
  package var maximumRate = BitRate.kilobits(1500)
  /// XREF: the congestion signal of a flow at its greatest rate.
  package var referenceSignal = SimDuration.milliseconds(10)
  /// KAPPA: gain of the gradual update.
  package var gain = 0.5
  /// ETA: weight of the signal's change in the gradual update.
  package var changeWeight = 2.0
  /// TAU: upper bound of round trips that the gradual update is made for.
  package var horizon = SimDuration.milliseconds(500)
  /// DELTA: the least time from one update of the rate to the next.
  package var updateInterval = SimDuration.milliseconds(100)
  /// LOGWIN: what rates and losses are counted over.
  package var window = SimDuration.milliseconds(500)
  /// QEPS: a queue shorter than this all through the window allows the accelerated ramp-up.
  package var rampUpQueue = SimDuration.milliseconds(10)
  /// DFILT: upper bound of the delay that filtering adds.
  package var filterDelay = SimDuration.milliseconds(120)
  /// GAMMA_MAX: how far a ramp-up step goes above the received rate at most.
  package var maximumRampUp = 0.5
  /// QBOUND: the queue that a ramp-up step may make.
  package var rampUpQueueBound = SimDuration.milliseconds(50)
  /// MULTILOSS: for how many mean loss intervals after a loss long queues are warped.
  package var lossMemory = 7.0
  /// QTH: queues longer than this are warped while losses happen.
  package var warpThreshold = SimDuration.milliseconds(50)
  /// LAMBDA: exponent of the warping.
  package var warpExponent = 0.5
  /// PLRREF: the loss ratio that costs ``lossPenalty``.
  package var referenceLoss = 0.01
  /// DLOSS: congestion signal of ``referenceLoss``.
  package var lossPenalty = SimDuration.milliseconds(10)
  /// ALPHA: weight of the newest loss ratio in its mean.
  package var lossSmoothing = 0.1
  /// Samples that the minimum filters of delay and round trip take (RFC 8698 section 5.1.1).
  package var filterTaps = 15
  /// Upper bound of the congestion signal: 500 ms in the authors' ns3-rmcat (`nada-controller.cc`).
  package var maximumSignal = SimDuration.milliseconds(500)
  /// How far back the base delay is looked for. The RFC leaves it open; 10 min as in LEDBAT (RFC 6817).
  package var baseHistory = SimDuration.seconds(600)
  /// What the pacer lets out, relative to the rate: the RFC sends at most 5 percent above it to drain the encoder's
  /// buffer (section 5.2.2, equation for r_diff_s).
  package var pacingFactor = 1.05
  /// Without feedback for this long and a round trip while packets are sent, the rate is halved. Our model: the RFC
  /// leaves the absence of feedback to circuit breakers (RFC 8083).
  package var feedbackTimeout = SimDuration.seconds(1)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .rate("minimum", \.minimumRate, "lowest estimate", source: "RFC 8698, figure 3: RMIN"),
    .rate("maximum", \.maximumRate, "highest estimate", source: "RFC 8698, figure 3: RMAX"),
    .number(
      "priority", \.priority, in: 0.1...10, "weight of the flow among others",
      source: "RFC 8698, figure 3: PRIO; range ours"),
  ]
}
