import Allocation
import Quantity

/// The parameters of each policy, by their names in a scenario.
extension PlanBuilder {
  func bluejeans(_ fields: Fields?) -> BlueJeansParameters {
    var parameters = BlueJeansParameters()
    guard let fields else { return parameters }
    if fields.keys.contains("receive-cap"), let node = fields.take("receive-cap"),
      let text = fields.text(of: node, "receive-cap")
    {
      if text == "none" {
        parameters.receiveCap = .unlimited
      } else if let cap = fields.parse(node, "receive-cap", text, BitRate.init(text:)) {
        parameters.receiveCap = cap
      }
    }
    if let value = fields.duration("reaction-delay") { parameters.reactionDelay = value }
    if let value = fields.duration("ramp-time") { parameters.rampTime = value }
    if let value = fields.duration("recent-speaker-window") { parameters.recentSpeakerWindow = value }
    if let value = atLeastTenMilliseconds("main-stage-poll", fields) { parameters.mainStagePoll = value }
    if let value = fields.choice("missing-360p", BlueJeansParameters.Missing360p.self) {
      parameters.missing360p = value
    }
    if let value = fields.flag("floor") { parameters.floor = value }
    return parameters
  }

  func agora(_ fields: Fields?) -> AgoraParameters {
    var parameters = AgoraParameters()
    guard let fields else { return parameters }
    if let value = fields.choice("fallback", AgoraParameters.Fallback.self) { parameters.fallback = value }
    if let value = fields.choice("dual-stream", AgoraParameters.DualStream.self) {
      parameters.dualStream = value
    }
    if let value = lowOrHigh("default-stream", fields) { parameters.defaultIsLow = value }
    if let value = fields.integer("user-limit", in: 2...1000) { parameters.userLimit = value }
    if let value = fields.number("fallback-share", in: 0...10) { parameters.fallbackShare = value }
    if let value = fields.duration("fallback-time") { parameters.fallbackTime = value }
    if let value = fields.number("recovery-share", in: 0...10) { parameters.recoveryShare = value }
    if let value = fields.duration("recovery-time") { parameters.recoveryTime = value }
    if let value = fields.duration("switch-delay") { parameters.switchDelay = value }
    return parameters
  }

  func stream(_ fields: Fields?) -> StreamParameters {
    guard let fields else { return StreamParameters() }
    var parameters = StreamParameters(client: fields.choice("client", StreamParameters.Client.self) ?? .guide)
    if let value = fields.choice("hidden", StreamParameters.Hidden.self) { parameters.hidden = value }
    if let value = fields.number("visible-share", in: 0...1) { parameters.visibleShare = value }
    if let value = fields.duration("immediate") { parameters.immediate = value }
    if let value = fields.duration("fast") { parameters.fast = value }
    if let value = fields.duration("medium") { parameters.medium = value }
    if let value = fields.integer("hidden-from", in: 0...10_000) { parameters.hiddenFrom = value }
    return parameters
  }

  /// A time after which something is looked at again and again: not so short that a run gets no further.
  private func atLeastTenMilliseconds(_ key: String, _ fields: Fields) -> SimDuration? {
    guard let value = fields.duration(key) else { return nil }
    guard value >= .milliseconds(10) else {
      fields.report(fields.take(key), "\(key): \(value) is too short: at least 10 ms")
      return nil
    }
    return value
  }
}
