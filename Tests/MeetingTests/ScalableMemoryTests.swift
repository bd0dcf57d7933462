import Ladder
import Media
import Meeting
import Plan
import Quantity
import TestSupport
import Testing
import Transport

@Suite("Memory of scalable streams")
struct ScalableMemoryTests {
  /// Three layers of 100, 500 and 2000 kbps: each of two viewers assembles pictures and keeps a history of 2600 kbps,
  /// where simulcast keeps that of its highest encoding.
  @Test func assembliesAndStreamsCount() throws {
    let simulcast = try MeetingPlan.small()
    var scalable = simulcast
    scalable.participants[0].camera?.ladder.scalability = ScalabilityMode(name: "L3T3_KEY")
    func history(_ kilobits: Int64) -> Int64 {
      RetransmissionHistory.size(for: .kilobits(kilobits), framesPerSecond: 30).bytes
    }
    let more = scalable.memoryNeed.bytes - simulcast.memoryNeed.bytes
    #expect(more == 2 * (Int64(MemoryLayout<PictureAssembly>.stride) + history(2600) - history(2000)))
  }
}
