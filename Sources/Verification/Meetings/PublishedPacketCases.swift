import Meeting
import Plan
import Quantity
import Scenario

/// Packets that one of three participants sends to the server ("Scalable Video Conferencing Using SDN Principles",
/// SIGCOMM 2025, table 1: ten minutes of AV1 at 720p and a voice, 180,718 packets and 167.7 MB, of which 141,124 are
/// video, 29,746 audio, and 5.06 % of the packets and 0.48 % of the bytes RTCP).
///
/// The rate is an input; packets and RTCP are predictions. The tolerances are our proposal: 15 % for packets, as for
/// rates, and a third for RTCP, whose intervals depend on what the server sends.
enum PublishedPacketCases {
  /// Time of the published count [s].
  private static let published = 601.0

  static let all = [
    VerificationCase(
      name: "scallop-packets",
      setup: "three people in AV1 and their voices, one's packets to the server in two minutes",
      source: "Scallop (SIGCOMM 2025), table 1"
    ) {
      do {
        return VerificationOutcome(checks: try checks())
      } catch {
        return VerificationOutcome(failure: error)
      }
    }
  ]

  private static func checks() throws -> [VerificationCheck] {
    let loaded = try ScenarioReader.read(
      bytes: PackageResources.scallop_packets_yaml, file: "case", directory: "")
    let ledger = MeetingLedger(of: loaded.plan, seed: loaded.plan.seed)
    guard let up = ledger.ways.first(where: { $0.participant == "p-1" && $0.isUp }) else { return [] }
    let packets = Double(up.offered)
    return [
      VerificationCheck(
        "packets a second", published: 180_718 / published, simulated: packets / loaded.plan.duration.seconds,
        withinShare: 0.15),
      VerificationCheck(
        "rate [kbps]", published: 167.7e6 * 8 / 1000 / published,
        simulated: Double(up.deliveredBytes) * 8 / 1000 / loaded.plan.duration.seconds, withinShare: 0.15),
      VerificationCheck(
        "RTCP, share of the packets [%]", published: 5.06, simulated: 100 * Double(up.controlSent) / packets,
        withinShare: 0.33),
      VerificationCheck(
        "RTCP, share of the bytes [%]", published: 0.48,
        simulated: 100 * Double(up.controlBytes) / Double(up.deliveredBytes), withinShare: 0.33),
    ]
  }
}
