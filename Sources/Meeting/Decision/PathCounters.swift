import Endpoint
import Network

/// Packets of a path so far: lost, dropped and queued.
struct PathCounters {
  private(set) var lost: Int64 = 0
  private(set) var dropped: Int64 = 0
  /// Packets dropped by a full send buffer.
  private(set) var refused: Int64 = 0
  private(set) var queueDelaySum: Int128 = 0
  private(set) var queued: Int64 = 0

  var missing: Int64 { lost + dropped }

  init() {}

  init(of path: Int, _ parts: borrowing MeetingParts) {
    refused = parts.net.links.packetsDroppedBySender(on: path)
    for link in parts.net.links.route(of: path).map(Int.init) {
      let counters = parts.net.links.counters(of: link)
      lost += counters.lostPackets
      dropped += counters.droppedPackets
      queueDelaySum += counters.queueDelaySum
      queued = max(queued, counters.queuedPackets)
    }
  }
}
