import Media
import Quantity
import Testing

@Suite("Connection quality")
struct ConnectionQualityTests {
  @Test(
    arguments: [
      // Packets, missing, delay [ms], budget and need [kbit/s].
      (1000, 4, 150, 2000, 2000, ConnectionQuality.excellent), (1000, 5, 150, 2000, 2000, .good),
      (1000, 29, 150, 2000, 2000, .good), (1000, 30, 150, 2000, 2000, .poor),
      (1000, 0, 151, 2000, 2000, .good), (1000, 0, 400, 2000, 2000, .good), (1000, 0, 401, 2000, 2000, .poor),
      (1000, 0, 0, 1999, 2000, .good), (1000, 0, 0, 1000, 2000, .good), (1000, 0, 0, 999, 2000, .poor),
      // The worst of them counts; nothing sent and nothing needed is fine.
      (1000, 5, 401, 1999, 2000, .poor), (0, 0, 0, 0, 0, .excellent),
    ])
  func theWorstOfLossDelayAndRateCounts(
    packets: Int64, missing: Int64, delay: Int64, budget: Int64, need: Int64, quality: ConnectionQuality
  ) {
    let path = ConnectionQuality.Path(
      packets: packets, packetsMissing: missing, delay: .milliseconds(delay), budget: .kilobits(budget),
      need: .kilobits(need))
    #expect(ConnectionQuality(path) == quality)
  }
}
