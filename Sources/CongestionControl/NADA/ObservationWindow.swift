package import Quantity

/// Receiving rate, losses and maximum delay of the packets that arrived within LOGWIN of the newest (RFC 8698 section
/// 5.1). A lost packet counts at the arrival time of the packet before it.
package struct ObservationWindow: Sendable {
  private struct Entry: BitwiseCopyable {
    var at: SimTime
    /// One-way delay, including the clock offset.
    var delay: SimDuration
    /// Size on the wire [byte]; -1 for a lost packet.
    var size: Int32
  }

  private var entries: [Entry] = []
  private var head = 0
  private let length: SimDuration
  private let shortest: SimDuration
  private var begin: SimTime?
  private var newest = SimTime.zero
  private var bytes: Int64 = 0
  package private(set) var lost = 0

  /// - Parameters:
  ///   - length: LOGWIN.
  ///   - shortest: minimum averaging time of the receiving rate, even at the start. Ours.
  package init(length: SimDuration, shortest: SimDuration) {
    self.length = length
    self.shortest = shortest
  }

  package mutating func append(_ result: PacketResult) {
    if let receivedAt = result.receivedAt {
      // The very first packet only starts the averaging time.
      let size = begin == nil ? 0 : result.packet.size
      if begin == nil {
        begin = receivedAt
        newest = receivedAt
      }
      newest = max(newest, receivedAt)
      bytes += Int64(size)
      entries.append(Entry(at: newest, delay: receivedAt - result.packet.sentAt, size: size))
    } else if begin != nil {
      lost += 1
      entries.append(Entry(at: newest, delay: .zero, size: -1))
    }
    while head < entries.count, newest - entries[head].at >= length {
      if entries[head].size < 0 { lost -= 1 } else { bytes -= Int64(entries[head].size) }
      head += 1
    }
    // Compacted rarely and in place: no allocation once it holds two windows.
    if head > 64, head * 2 > entries.count {
      entries.removeSubrange(..<head)
      head = 0
    }
  }

  /// p_inst: packet loss ratio.
  package var lossRatio: Double {
    entries.count > head ? Double(lost) / Double(entries.count - head) : 0
  }

  /// r_recv: receiving rate [bit/s].
  package var receivedRate: Double {
    guard let begin else { return 0 }
    let covered = max(shortest, min(length, newest - begin))
    return Double(bytes) * 8 / covered.seconds
  }

  /// Maximum one-way delay; `nil` if nothing was received.
  package var longestDelay: SimDuration? {
    var longest: SimDuration?
    for index in head..<entries.count where entries[index].size >= 0 {
      longest = max(longest ?? entries[index].delay, entries[index].delay)
    }
    return longest
  }
}
