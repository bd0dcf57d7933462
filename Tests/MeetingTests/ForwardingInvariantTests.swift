import Ladder
import Meeting
import Metrics
import Plan
import Quantity
import Scenario
import TestSupport
import Testing

/// 250 random meetings, looked into after every event.
@Suite("What the SFU forwards, event by event")
struct ForwardingInvariantTests {
  private static let meetings = 250

  /// The picture height up to which a wish may be served.
  private func ceiling(_ track: TrackInspection, _ meeting: RandomMeeting) -> Int {
    guard let asked = track.asked?.resolution.height else { return 0 }
    // Janus relays the lowest encoding to a request that is below all of them, BlueJeans one of 180p.
    let lowest = track.ladder.first?.format.resolution.height ?? 0
    if meeting.policy == "janus" || meeting.isBlueJeans && lowest <= 180 { return max(asked, lowest) }
    guard meeting.isStream else { return asked }
    // Stream's tile asks for the smallest picture that reaches nine tenths of it, else for the largest.
    let heights = track.ladder.map(\.format.resolution.height)
    return heights.first { $0 * 10 >= asked * 9 - 9 } ?? heights.last ?? 0
  }

  private func isAbove(_ a: Layer, _ b: Layer) -> Bool {
    (a.id.encoding, a.id.temporal) > (b.id.encoding, b.id.temporal)
  }

  @Test(arguments: 0..<meetings)
  func aLayerAboveTheRequestIsNeverForwardedAndOneAboveTheDecisionOnlyUntilTheSwitch(number: Int) throws {
    var meeting = RandomMeeting(number)
    let scenario = try Meetings.scenario(meeting.text())
    let changes = MeetingInspection.changes(of: scenario.plan, seed: 1)
    #expect(changes.contains { $0.routed != nil })
    let isJanus = meeting.policy == "janus"
    // A key frame takes longer where the estimate has to be found out.
    let longestSwitch = SimDuration.milliseconds(meeting.estimator == "oracle" ? 1500 : 3000)
    // By track: the highest picture that was allowed since what is routed began, and since when it is too high.
    var allowed: [String: Int] = [:]
    var routed: [String: Layer] = [:]
    var aboveSince: [String: SimTime] = [:]
    for track in changes {
      let key = "\(track.viewer) \(track.source)"
      #expect(track.routes <= 1, "\(key) \(track.at)")
      let height = ceiling(track, meeting)

      if let decided = track.decided {
        #expect(decided.format.resolution.height <= height, "\(key) \(track.at)")
        if !meeting.isStream, let asked = track.asked {
          #expect(decided.format.milliFramesPerSecond <= asked.milliFramesPerSecond, "\(key) \(track.at)")
        }
      }
      guard let layer = track.routed else {
        allowed[key] = nil
        routed[key] = nil
        aboveSince[key] = nil
        continue
      }
      // What is routed now was within the request when its encoding began, and is now unless it is being replaced.
      let began = routed[key]?.id.encoding != layer.id.encoding
      // Janus begins with a key frame of any encoding.
      let beginsAnywhere = isJanus && routed[key] == nil
      if began { allowed[key] = beginsAnywhere ? max(height, layer.format.resolution.height) : height }
      #expect(layer.format.resolution.height <= max(allowed[key] ?? 0, height), "\(key) \(track.at)")
      if layer.format.resolution.height > height { #expect(track.isSwitching, "\(key) \(track.at)") }
      routed[key] = layer

      // Above the decision: only while a switch is under way, and then the base layer alone. Janus goes on with everything,
      // and asks for the key frame once.
      let decided = try #require(track.decided, "\(key) \(track.at)")
      if isAbove(layer, decided) {
        #expect(track.isSwitching && (isJanus || layer.id.temporal == 0), "\(key) \(track.at)")
        let since = aboveSince[key] ?? track.at
        aboveSince[key] = since
        #expect(isJanus || track.at - since <= longestSwitch, "\(key) \(track.at)")
      } else {
        if let since = aboveSince[key] {
          #expect(isJanus || track.at - since <= longestSwitch, "\(key) \(track.at)")
        }
        aboveSince[key] = nil
      }
      // Without a switch under way, what is routed is what was decided, or what stands in for it in Janus.
      if !track.isSwitching {
        #expect(layer.id == decided.id || isJanus && !isAbove(layer, decided), "\(key) \(track.at)")
      }
    }
    // None is left behind above its decision when the meeting ends.
    for (key, since) in aboveSince {
      #expect(isJanus || SimTime.zero + scenario.plan.duration - since <= longestSwitch, "\(key)")
    }
  }

  @Test(arguments: (0..<100).filter { $0 % RandomMeeting.policies.count < 3 })
  func noViewerIsShownMoreThanItAskedForInTheLastTwoSeconds(number: Int) throws {
    var meeting = RandomMeeting(number)
    let scenario = try Meetings.scenario(meeting.text())
    let run = try Meetings.run(scenario, interval: .milliseconds(100))
    let rows = Dictionary(grouping: run.tables.rows(of: .streams)) {
      "\($0["viewer"]) \($0["source"])"
    }
    #expect(rows.values.contains { $0.contains { $0["frame_height_px"] != "" } })
    // What BlueJeans gives of a source to a request that is below all of its encodings.
    let lowest = Dictionary(
      uniqueKeysWithValues: scenario.plan.participants.map {
        (
          $0.id,
          meeting.isBlueJeans ? $0.camera?.ladder.encodings.first?.format.resolution.height ?? 0 : 0
        )
      })
    for (key, rows) in rows {
      let asked = rows.map { row in
        row.integerIfPresent("requested_height_px").map { max($0, lowest[row["source"]] ?? 0) } ?? 0
      }
      // Two seconds, or four where the estimate has to be found out.
      let memory = meeting.estimator == "oracle" ? 20 : 40
      for (index, row) in rows.enumerated() {
        guard let shown = row.integerIfPresent("frame_height_px") else { continue }
        #expect(shown <= asked[max(0, index - memory)...index].max() ?? 0, "\(key) \(row["time_s"])")
      }
    }
  }

  @Test func theRandomMeetingsCoverSwitchesInBothDirections() throws {
    var ups = 0
    var downs = 0
    var policies: Set<String> = []
    for number in 0..<Self.meetings {
      var meeting = RandomMeeting(number)
      let changes = MeetingInspection.changes(of: try Meetings.scenario(meeting.text()).plan, seed: 1)
      for track in changes where track.isSwitching {
        guard let layer = track.routed, let decided = track.decided else { continue }
        if layer.id.encoding > decided.id.encoding { downs += 1 } else { ups += 1 }
        policies.insert(meeting.policy)
      }
    }
    #expect(ups > 250 && downs > 250 && policies.count >= 6, "\(ups) up, \(downs) down")
  }
}
