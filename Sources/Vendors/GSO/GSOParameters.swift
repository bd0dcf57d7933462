package import Parameters
package import Quantity
import Systems

/// Parameters of GSO-Simulcast's controller.
package struct GSOParameters: Parameterized {
  package var interval = SimDuration.milliseconds(1800)
  package var minimumInterval = SimDuration.seconds(1)
  package var significantChange = 0.1
  package var upgradeThreshold = 0.1
  package var audioProtection = BitRate.zero
  package var stageWeight = 2.0
  package var screenWeight = 2.0
  package var speakerWeight = 1.2
  package var reactionDelay = SimDuration.milliseconds(20)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .duration(
      "interval", \.interval, in: .seconds(1) ... .seconds(3),
      "the controller decides again after this long when nothing else makes it",
      source: "GSO-Simulcast (SIGCOMM 2022): 1 to 3 s, 1.8 s on average"),
    .duration(
      "minimum-interval", \.minimumInterval, in: .zero ... .seconds(3),
      "least time between decisions, whatever happens", source: "GSO-Simulcast (SIGCOMM 2022): 1 s"),
    .number(
      "significant-change", \.significantChange, in: 0...10,
      "an estimate that differs from the one that was decided on by more than this share of it makes the controller "
        + "decide before its time",
      source: "our model: the paper has reports at significant changes and no number"),
    .number(
      "upgrade-threshold", \.upgradeThreshold, in: 0...10,
      "a link that made the controller lower a stream counts as it was then until it is better by more than this share",
      source: "our model: the paper raises a stream that was lowered above a threshold, which it doesn't name"
    ),
    .rate(
      "audio-protection", \.audioProtection,
      "subtracted from every link before video, beside what the meeting reserves for voices",
      source: "our model: the paper subtracts a protection bandwidth, which it doesn't name"),
    .number(
      "stage-weight", \.stageWeight, in: 0.001...10, "factor of the QoE of a source on the stage",
      source: "our model: the paper weighs hosts, speakers and screens higher, without numbers"),
    .number(
      "screen-weight", \.screenWeight, in: 0.001...10, "factor of the QoE of a screen share",
      source: "our model: the same"),
    .number(
      "speaker-weight", \.speakerWeight, in: 0.001...10,
      "factor of the QoE of the participant who speaks or spoke last", source: "our model: the same"),
    .duration(
      "reaction-delay", \.reactionDelay, "delay from a change of the screen to the client's subscriptions",
      source: "our model: nothing is published"),
  ]
}
