import CongestionControl
import Testing

@Suite("Loss by receiver reports")
struct ReportedLossTests {
  /// 3 of 19 packets are too few to count; 4 of 20 are 51.2 of 256. Then 20 of 20 are 256, capped at 255.
  @Test func aShareIsOfTwentyPacketsAtLeast() {
    var loss = ReportedLoss()
    var fractions: [Int?] = []
    for (lost, packets) in [(3, 19), (1, 1), (0, 10), (20, 10), (-2, 25)] {
      fractions.append(loss.add(lost: lost, of: packets) ? loss.fraction : nil)
    }
    #expect(fractions == [nil, 51, nil, 255, 0])
    #expect(loss.fraction == 0)
  }
}
