import Ladder
import Meeting
import Metrics
import Plan
import Quantity
import Scenario
import TestSupport
import Testing

/// 250 random meetings, inspected after every event.
@Suite("SFU forwarding, event by event")
struct ForwardingInvariantTests {
  private static let meetings = 250

  /// Returns the maximum picture height allowed for a subscription.
  private func ceiling(_ track: TrackInspection, _ meeting: RandomMeeting) -> Int {
    guard let asked = track.asked?.resolution.height else { return 0 }
    // Janus relays the lowest encoding to a request below all of them; BlueJeans relays one of 180p.
    let lowest = track.ladder.first?.format.resolution.height ?? 0
    if meeting.policy == "janus" || meeting.isBlueJeans && lowest <= 180 { return max(asked, lowest) }
    guard meeting.isStream else { return asked }
    // Stream's tile requests the smallest picture that reaches nine tenths of it, or else the largest.
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
    // A key frame takes longer if the capacity has to be estimated.
    let longestSwitch = SimDuration.milliseconds(meeting.estimator == "oracle" ? 1500 : 3000)
    // By track: the highest picture allowed since the routed encoding started, and the time since which it is too high.
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
      // The routed layer was within the request when its encoding started, and still is unless it is being replaced.
      let began = routed[key]?.id.encoding != layer.id.encoding
      // Janus starts with a key frame of any encoding.
      let beginsAnywhere = isJanus && routed[key] == nil
      if began { allowed[key] = beginsAnywhere ? max(height, layer.format.resolution.height) : height }
      #expect(layer.format.resolution.height <= max(allowed[key] ?? 0, height), "\(key) \(track.at)")
      if layer.format.resolution.height > height { #expect(track.isSwitching, "\(key) \(track.at)") }
      routed[key] = layer

      // Above the decision: only while a switch is in progress, and then only the base layer. Janus continues with
      // everything, and requests the key frame once.
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
      // With no switch in progress, the routed layer is the decided one, or its substitute in Janus.
      if !track.isSwitching {
        #expect(layer.id == decided.id || isJanus && !isAbove(layer, decided), "\(key) \(track.at)")
      }
    }
    // None is still above its decision when the meeting ends.
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
    // The height that BlueJeans grants to a request below all of a source's encodings.
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
      // Two seconds, or four if the capacity has to be estimated.
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
