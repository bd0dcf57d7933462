import Meeting
import Metrics
import Scenario
import TestSupport
import Testing

/// Packets, bytes and frames along the whole path, with repairs, padding, voices and RTCP.
@Suite("Packets, bytes and frames are conserved")
struct ConservationTests {
  private func meeting(_ link: String, estimator: String = "gcc") throws -> LoadedScenario {
    try Meetings.scenario(
      """
      name: books
      duration: 30s
      policy: bluejeans
      estimator: \(estimator)
      audio: {forward: all}
      speech: talk-spurts
      links:
        fast: {capacity: 20 Mbps, delay: 10 ms}
        tested: \(link)
      participants:
        - {id: ann, up: tested, down: fast, publish: {camera: 720p30}}
        - {id: bob, up: fast, down: tested, publish: {camera: 360p30}, view: {layout: gallery-25}}
        - {id: eve, up: fast, down: fast, publish: {camera: 360p30}, view: {layout: gallery-25}}
      """)
  }

  private static let links = [
    "{capacity: 4 Mbps, delay: 30 ms}", "{capacity: 800 kbps, delay: 30 ms, queue: 100 ms}",
    "{capacity: 4 Mbps, delay: 30 ms, loss: 5 %, jitter: 10 ms}",
    "{capacity: 4 Mbps, delay: 30 ms, loss: 5 %, jitter: 10 ms, reordering: true}",
    "{capacity: 4 Mbps, delay: 30 ms, loss: {mean: 3 %, burst: 8}}",
    "{capacity: [{at: 0s, to: 4 Mbps}, {at: 10s, to: 0 bps}, {at: 15s, to: 4 Mbps}], delay: 30 ms}",
    "{capacity: 4 Mbps, delay: 30 ms, loss: 30 %}",
  ]

  @Test(
    "What senders numbered is what links were given, and what links delivered is what receivers noted",
    arguments: links)
  func packets(link: String) throws {
    let ledger = MeetingLedger(of: try meeting(link).plan, seed: 3)
    #expect(ledger.ways.count == 6)
    for way in ledger.ways {
      #expect(way.offered == way.mediaSent + way.controlSent, "\(way)")
      let onTheWay = way.offered - way.delivered - way.dropped - way.lost
      // Up to a queue of 300 ms and a delay of 30 ms at 4 Mbps, in packets averaging at least 500 bytes.
      #expect(0...350 ~= onTheWay, "\(way)")
      let controlArrived = way.delivered - way.mediaArrived
      #expect(0...way.controlSent ~= controlArrived, "\(way)")
      if way.dropped + way.lost == 0 { #expect(way.controlSent - controlArrived <= onTheWay) }
    }
  }

  @Test(
    "Frames that were complete are decoded, dropped or waiting; packets that came are numbered ones",
    arguments: links)
  func frames(link: String) throws {
    let ledger = MeetingLedger(of: try meeting(link).plan, seed: 4)
    // With 30 % lost, the estimate falls to its minimum, and pictures may not arrive at all.
    #expect(ledger.receptions.count == 4 || link.contains("30 %"))
    for track in ledger.receptions {
      #expect(
        track.framesReceived == track.framesDecoded + track.framesDropped + track.framesWaiting, "\(track)")
      #expect(track.framesDecoded > 100 || link.contains("30 %"))
      // Packets that did not arrive were found missing; most of them were repaired.
      let unrepaired = track.numbered - track.packetsReceived
      #expect(0...track.packetsLost ~= unrepaired, "\(track)")
    }
  }

  @Test(
    "Without loss the bytes of a way are those of its voices, pictures, padding and RTCP", arguments: [1, 2])
  func bytes(seed: UInt64) throws {
    let loaded = try meeting("{capacity: 3 Mbps, delay: 30 ms}")
    let tables = try Meetings.run(loaded, seed: seed).tables
    let ledger = MeetingLedger(of: loaded.plan, seed: seed)
    let way = try #require(ledger.ways.first { $0.participant == "bob" && !$0.isUp })
    func bytes(_ table: [Row], _ column: String) -> Int64 {
      table.reduce(0) { $0 + Int64($1.integer(column)) } / 8
    }
    let own = tables.rows(of: .participants).filter { $0["participant"] == "bob" }
    let pictures = tables.rows(of: .streams).filter { $0["viewer"] == "bob" }
    #expect(bytes(own, "down_bitrate_bps") == way.deliveredBytes)
    let parts =
      bytes(own, "audio_bitrate_bps") + bytes(pictures, "bitrate_bps") + way.paddingBytes + way.controlBytes
    // Padding and RTCP may still be in flight, for 30 ms and a queue of 300 ms.
    #expect(0...125_000 ~= parts - way.deliveredBytes, "\(parts) \(way)")
    #expect(way.paddingBytes > 0 && way.controlBytes > 0)
  }
}
