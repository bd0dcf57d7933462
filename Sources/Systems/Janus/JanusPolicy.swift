package import Allocation
import Ladder
package import Quantity

/// An SFU without bandwidth allocation: each viewer names the encoding that it wants and gets it, whatever its link
/// carries.
///
/// Janus' videoroom does so (`substream` and `temporal` of its configure request); it also never tells publishers what
/// is wanted, so that they send every encoding. Where the named one does not come, the next lower one that does is
/// relayed until it comes again (`janus_rtp_simulcasting_context_process_rtp`); Janus waits 250 ms without packets before
/// each step down, here the step is taken when the publisher leaves the encoding off.
package struct JanusPolicy: AllocationPolicy {
  package init() {}

  package func allocate(budget: BitRate, cap: BitRate, wishes: [Wish]) -> [Grant] {
    wishes.map { wish in
      guard wish.absence == nil else { return Grant.unhindered(wish, nil) }
      guard let named = wish.ladder.last(where: { $0.format.isWithin(wish.maximum) }) ?? wish.ladder.first
      else { return Grant.unhindered(wish, nil) }
      let relayed = wish.offers.last {
        $0.id.encoding <= named.id.encoding && $0.id.temporal <= named.id.temporal
      }
      return Grant.unhindered(wish, relayed ?? named)
    }
  }
}
