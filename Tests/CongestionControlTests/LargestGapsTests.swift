import CongestionControl
import Quantity
import Statistics
import Testing

@Suite("Largest gaps")
struct LargestGapsTests {
  /// Compares with a scan of the whole window; an incomplete record is recounted, as its owner does.
  @Test(arguments: [3, 40, 1_000_000])
  func theTwoLargestAreThoseOfTheWindow(differentLengths: Int) {
    var draws = RandomStream(seed: 1, name: "gaps")
    var window: [SimDuration] = []
    var gaps = LargestGaps()
    var recounts = 0
    for step in 0..<6_000 {
      let isGrowing = step % 400 < 250
      if window.isEmpty || draws.uniform() < (isGrowing ? 0.7 : 0.35) {
        let gap = SimDuration(nanoseconds: Int64(draws.uniform() * Double(differentLengths)))
        window.append(gap)
        gaps.add(gap)
      } else {
        gaps.remove(window.removeFirst())
      }
      if gaps.isShort {
        recounts += 1
        gaps = LargestGaps()
        for gap in window { gaps.add(gap) }
      }
      var (largest, second) = (SimDuration.zero, SimDuration.zero)
      for gap in window {
        if gap >= largest { (largest, second) = (gap, largest) } else { second = max(second, gap) }
      }
      guard gaps.largest == largest, gaps.second == second else {
        Issue.record("step \(step): \(gaps.largest), \(gaps.second) in place of \(largest), \(second)")
        return
      }
    }
    #expect(recounts < 600)
  }
}
