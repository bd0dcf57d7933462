import Meeting
import Metrics
import Quantity
import Scenario
import TestSupport
import Testing

@Suite("LiveKit meetings, packet by packet")
struct LiveKitMeetingTests {
  private func meeting(
    _ view: String, _ timeline: String = "[]", publishers: String = "ann", policy: String = "livekit",
    duration: String = "16s", delay: String = "0 ms"
  ) -> String {
    let people = publishers.split(separator: " ").map {
      "  - {id: \($0), up: line, down: line, publish: {camera: 720p30, audio: false}}"
    }
    return """
      name: test
      duration: \(duration)
      policy: \(policy)
      links: {line: {capacity: 100 Mbps, delay: \(delay)}}
      participants:
      \(people.joined(separator: "\n"))
        - {id: viewer, up: line, down: line, view: {\(view)}}
      timeline: \(timeline)
      """
  }

  private func heights(_ tables: MemorySink, _ source: String, at seconds: [Int]) -> [String] {
    let rows = tables.stream(viewer: "viewer", source: source)
    return seconds.map { rows[$0 - 1]["frame_height_px"] }
  }

  /// Returns the changes of the layer granted to a source, as `TIME LAYER`.
  private func decisions(_ tables: MemorySink, of source: String) -> [String] {
    var last: String?
    return tables.rows(of: .decisions).compactMap { row in
      guard row["source"] == source, row["given"] != last else { return nil }
      last = row["given"]
      return "\(row["time_s"]) \(row["given"].isEmpty ? "none" : row["given"])"
    }
  }

  @Test func settingsOfTracksSelectTheirEncodings() throws {
    let tables = try Meetings.tables(
      meeting(
        "signals: {tracks: {ann: {quality: medium}, bob: {size: 356x200}, eve: {disabled: true}, kim: {}}}",
        publishers: "ann bob eve kim", duration: "4s"))
    let shown = ["ann", "bob", "eve", "kim"].map { heights(tables, $0, at: [4])[0] }
    #expect(shown == ["360", "180", "", "720"])
    let limited = ["ann", "bob", "eve", "kim"].map {
      tables.stream(viewer: "viewer", source: $0)[3]["limitation"]
    }
    #expect(limited == ["none", "layer-missing", "off-screen", "none"])
  }

  @Test func aTrackIsMutedAndItsFrameRateLimited() throws {
    let tables = try Meetings.tables(
      meeting(
        "signals: {tracks: {ann: {muted: true}, bob: {fps: 15}}}",
        "[{at: 4s, participant: viewer, signals: {tracks: {ann: {}}}}]", publishers: "ann bob", duration: "8s"
      ))
    #expect(heights(tables, "ann", at: [4, 8]) == ["", "720"])
    #expect(tables.stream(viewer: "viewer", source: "ann")[2]["limitation"] == "muted")
    let rate = tables.stream(viewer: "viewer", source: "bob")[7].number("frames_per_second")
    #expect(abs(rate - 15) <= 1)
  }

  /// The client sends the size when the track has arrived with the connection: as long after its candidates as the
  /// server forwards after their arrival, so the size is there at once; the server waits 100 ms.
  @Test func theHighestQualityIsWantedUntilTheSizeHasBeenTold() throws {
    let tables = try Meetings.tables(
      meeting("signals: {tracks: {ann: {size: 320x180}}}", duration: "4s", delay: "10 ms"))
    let made = decisions(tables, of: "ann")
    #expect(made.map { $0.split(separator: " ")[1] } == ["f.2", "q.2"])
    let times = made.compactMap { $0.split(separator: " ").first.flatMap { Double($0) } }
    #expect(times.count == 2 && abs(times[1] - times[0] - 0.1) < 0.001)
  }

  /// 252 B of a tile's size take 20 ms on an uplink of 100 kbps plus its delay of 10 ms, and the server waits 100 ms.
  @Test func aTilesSizeSharesTheUplink() throws {
    let change = "{at: 4.5s, participant: viewer, signals: {tracks: {ann: {size: 320x180}}}}"
    func changed(_ timeline: String) throws -> Double {
      let text = meeting("signals: {tracks: {ann: {}}}", "[\(timeline)]", duration: "8s")
        .replacing("viewer, up: line", with: "viewer, up: thin")
        .replacing("links: {", with: "links: {thin: {capacity: 100 kbps, delay: 10 ms}, ")
      let last = try #require(decisions(Meetings.tables(text), of: "ann").last).split(separator: " ")
      #expect(last[1] == "q.2")
      return Double(last[0]) ?? .nan
    }
    #expect(abs(try changed(change) - 4.630) < 0.001)
    // Lost with the link, it is resent when its timer expires, 200 ms plus a round trip later.
    let lost = try changed("{at: 4.4s, link: viewer/up, down: 300ms}, " + change)
    #expect(lost > 4.83 && lost < 5)
  }

  @Test func aTrackThatIsEnabledAnewIsAtTheHighestQualityAtOnce() throws {
    let tables = try Meetings.tables(
      meeting(
        "signals: {tracks: {ann: {size: 640x360}}}",
        """

          - {at: 8s, participant: viewer, signals: {tracks: {ann: {size: 640x360, disabled: true}}}}
          - {at: 10s, participant: viewer, signals: {tracks: {ann: {size: 640x360}}}}
        """, duration: "12s"))
    // f, which nobody has wanted for more than 5 s, starts with its next frame.
    let made = decisions(tables, of: "ann").suffix(4)
    #expect(made == ["8.100 none", "10.000 h.2", "10.023 f.2", "10.100 h.2"])
  }

  /// Layers that stop on their own count again after 10 s; those of a camera that is unmuted count at once.
  @Test func afterAMuteTheLayersCountAtOnce() throws {
    let tables = try Meetings.tables(
      meeting(
        "signals: {tracks: {ann: {size: 640x360}}}",
        "[{at: 5s, participant: ann, mute: video}, {at: 9s, participant: ann, unmute: video}]",
        duration: "12s"))
    #expect(heights(tables, "ann", at: [4, 8, 12]) == ["360", "", "360"])
  }

  /// A change within the server's debounce restarts it.
  @Test func settingsAreDebouncedAndATrackNamedAnewReplacesItsSettings() throws {
    let tables = try Meetings.tables(
      meeting(
        "signals: {tracks: {ann: {size: 640x360, fps: 5}, bob: {quality: low}}}",
        """

          - {at: 3s, participant: viewer, signals: {tracks: {ann: {size: 320x180}}}}
          - {at: 3.05s, participant: viewer, signals: {tracks: {ann: {quality: medium}}}}
        """, publishers: "ann bob", duration: "6s"))
    #expect(decisions(tables, of: "ann").last == "3.150 h.2")
    #expect(heights(tables, "bob", at: [6]) == ["180"])
    let events = tables.rows(of: .events).filter { $0["event"] == "signals" }
    #expect(
      events.map { "\($0["detail"]): \($0["result"])" }
        == ["tracks ann size 320x180: ok", "tracks ann quality medium: ok"])
  }

  @Test func withAdaptiveStreamSignalsBeginWithTheLowestQuality() throws {
    let tables = try Meetings.tables(
      meeting("signals: {tracks: {ann: {}, bob: {size: 720p}}, adaptive-stream: true}", publishers: "ann bob")
    )
    #expect(heights(tables, "ann", at: [4]) == ["180"])
    // While nothing is forwarded, a key frame of any encoding will do; that of the lowest is requested.
    let given = decisions(tables, of: "bob").map { $0.split(separator: " ")[1] }
    #expect(given == ["f.2", "q.2", "f.2"])
  }

  /// Tiles of 300 points, two of which fit on a screen of 600; adaptive stream reports points.
  @Test func tilesThatLeaveTheScreenAreDisabledAndThoseThatComeAreShownAtOnce() throws {
    let tables = try Meetings.tables(
      meeting(
        "container: {kind: list, size: 400x300, spacing: 0, own-tile: false}, screen: 400x600@2",
        "[{at: 4s, participant: viewer, scroll: 300}]", publishers: "ann bob eve", duration: "8s"))
    #expect(heights(tables, "ann", at: [4, 8]) == ["360", ""])
    #expect(heights(tables, "bob", at: [4, 8]) == ["360", "360"])
    #expect(heights(tables, "eve", at: [4, 8]) == ["", "360"])
    // 100 ms in the client, and 100 ms in the server.
    #expect(decisions(tables, of: "ann").last == "4.200 none")
    // h, which nobody has wanted before, starts with its next frame.
    #expect(decisions(tables, of: "eve").suffix(2) == ["4.000 q.2", "4.023 h.2"])
    let given = decisions(tables, of: "eve").map { $0.split(separator: " ")[1] }
    #expect(given.prefix(2) == ["f.2", "q.2"])
  }

  @Test func withAdaptiveStreamVideoStopsFiveSecondsAfterTheAppHasLeftTheScreen() throws {
    let timeline = "[{at: 3s, participant: viewer, background: none}]"
    let adaptive = try Meetings.tables(meeting("everybody: 360p", timeline, duration: "12s"))
    #expect(heights(adaptive, "ann", at: [8, 10]) == ["360", ""])
    let plain = try Meetings.tables(meeting("signals: {tracks: {ann: {}}}", timeline, duration: "12s"))
    #expect(heights(plain, "ann", at: [8, 10]) == ["720", "720"])
  }
}
