import Allocation
import Ladder
import Quantity
package import Systems

/// The rule by which Signal's SFU shares a viewer's downlink (`allocate_video_layers`, `allocate_send_rate`).
///
/// Everyone gets the lowest encoding, then everyone the next; the largest requests come first, equal ones by last
/// speech, then in the order of the meeting's sources. An encoding that does not fit is skipped. A layer is an encoding
/// with all its temporal layers.
package struct SignalRule: ServerRule {
  private let parameters: SignalParameters

  package init(_ parameters: SignalParameters = SignalParameters()) { self.parameters = parameters }

  package func decide(_ state: AllocationState) -> AllocationOutcome {
    var videos = state.subscriptions.map { subscription in
      SignalVideo(
        subscription.wish, subscription.layers,
        requested: requestedLines(subscription.wish, speaker: state.demand.speakerLines))
    }
    let order = self.order(videos, state.subscriptions)
    var ideal: Int64 = 0
    for video in videos { ideal += video.ideal.map { video.encodings[$0].rate } ?? 0 }
    let most = state.demand.maximumRate ?? parameters.maximumRate
    let ceilings = SignalCeilings(state, ideal: min(ideal, most.bitsPerSecond), parameters)

    var margin = BudgetMargin()
    var allocated: Int64 = 0
    for encoding in 0..<(videos.lazy.compactMap(\.ideal).max() ?? -1) + 1 {
      for place in order {
        guard let candidate = videos[place].candidate(for: encoding) else { continue }
        let rate = allocated + videos[place].increase(to: candidate)
        let isForwarded = candidate == state.subscriptions[place].current?.encoding
        guard ceilings.fits(rate, isForwarded: isForwarded, &margin) else {
          videos[place].skipped = videos[place].skipped ?? candidate
          continue
        }
        videos[place].granted = candidate
        videos[place].rate = videos[place].encodings[candidate].rate
        videos[place].skipped = nil
        allocated = rate
      }
    }
    return AllocationOutcome(
      decisions: decisions(videos, order, state, ceilings, allocated: allocated), margin: margin)
  }

  /// Returns the lines requested from a source; the active speaker's are raised, even off screen, but no further than
  /// the gate lets through.
  private func requestedLines(_ wish: Subscription, speaker: Int?) -> Int {
    guard wish.absence == nil else { return 0 }
    let own = wish.visibility == .onScreen ? wish.demand.maximumLines ?? 1 : 0
    guard wish.demand.speechRank == 0, let speaker else { return own }
    return max(own, wish.gate.map { min(speaker, $0.lines) } ?? speaker)
  }

  /// Returns the name of the rule that sets the viewer's maximum.
  private func maximumRule(_ requested: BitRate?) -> String {
    guard let requested else { return "DefaultMaxRate" }
    return requested == parameters.receiveRate ? "ReceiveRate" : "MaxRate"
  }

  private func order(_ videos: [SignalVideo], _ subscriptions: [MeasuredSubscription]) -> [Int] {
    videos.indices.sorted { a, b in
      guard videos[a].requested == videos[b].requested else {
        return videos[a].requested > videos[b].requested
      }
      let one = subscriptions[a].wish.demand.speechRank ?? .max
      let other = subscriptions[b].wish.demand.speechRank ?? .max
      return one == other ? a < b : one < other
    }
  }

  private func decisions(
    _ videos: [SignalVideo], _ order: [Int], _ state: AllocationState, _ ceilings: SignalCeilings,
    allocated: Int64
  ) -> [SourceDecision] {
    var ranks = Array(repeating: 0, count: videos.count)
    for (index, place) in order.enumerated() { ranks[place] = index + 1 }
    let subscriptions = state.subscriptions.span
    return videos.indices.map { place in
      let video = videos[place]
      func layer(_ encoding: Int?) -> LayerID? {
        encoding.map { subscriptions[place].layers[video.encodings[$0].layer].id }
      }
      var decision = SourceDecision(
        layer: layer(video.granted), ideal: layer(video.ideal), rank: ranks[place], rule: "SignalRule")
      decision.bitrate = BitRate(bitsPerSecond: video.rate)
      guard video.granted != video.ideal, let next = video.skipped else { return decision }
      let rate = allocated + video.increase(to: next)
      // Beyond the viewer's own maximum, no estimate helps.
      let missing = ceilings.exceedsMaximum(rate) ? nil : ceilings.missing(for: rate)
      decision.hindrance = missing != nil ? .bandwidth : ceilings.exceedsMaximum(rate) ? .requestCap : .hold
      decision.missing = BitRate(bitsPerSecond: missing ?? 0)
      if decision.hindrance == .requestCap { decision.rule = maximumRule(state.demand.maximumRate) }
      return decision
    }
  }
}
