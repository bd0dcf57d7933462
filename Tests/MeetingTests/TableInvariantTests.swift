import Allocation
import Meeting
import Metrics
import Network
import Plan
import Quantity
import Scenario
import TestSupport
import Testing

/// Invariants of every table in random meetings with all systems and estimators, on networks that lose, delay, reorder
/// and shape packets, while participants join and leave.
@Suite("Tables are exact to the bit")
struct TableInvariantTests {
  private static let numbers = 0..<63

  /// A meeting's tables, with intervals that do not divide its 9.5 s.
  private struct Recorded {
    let plan: MeetingPlan
    let tables: MemorySink
    let interval: Double
    let duration: Double

    init(_ number: Int) throws {
      var meeting = RandomMeeting(number, network: .rough)
      let loaded = try Meetings.scenario(meeting.text())
      let length = SimDuration.milliseconds([1000, 500, 2000][number / RandomMeeting.allPolicies.count % 3])
      plan = loaded.plan
      tables = try Meetings.run(loaded, interval: length).tables
      interval = length.seconds
      duration = plan.duration.seconds
    }

    /// Returns the length of the interval that ends at a row.
    func length(_ row: Row) -> Double {
      let end = row.number("time_s")
      return end < duration ? interval : duration - ((duration - 1e-6) / interval).rounded(.down) * interval
    }

    /// Returns the bytes that a rate amounts to over a row's interval.
    func bytes(_ row: Row, _ column: String) -> Int {
      Int((row.number(column) * length(row) / 8).rounded())
    }
  }

  @Test(arguments: numbers)
  func fractionsAreFractions(number: Int) throws {
    let run = try Recorded(number)
    checkScreens(run.tables)
    checkBudgets(run.tables)
    checkOrder(run.tables)
    for table in [ResultTable.participants, .links, .audio, .layout] {
      let fractions = table.columns.map(\.name).filter { $0.hasSuffix("_frac") }
      #expect(!fractions.isEmpty)
      for row in run.tables.rows(of: table) {
        for column in fractions {
          #expect(0...1 ~= row.number(column, ifEmpty: 0), "\(column): \(row)")
        }
      }
    }
  }

  /// Checks that each budget is what the estimate leaves after its reserves, within the cap, to the bit.
  private func checkBudgets(_ tables: MemorySink) {
    let reserves = ["voice_reserve_bps", "padding_bps", "header_bps", "repair_bps"]
    let words = Set(Limitation.allCases.map(\.rawValue))
    for row in tables.rows(of: .decisions) {
      #expect(words.contains(row["reason"]), "\(row)")
      guard let estimate = row.integerIfPresent("estimate_bps") else { continue }
      var left = estimate
      for column in reserves { left -= row.integerIfPresent(column) ?? 0 }
      let budget = min(left, row.integerIfPresent("cap_bps") ?? left)
      #expect(row.integerIfPresent("budget_bps") == budget, "\(row)")
    }
  }

  /// Checks that a row in which only the place in the order changed is written at the end of a second.
  private func checkOrder(_ tables: MemorySink) {
    let decided = ["estimate_bps", "voice_reserve_bps", "padding_bps", "header_bps", "repair_bps", "cap_bps"]
    let words = ["rule", "wanted", "given", "reason"]
    var last: [String: Row] = [:]
    for row in tables.rows(of: .decisions) {
      let tile = row["viewer"] + " " + row["source"]
      defer { last[tile] = row }
      guard let before = last[tile], row["rank"].isEmpty == before["rank"].isEmpty else { continue }
      let least = max(1, (before.integerIfPresent("estimate_bps") ?? .max) / 100)
      let isDecided =
        words.contains { row[$0] != before[$0] }
        || decided.contains {
          abs((row.integerIfPresent($0) ?? 0) - (before.integerIfPresent($0) ?? 0)) >= least
        }
      let time = row.number("time_s")
      #expect(isDecided || time == time.rounded(), "\(row)")
    }
  }

  @Test(arguments: numbers)
  func noLinkCarriesMoreThanItsCapacitySoFar(number: Int) throws {
    let run = try Recorded(number)
    for link in run.plan.links where link.parameters.bucket == nil {
      var carried = 0.0
      var possible = 0.0
      for row in run.tables.rows(of: .links) where row["link"] == link.name {
        carried += row.number("throughput_bps") * run.length(row)
        possible += row.number("capacity_bps") * run.length(row)
        // Rates are whole bits per second, transmission times whole nanoseconds.
        #expect(carried <= possible * (1 + 1e-6) + 100, "\(row)")
      }
    }
  }

  @Test(arguments: numbers)
  func theWholeDurationHasRows(number: Int) throws {
    let run = try Recorded(number)
    var ends: [Double] = []
    for place in 1... {
      ends.append(min(Double(place) * run.interval, run.duration))
      if ends.last == run.duration { break }
    }
    for link in run.plan.links {
      let rows = run.tables.rows(of: .links).filter { $0["link"] == link.name }
      #expect(rows.map { $0.number("time_s") } == ends, "\(link.name)")
    }
  }

  /// A participant receives video, voices, padding and RTCP; the first two have tables of their own.
  @Test(arguments: numbers)
  func everyBitOfVideoAndVoiceStandsInItsTable(number: Int) throws {
    let run = try Recorded(number)
    var video: [String: Int] = [:]
    for row in run.tables.rows(of: .streams) {
      video["\(row["time_s"]) \(row["viewer"])", default: 0] += run.bytes(row, "bitrate_bps")
    }
    var received: [String: (all: Int, video: Int, rows: Int)] = [:]
    for row in run.tables.rows(of: .participants) {
      let id = row["participant"]
      let own = video.removeValue(forKey: "\(row["time_s"]) \(id)") ?? 0
      let all = run.bytes(row, "down_bitrate_bps")
      #expect(own + run.bytes(row, "audio_bitrate_bps") <= all, "\(row)")
      let before = received[id] ?? (0, 0, 0)
      received[id] = (before.all + all, before.video + own, before.rows + 1)
    }
    #expect(video.isEmpty, "streams.csv has bytes of those who received none: \(video)")
    let ledger = MeetingLedger(of: run.plan, seed: run.plan.seed)
    for total in ledger.totals {
      let own = received[total.participant] ?? (0, 0, 0)
      #expect(own.all == total.receivedBytes, "\(total)")
      #expect(own.video == total.receivedVideoBytes, "\(total)")
    }
    for row in run.tables.rows(of: .scalars)
    where row["scope"] == "participant" && row["metric"] == "data_down" {
      let bytes = try #require(received[row["viewer"]]).all
      #expect(Int((row.number("value") * 1000).rounded()) == bytes / 1000, "\(row)")
    }
  }

  @Test(arguments: numbers)
  func everyPacketIsDeliveredLostDroppedOrOnItsWay(number: Int) throws {
    let run = try Recorded(number)
    let ledger = MeetingLedger(of: run.plan, seed: run.plan.seed)
    #expect(ledger.links.count == run.plan.links.count)
    var dropped: [String: Int] = [:]
    for row in run.tables.rows(of: .links) {
      dropped[row["link"], default: 0] += row.integer("packets_dropped")
    }
    for link in ledger.links {
      let known = link.delivered + link.dropped + link.lost + link.waiting + link.inFlight
      #expect(link.offered == known, "\(link)")
      #expect(dropped[link.name] == Int(link.dropped + link.lost), "\(link)")
    }
  }

  @Test func theRandomMeetingsCoverEverySystemAndEstimator() {
    let meetings = Self.numbers.map { RandomMeeting($0, network: .rough) }
    let pairs = Set(meetings.map { "\($0.policy) \($0.estimator)" })
    #expect(pairs.count == RandomMeeting.allPolicies.count * RandomMeeting.estimators.count)
  }
}
