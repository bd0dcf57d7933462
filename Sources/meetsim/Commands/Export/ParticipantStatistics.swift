import CallStatistics
import JSON
import Network
import Plan
import Quantity
import ResultReading

/// Statistics that a participant's browser would have reported of a run, derived from its tables.
///
/// Tables have no packet counts: packets are assumed to have 1100 bytes of RTP, and each frame at least one [our model];
/// packets lost are the uplink's loss of that many. Round trips are the delays and mean queues of both directions. Whatever is sent in
/// addition to video counts as voice, up to its rate while speaking, and beyond that as padding of the largest active
/// encoding, which libwebrtc counts among header bytes.
struct ParticipantStatistics {
  let directory: String
  let id: String
  let plan: ParticipantPlan
  let intervals: ParticipantIntervals
  /// Delay of both directions without queueing [s].
  private let roundTrip: Double

  /// Start of every run [ms since 1970]: 1 January 2026, so that the same run gives the same bytes.
  private static let epoch = 1_767_225_600_000.0
  /// Size of a packet with its RTP header [byte].
  static let packet = 1100.0
  /// RTP header with extensions [byte].
  static let header = 24.0
  /// SRTP tag, UDP and IP, which `getStats()` does not count [byte].
  static let uncounted = 38
  /// Share of a packet's bytes on the wire that `getStats()` counts.
  static let countedShare = packet / (packet + Double(uncounted))

  init(_ directory: String, _ id: String, _ plan: MeetingPlan) throws {
    self.directory = directory
    self.id = id
    guard let participant = plan.participants.first(where: { $0.id == id }) else {
      throw ResultReadingError(directory, "there is no participant '\(id)'")
    }
    self.plan = participant
    roundTrip = (participant.up + participant.down).reduce(0) {
      $0 + plan.links[$1].parameters.propagationDelay.seconds
    }
    intervals = try ParticipantIntervals(directory, participant: id)
  }

  /// Returns all objects of the participant's peer connection.
  func statistics() throws -> BrowserStatistics {
    let objects = [transport, pair] + (try sent()) + (try received())
    let times = intervals.times.map { Self.epoch + ($0 * 1000).rounded() }
    return BrowserStatistics(start: Self.epoch, times: times, objects: objects)
  }

  // MARK: Connection

  /// Round trip of each interval [s].
  var roundTrips: [Double] {
    intervals.rows.map { roundTrip + ($0[.upQueueDelay] ?? 0) + ($0[.downQueueDelay] ?? 0) }
  }

  private var transport: BrowserStatistics.Object {
    var transport = BrowserStatistics.Object(id: Self.transportID, type: "transport")
    transport.add("selectedCandidatePairId", .text(Self.pairID), count: intervals.count)
    transport.add("dtlsState", .text("connected"), count: intervals.count)
    return transport
  }

  private var pair: BrowserStatistics.Object {
    var pair = BrowserStatistics.Object(id: Self.pairID, type: "candidate-pair")
    pair.add("state", .text("succeeded"), count: intervals.count)
    pair.add("nominated", .flag(true), count: intervals.count)
    pair.add("transportId", .text(Self.transportID), count: intervals.count)
    pair.add("availableOutgoingBitrate", intervals.samples(intervals.rows.map { $0[.upEstimate] }))
    pair.add("currentRoundTripTime", intervals.samples(roundTrips))
    let bytes = intervals.rows.map { ($0[.downBitRate] ?? 0) / 8 * Self.countedShare }
    pair.add("bytesReceived", intervals.counter(ofRate: bytes))
    return pair
  }

  static let transportID = "T1"
  private static let pairID = "CP1"
}
