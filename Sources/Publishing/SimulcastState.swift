package import Endpoint
import Ladder
package import Media
package import Plan
package import Quantity
package import SimulationKernel

/// State of the sharing of rates among a source's separate encodings.
package struct SimulcastState {
  /// Allocator of rates among the encodings of a ladder whose limits are known; `nil` for any other.
  package var allocator: SimulcastRateAllocator?
  /// State of the lowest wanted encoding, which an estimate may switch off.
  package var withdrawal = EncodingWithdrawal()

  package init(_ plan: VideoSourcePlan) { allocator = plan.allocator }

  /// Distributes a rate as libwebrtc's allocator does.
  ///
  /// - Parameters:
  ///   - total: the source's share of the uplink at the full frame rate.
  ///   - encodings: numbers of the source's encodings, from the lowest up.
  ///   - least: minimum rate of the lowest wanted encoding; `nil` if none below it could replace it.
  ///   - hasFeedback: `true` if the estimate can only grow while something is sent.
  package mutating func allocate(
    _ total: BitRate, to encodings: Range<Int>, _ encoders: inout Table<EncoderState>,
    for demand: EncodingDemand, least: BitRate?, hasFeedback: Bool, at now: SimTime
  ) {
    // An unwanted encoding is off and takes no part (W3C `active`).
    for index in 0..<encodings.count { allocator?.setActive(demand.isWanted(index), encoding: index) }
    // Before any demand every encoding is offered; later the unwanted ones are offered too, at the rates that they
    // would get beside the others if they were requested.
    let before = allocator?.enabled
    let rates = demand.wanted.isEmpty ? nil : allocator?.allocate(total)
    let spare = rates.map { total - min(total, $0.total) } ?? .zero
    let lowest = demand.wanted.lowest
    let isWithdrawn = hasFeedback && withdrawal.follow(least: least, within: total, at: now)
    let isNewLayout = rates != nil && allocator?.enabled != before
    for encoding in encodings {
      let index = encoders[encoding].index
      let full = Double(max(encoders[encoding].fullRate.bitsPerSecond, 1))
      var rate =
        demand.isWanted(index) ? rates?[index] : rates.flatMap { _ in resumed(index, within: total) }
      // libwebrtc sends the lowest active encoding at its minimum whatever the rate, which would be permanent where
      // nothing adapts.
      if !hasFeedback || isWithdrawn, index > 0, let own = rate, own > total { rate = .zero }
      if isWithdrawn, index == lowest { rate = .zero }
      encoders[encoding].scale = rate.map { Double($0.bitsPerSecond) / full } ?? 1
      if let rates, rates.total > .zero {
        let share = Double(rates[index].bitsPerSecond) / Double(rates.total.bitsPerSecond)
        encoders[encoding].headroom = spare.scaled(by: share)
      }
      if isNewLayout { encoders[encoding].model.noteLayoutChange() }
    }
  }

  /// Returns the rate that an inactive encoding would get beside the active ones if the SFU requested it again.
  private func resumed(_ index: Int, within total: BitRate) -> BitRate? {
    guard var allocator else { return nil }
    allocator.setActive(true, encoding: index)
    return allocator.allocate(total)[index]
  }
}
