import Ladder
import Media
import Meeting
import Metrics
import Parameters
import Plan
import Quantity
import Scenario
import Systems
import TestSupport
import Testing
import Vendors

@Suite("Captured and received camera formats")
struct CaptureMeetingTests {
  /// Returns the seventh second of one camera at a viewer who requests a quality.
  private func received(_ camera: String, asking quality: String) throws -> Row {
    let text = """
      name: test
      duration: 8s
      participants:
        - {id: a, publish: {camera: \(camera), audio: false}}
        - {id: b, capabilities: {receive-720p: true}, view: {request: [{quality: \(quality), priority: high, participant: a}]}}
      """
    return try Meetings.run(Meetings.scenario(text)).tables.stream(viewer: "b", source: "a")[6]
  }

  @Test(arguments: 1...60)
  func aCameraMayCaptureAtAnyWholeFrameRate(rate: Int) throws {
    let row = try received("720p\(rate)", asking: "720p30")
    #expect(row["frame_width_px"] == "1280" && row["frame_height_px"] == "720")
    let frames = try #require(row.numberIfPresent("frames_per_second"))
    // A camera out of step with the seconds has one frame more or less in some of them.
    #expect(abs(frames - Double(min(rate, 30))) <= 1)
  }

  @Test(arguments: ["bluejeans", "webrtc-vp8", "stream"], [24, 20, 16, 48])
  func aRequestForFifteenFramesNeverDeliversMore(ladder: String, rate: Int) throws {
    let row = try received("{capture: 720p\(rate), ladder: \(ladder)}", asking: "720p15")
    let frames = try #require(row.numberIfPresent("frames_per_second"))
    #expect(frames > 6 && frames <= 15.5)
  }

  @Test(
    arguments: [
      ("720x1280@30", "720p30", "720", "1280", "none"), ("720x1280@30", "360p30", "360", "640", "none"),
      ("480x640@30", "360p30", "360", "480", "none"), ("480x640@30", "720p30", "480", "640", "sender"),
      ("640x480@30", "360p30", "480", "360", "none"), ("640x480@30", "720p30", "640", "480", "sender"),
    ])
  func portraitAndOddSizesKeepTheirShape(
    camera: String, quality: String, width: String, height: String, limitation: String
  ) throws {
    let row = try received(camera, asking: quality)
    #expect(row["frame_width_px"] == width && row["frame_height_px"] == height)
    #expect(row["limitation"] == limitation)
  }

  @Test func aCameraThatStartsOffIsMutedUntilItIsTurnedOn() throws {
    let text = """
      name: test
      duration: 10s
      participants:
        - {id: a, publish: {camera: {capture: 360p15, "on": false}, audio: false}}
        - {id: b, view: {request: [{quality: 360p15, participant: a}]}}
      timeline:
        - {at: 5s, participant: a, unmute: video}
      """
    let rows = try Meetings.run(Meetings.scenario(text)).tables.stream(viewer: "b", source: "a")
    #expect(rows[3]["state"] == "muted" && rows[3]["bitrate_bps"] == "0")
    #expect(rows[8]["state"] == "receiving" && rows[8]["frames_per_second"] == "15.00")
  }

  @Test(arguments: [("live", "800000"), ("communication", "400000")])
  func agorasChannelProfileSetsTheDefaultBitRates(profile: String, bits: String) throws {
    let ladder = Ladder.agora(
      capture: VideoFormat(.p360, framesPerSecond: 15),
      profile: try #require(AgoraParameters.Profile(rawValue: profile)))
    #expect(ladder.encodings[1].bitrate.bitsPerSecond == Int64(bits))
    let low = ladder.encodings[0]
    #expect(
      (low.format.description, low.bitrate.bitsPerSecond)
        == (profile == "live" ? ("192x108@5", 50_000) : ("288x162@5", 40_000)))
  }

  @Test func agorasLowStreamIsWhatTheAppSets() throws {
    let text = """
      name: test
      duration: 8s
      policy: {name: agora, dual-stream: enable, default-stream: low}
      participants:
        - {id: a, publish: {camera: {capture: 1280x720@15, low: {size: 240x136, fps: 10, bitrate: 90 kbps}}}}
        - {id: b, view: {everybody: 640x360, follow-screen: false}}
      """
    let row = try Meetings.run(Meetings.scenario(text)).tables.stream(viewer: "b", source: "a")[6]
    #expect(row["frame_width_px"] == "240" && row["frame_height_px"] == "136")
    #expect(row["frames_per_second"] == "10.00")
  }

  @Test(
    arguments: [
      ("360x640@15", "320x180", "180x320"), ("640x360@15", "120x160", "160x120"),
      ("360x640@15", "120x160", "120x160"), ("480x480@15", "120x160", "120x160"),
    ])
  func agorasLowStreamIsTurnedAsTheCaptureIs(capture: String, size: String, low: String) throws {
    for ladder in ["", ", ladder: agora-dual"] {
      let text = """
        name: test
        duration: 1s
        policy: agora
        participants:
          - {id: a, publish: {camera: {capture: \(capture), low: {size: \(size)}\(ladder)}}}
        """
      let encodings = try Meetings.scenario(text).plan.participants[0].camera?.ladder.encodings
      #expect(encodings?.first?.format.description == "\(low)@5")
    }
  }

  @Test(arguments: [("16", true), ("15", false), ("1", false)])
  func agorasLowStreamHasNoMoreFramesThanTheCapture(fps: String, isRefused: Bool) throws {
    let text = """
      name: test
      duration: 1s
      policy: agora
      participants:
        - {id: a, publish: {camera: {capture: 640x360@15, low: {fps: \(fps)}}}}
      """
    guard isRefused else {
      let low = try Meetings.scenario(text).plan.participants[0].camera?.ladder.encodings.first
      #expect(low?.format.framesPerSecond == Double(fps))
      return
    }
    #expect {
      try Meetings.scenario(text)
    } throws: {
      "\($0)".contains(
        "fps: 16 is more than the capture has, 360p15: lower it, or capture more frames")
    }
  }

  /// Agora's 1280x720 at 30 fps takes 3420 kbit/s in live mode: the web client of BlueJeans sends 2400.
  @Test func noEncodingTakesMoreThanAParticipantMaySend() throws {
    let text = """
      name: test
      duration: 1s
      policy: {name: bluejeans, send-cap: 2400 kbps}
      participants:
        - {id: a, publish: {camera: {capture: 720p30, ladder: agora-dual}}}
      """
    let ladder = try Meetings.scenario(text).plan.participants[0].camera?.ladder
    #expect(ladder?.encodings.map(\.bitrate.bitsPerSecond) == [45_000, 2_400_000])
    #expect(ladder?.encodings.last?.format.resolution == .p720)
  }

  @Test(
    arguments: [
      ("ladder: webrtc-vp8, low: {fps: 5}", "low: this ladder has no low stream"),
      ("ladder: agora-dual, low: {size: 800x600}", "size: 800x600 is too large: at most 640x480 or 480x640"),
      ("ladder: agora-dual, low: {bitrate: 1200 kbps}", "is out of range: above 0, at most 1 Mbps"),
      ("ladder: bluejeans, degradation: balanced", "degradation: has no effect on 4 encodings"),
      ("ladder: bluejeans, maximum: 600 kbps", "leaves nothing for the highest encoding"),
      ("ladder: bluejeans, minimum: 100 kbps", "is more than the lowest encoding's rate, 99 kbps"),
    ])
  func aKeyThatCannotApplyIsAnErrorWithItsCure(keys: String, message: String) {
    #expect {
      try received("{capture: 720p30, \(keys)}", asking: "720p30")
    } throws: {
      "\($0)".contains(message)
    }
  }
}

/// Every key of a camera or screen, with every ladder, in every system: it changes what is sent, or it is refused.
@Suite("Keys of cameras and screens")
struct SourceKeyTests {
  private static let cases = Catalogue.standard.systems.entries.flatMap { system in
    ([nil] + Catalogue.standard.systems.ladders).flatMap { ladder in
      ["camera", "screen"].map { (system.name, ladder?.name, $0) }
    }
  }

  private func tables(
    _ system: String, _ kind: String, _ keys: [String], uplink: BitRate = .megabits(20)
  ) throws -> String {
    let policy = system == "agora" ? "{name: agora, dual-stream: enable, default-stream: low}" : system
    let text = """
      name: test
      duration: 5s
      policy: \(policy)
      participants:
        - id: a
          up: {capacity: \(uplink.bitsPerSecond) bps, delay: 10 ms}
          publish: {audio: false, \(kind): {\(keys.joined(separator: ", "))}}
        - {id: b, capabilities: {receive-720p: true}, view: {everybody: 1280x720}}
        - {id: c, view: {everybody: 160x90\(system == "vonage" ? ", preferred: [{size: auto}]" : "")}}
      """
    let tables = try Meetings.run(Meetings.scenario(text)).tables
    return (tables.rows(of: .streams) + tables.rows(of: .links)).map(\.description)
      .joined(separator: "\n")
  }

  @Test(arguments: cases)
  func haveAnEffectOrAreRefused(system: String, ladder: String?, kind: String) throws {
    let base = ["capture: 1280x720@30"] + (ladder.map { ["ladder: \($0)"] } ?? [])
    let registered = try #require(Catalogue.standard.systems.entries.first { $0.name == system })
    let capture = VideoFormat(.p720, framesPerSecond: 30)
    let encodings =
      (Catalogue.standard.systems.ladders.first { $0.name == ladder }?.of(capture)
      ?? registered.system().ladder(
        of: kind == "screen" ? .screen : .camera, capture: capture, clients: 3)).encodings
    let lowest = try #require(encodings.first)
    let most = registered.system().traits.sendCap.confining(try #require(encodings.last).bitrate)
    // A controller orders the rates of encodings.
    let isOrdered = registered.system().controller != nil
    let wide = try tables(system, kind, base)
    let uplink = lowest.bitrate.scaled(by: 0.8)
    let narrow = try tables(system, kind, base, uplink: uplink)

    #expect(try tables(system, kind, base + ["\"on\": false"]) != wide)
    #expect(
      try tables(system, kind, base + ["maximum: \(most.scaled(by: 0.7).bitsPerSecond) bps"])
        != wide)
    #expect(try tables(system, kind, base + ["content: 60 kbps"]) != wide)
    // Viewers of a screen request its highest encoding.
    if kind == "camera" || encodings.count == 1 {
      let minimum = "minimum: \(lowest.bitrate.scaled(by: 0.95).bitsPerSecond) bps"
      if isOrdered {
        #expect(throws: Meetings.Failure.self) { try tables(system, kind, base + [minimum]) }
      } else {
        #expect(try tables(system, kind, base + [minimum], uplink: uplink) != narrow)
      }
    }
    let degradation =
      base + ["degradation: \(kind == "screen" ? "maintain-framerate" : "maintain-resolution")"]
    if encodings.count == 1, !isOrdered {
      #expect(
        try tables(system, kind, degradation, uplink: uplink.scaled(by: 0.3))
          != tables(system, kind, base, uplink: uplink.scaled(by: 0.3)))
    } else {
      #expect(throws: Meetings.Failure.self) { try tables(system, kind, degradation) }
    }
    if lowest.rid == "low" {
      if kind == "camera" { #expect(try tables(system, kind, base + ["low: {fps: 3}"]) != wide) }
    } else {
      #expect(throws: Meetings.Failure.self) { try tables(system, kind, base + ["low: {fps: 3}"]) }
    }
  }
}
