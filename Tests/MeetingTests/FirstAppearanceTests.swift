import Meeting
import Metrics
import Quantity
import TestSupport
import Testing

/// Values of tiles that come on the screen in the middle of an interval.
@Suite("First appearances")
struct FirstAppearanceTests {
  private static let late = """
    name: late
    duration: 10s
    policy: mediasoup
    estimator: gcc
    participants:
      - {id: p, count: 12, publish: {camera: 720p30}}
      - {id: late, join: 5.5s, view: {everybody: 320x180}}
    """

  private func value(_ metric: String, of source: String, _ tables: MemorySink) throws -> Double {
    try #require(
      tables.rows(of: .scalars).first {
        $0["viewer"] == "late" && $0["source"] == source && $0["metric"] == metric
      }
    ).number("value")
  }

  /// mediasoup's client takes one source after the other. All tiles are on the screen from 5.53 s on, so whoever waits
  /// longest has seen least: frames over 4.47 s, and nothing until the first of them.
  @Test(arguments: [SimDuration.seconds(1), .milliseconds(100)])
  func theWaitOnTheScreenCounts(interval: SimDuration) throws {
    let tables = try Meetings.run(Meetings.scenario(Self.late), interval: interval).tables
    let appeared = try #require(
      tables.rows(of: .layout).first { $0["viewer"] == "late" && $0["source"] == "p-12" }
    ).number("time_s")
    #expect(abs(appeared - 5.53) < 0.01)
    for source in ["p-1", "p-6", "p-7", "p-12"] {
      let rows = tables.stream(viewer: "late", source: source)
      let frames = rows.reduce(0) { $0 + $1.number("frames_per_second") * interval.seconds }
      let rate = try value("frames_per_second", of: source, tables)
      #expect(abs(rate - frames / (10 - appeared)) < 0.02, "\(source)")
      let delay = try value("first_frame_delay", of: source, tables)
      let share = try value("pixels_of_screen", of: source, tables)
      #expect(abs(share - (1 - delay / (10 - appeared))) < 0.045, "\(source): \(share), \(delay) s")
    }
    #expect(try value("first_frame_delay", of: "p-12", tables) > 0.7)
    // A tile that waits is asked for on the screen, and dark.
    let waiting = tables.stream(viewer: "late", source: "p-12").first { $0["time_s"] == "6.000" }
    #expect(waiting?["state"] == "absent" && waiting?["limitation"] == "starting")
    #expect(waiting?["tile_height_px"] == "180" && waiting?["frame_height_px"] == "")
  }

  /// Who joins at 10 s has no row at 10 s. A camera of 320x180 in 30 frames a second is decoded from then on.
  @Test func anIntervalBeforeAJoinIsNobodys() throws {
    let text = """
      name: join
      duration: 20s
      policy: mediasoup
      participants:
        - {id: a, publish: {camera: 320x180@30}}
        - {id: late, join: 10s, view: {tiles: {a: 320x180}}}
      """
    let tables = try Meetings.run(Meetings.scenario(text)).tables
    #expect(tables.stream(viewer: "late", source: "a").map { $0["time_s"] }.first == "11.000")
    #expect(try value("time_off_screen", of: "a", tables) == 0)
    let frames = tables.stream(viewer: "late", source: "a").reduce(0) { $0 + $1.number("frames_per_second") }
    #expect(abs(try value("decoded_pixels_per_s", of: "", tables) - frames * 320 * 180 / 10) < 1)
  }

  /// Pages of two, turned at 3, 6 and 8 s. `c` has no uplink from 2.5 s on: its visit of three seconds passes without a
  /// picture, which its later visits on the first page cannot be. `d` is off; `a` comes twice, and waits longer for its key
  /// frame the second time than at the start, or the other way round.
  @Test func everyComingOnTheScreenIsAWaitForAPicture() throws {
    let text = """
      name: pages
      duration: 10s
      policy: jitsi
      estimator: oracle
      participants:
        - {id: a, publish: {camera: 320x180@30}}
        - {id: b, publish: {camera: 320x180@30}}
        - {id: c, publish: {camera: 320x180@30}}
        - {id: d, publish: {camera: {capture: 320x180@30, on: false}}}
        - {id: late, view: {everybody: 320x180, per-page: 2}}
      timeline:
        - {at: 2.5s, link: c/up, down: 30s}
        - {at: 3s, participant: late, page: 2}
        - {at: 6s, participant: late, page: 1}
      """
    let tables = try Meetings.run(Meetings.scenario(text), interval: .milliseconds(100)).tables
    func turns(_ source: String, visible: Bool) -> [Double] {
      tables.rows(of: .layout).filter {
        $0["source"] == source && ($0["visible_frac"] != "0.0000") == visible
      }.map { $0.number("time_s") }
    }
    let (on, off) = (turns("c", visible: true), turns("c", visible: false))
    #expect(abs(try value("picture_delay", of: "c", tables) - (off[0] - on[0])) < 0.002)
    // The first frame of each visit ends an interval in which it came.
    let waits = turns("a", visible: true).map { begin in
      tables.stream(viewer: "late", source: "a").first {
        $0.number("time_s") > begin && $0.number("frames_per_second") > 0
      }.map { $0.number("time_s") - begin } ?? 0
    }
    let longest = try #require(waits.max())
    #expect(waits.count == 2)
    let delay = try value("picture_delay", of: "a", tables)
    #expect(delay <= longest && delay > longest - 0.1)
    #expect(
      !tables.rows(of: .scalars).contains {
        $0["source"] == "d" && $0["metric"] == "picture_delay" && $0["value"] != ""
      })
  }
}
