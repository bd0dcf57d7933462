import Ladder
import Meeting
import Metrics
import Plan
import Quantity
import Scenario
import TestSupport
import Testing

@Suite("Rates charged for pushed frames")
struct PushedFramesChargeTests {
  private func run(_ text: String) throws -> MemorySink {
    try Meetings.run(Meetings.scenario("name: test\npolicy: bluejeans\n" + text)).tables
  }

  /// Returns the height and limitation of a tile at a second.
  private func tile(_ tables: MemorySink, _ source: String, _ second: Int, viewer: String = "customer")
    -> String
  {
    let row = tables.stream(viewer: viewer, source: source)[second - 1]
    return "\(row["target_height_px"]) \(row["limitation"])"
  }

  /// 720p at 5 frames per second takes 1280 kbps x 5 / 30 = 213 kbps, plus 1280 for the camera: 1493 of the 1818 kbps
  /// that 2 Mbps leave after headers. At 30 both get 720p15, 1536 in total, and the next step lacks 2048 - 1818 kbps.
  @Test func aViewersBudgetIsChargedWhatIsPushed() throws {
    let tables = try run(
      """
      duration: 40s
      participants:
        - {id: shop, publish: {custom: 720p5, audio: false}}
        - {id: ann, publish: {camera: 720p30, audio: false}}
        - id: customer
          capabilities: {receive-720p: true}
          down: {capacity: 2 Mbps, delay: 10 ms}
          view: {request: [{quality: 720p30, priority: high, participant: shop}, {quality: 720p30, priority: high, participant: ann}]}
      timeline:
        - {at: 10s, participant: shop, push-frames: {fps: 30}}
        - {at: 20s, participant: shop, push-frames: stop}
        - {at: 30s, participant: shop, push-frames: {count: 1}}
        - {at: 31s, participant: shop, push-frames: {count: 1}}
        - {at: 32s, participant: shop, push-frames: {count: 1}}
      """)
    #expect(tile(tables, "shop", 9) == "720 sender" && tile(tables, "ann", 9) == "720 none")
    #expect(tile(tables, "shop", 19) == "720 bandwidth" && tile(tables, "ann", 19) == "720 bandwidth")
    let missing = tables.rows(of: .decisions).compactMap { $0["missing_bps"] }.filter { $0 != "0" }
    #expect(missing == ["229818", "229818"])
    #expect(tile(tables, "shop", 29) == "720 sender" && tile(tables, "ann", 29) == "720 none")
    #expect(tile(tables, "shop", 32) == "720 sender" && tile(tables, "ann", 32) == "720 none")
    let given = tables.rows(of: .decisions).filter { $0["source"] == "shop" }.compactMap { $0["given"] }
    #expect(given == ["r1.2", "r3.2", "r3.1", "r3.2"])
  }

  /// Of 800 kbps, 720p30 does not get the 768 kbps, 60 % of its rate, that it needs at least after headers; 6 of its
  /// frames per second need 256.
  @Test func anUplinkIsChargedWhatIsPushed() throws {
    let tables = try run(
      """
      duration: 24s
      participants:
        - {id: shop, up: {capacity: 800 kbps, delay: 10 ms}, publish: {custom: 720p6, audio: false}}
        - {id: customer, capabilities: {receive-720p: true}, view: {request: [{quality: 720p30, priority: high}]}}
      timeline:
        - {at: 12s, participant: shop, push-frames: {fps: 30}}
      """)
    #expect(tile(tables, "shop", 11) == "720 sender")
    #expect(tile(tables, "shop", 23) == "360 sender-uplink")
    let rows = tables.stream(viewer: "customer", source: "shop")
    #expect((5...11).allSatisfy { rows[$0 - 1]["frames_per_second"] == "6.00" })
  }

  /// Agora recommends 800 kbps for 360p15 and 1200 for 360p30 in live mode; an encoder is set to a single frame rate.
  @Test(arguments: [(15, 800), (30, 1200)])
  func agorasEncoderIsSetToTheStatedFrameRateAsForACamera(rate: Int, kilobits: Int64) throws {
    func bitrate(_ source: String) throws -> Int {
      let scenario = try Meetings.scenario(
        """
        name: test
        policy: agora
        duration: 10s
        participants:
          - {id: shop, publish: {\(source), audio: false}}
          - {id: customer, view: {everybody: 640x360}}
        """)
      let high = try #require(scenario.plan.participants[0].camera?.ladder.encodings.last)
      #expect(high.bitrate == .kilobits(kilobits) && high.format.milliFramesPerSecond == rate * 1000)
      let rows = try Meetings.run(scenario).tables.stream(viewer: "customer", source: "shop")
      #expect(rows[5...].allSatisfy { $0["frames_per_second"] == "\(rate).00" })
      return rows[5...].reduce(0) { $0 + $1.integer("bitrate_bps") } / 5
    }
    let (camera, custom) = (try bitrate("camera: 640x360@\(rate)"), try bitrate("custom: 640x360@\(rate)"))
    #expect(abs(camera - custom) < camera / 20, "\(camera) \(custom)")
  }

  @Test func anIdleAppLeavesTheUplinkToTheScreen() throws {
    func screen(_ isOn: Bool) throws -> Int {
      let tables = try run(
        """
        duration: 12s
        participants:
          - id: shop
            up: {capacity: 360 kbps, delay: 10 ms}
            publish: {custom: {capture: 720p30, on: \(isOn)}, screen: 1280x720@15, audio: false}
          - {id: customer, capabilities: {receive-720p: true}, view: {request: [{quality: 720p30, priority: high}]}}
        """)
      let rows = tables.stream(viewer: "customer", source: "shop/screen")
      return rows[6...].reduce(0) { $0 + $1.integer("bitrate_bps") } / (rows.count - 6)
    }
    // All of its 300 kbps, or half of what 360 kbps carry.
    let (alone, shared) = (try screen(false), try screen(true))
    #expect(alone > 270_000, "\(alone)")
    #expect(shared < 230_000, "\(shared)")
  }

  /// The estimate has to be measured, and low traffic does not raise it.
  @Test func aTileThatGetsAllPushedFramesIsNotBlamedOnBandwidth() throws {
    let tables = try run(
      """
      duration: 30s
      estimator: gcc
      participants:
        - {id: shop, publish: {custom: 720p5, audio: false}}
        - {id: customer, capabilities: {receive-720p: true}, down: {capacity: 1 Mbps, delay: 10 ms}, view: {request: [{quality: 720p30, priority: high}]}}
      timeline:
        - {at: 20s, participant: shop, push-frames: stop}
      """)
    let rows = tables.stream(viewer: "customer", source: "shop")
    for second in 12...20 { #expect(tile(tables, "shop", second) == "720 sender", "\(second)") }
    #expect(rows[11..<20].reduce(0) { $0 + $1.number("frames_per_second") } == 45)
    for second in 22...30 { #expect(tile(tables, "shop", second) == "720 sender", "\(second)") }
  }
}
