/// A small meeting of random people, links, views and events, as a scenario's text; the same number gives the same one.
struct RandomMeeting {
  private var state: UInt64
  let policy: String

  /// - Parameter number: from 0; meetings of six consecutive numbers have six policies.
  init(_ number: Int) {
    state = UInt64(number) &* 0x9e37_79b9_7f4a_7c15 &+ 1
    let policies = [
      "bluejeans", "{name: bluejeans, missing-360p: 180p, ramp-time: 0s}",
      "{name: agora, fallback: audio-only}",
      "{name: stream, client: javascript}", "{name: stream, client: ios}",
      "vonage",
    ]
    policy = policies[number % policies.count]
  }

  var isStream: Bool { policy.contains("stream") }
  private var isAgora: Bool { policy.contains("agora") }
  private var isBlueJeans: Bool { policy.contains("bluejeans") }
  private var isVonage: Bool { policy.contains("vonage") }

  /// SplitMix64 (Steele, Lea, Flood 2014).
  private mutating func next(_ count: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((z ^ (z >> 31)) % UInt64(count))
  }

  private mutating func pick(_ values: [String]) -> String { values[next(values.count)] }

  private let sizes = ["160x90", "320x180", "480x270", "640x360", "1280x720"]
  private let qualities = ["720p30", "720p15", "360p30", "360p15", "180p30", "180p15", "90p15", "90p7"]

  private mutating func request(_ people: [String]) -> String {
    let hasPriorities = next(3) > 0
    var entries: [String] = []
    for place in 0..<1 + next(people.count) {
      var entry = "quality: \(pick(qualities))"
      if hasPriorities { entry += ", priority: \(pick(["high", "medium", "low"]))" }
      if !hasPriorities || next(3) == 0 { entry += ", participant: \(people[place])" }
      entries.append("{\(entry)}")
    }
    return "[\(entries.joined(separator: ", "))]"
  }

  private mutating func view(_ people: [String]) -> String {
    if isBlueJeans {
      if next(2) == 0 { return "request: \(request(people))" }
      return "layout: \(pick(["speaker", "people", "filmstrip", "gallery-9", "gallery-25"]))"
    }
    switch next(4) {
    case 0: return "everybody: \(pick(sizes))"
    case 1: return "grid: \(pick(["agora-squares", "stream-grid", "stream-pages"])), screen: 390x844@2"
    case 2:
      let kind = pick(["list", "row", "grid"])
      return
        "container: {kind: \(kind), size: 320x180}, screen: 390x844@2, picture-in-picture: {participant: \(people[0])}"
    default:
      return "tiles: [\(people.map { "{participant: \($0), size: \(pick(sizes))}" }.joined(separator: ", "))]"
    }
  }

  private mutating func event(_ people: [String]) -> String {
    let who = pick(people)
    let viewer = "viewer-\(1 + next(2))"
    switch next(isBlueJeans ? 10 : 12) {
    case 0: return "participant: \(who), speaks: 1s"
    case 1: return "participant: \(who), mute: video"
    case 2: return "participant: \(who), unmute: video"
    case 3:
      return "participant: \(viewer), background: \(pick(["true", "none", "{picture-in-picture: \(who)}"]))"
    case 4: return "participant: \(viewer), foreground: true"
    case 5, 6: return "link: \(viewer)/down, capacity: \(200 + next(30) * 100) kbps"
    case 7: return "link: \(who)/up, capacity: \(400 + next(20) * 100) kbps"
    case 8 where isBlueJeans: return "participant: \(viewer), request: \(request(people))"
    case 9 where isBlueJeans:
      return "participant: \(viewer), layout: \(pick(["custom", "speaker", "people", "gallery-9"]))"
    case 8: return "participant: \(viewer), resize: {participant: \(who), to: \(pick(sizes))}"
    case 9: return "participant: \(viewer), \(pick(["hide", "show"])): \(who)"
    case 10 where isAgora:
      return "participant: \(viewer), stream-type: {participant: \(who), type: \(pick(["low", "high"]))}"
    case 10 where isVonage:
      return
        "participant: \(viewer), preferred: {participant: \(who), size: \(pick(sizes + ["auto", "none"]))}"
    case 10: return "participant: \(viewer), override: {size: \(pick(sizes + ["off", "none"]))}"
    default: return "participant: \(viewer), scroll: \(next(1000))"
    }
  }

  /// The scenario.
  mutating func text() -> String {
    let people = (1...2 + next(3)).map { "person-\($0)" }
    var lines = ["name: random", "duration: 14s", "policy: \(policy)", "participants:"]
    for person in people {
      let camera = pick(["720p30", "720p30", "360p30", "640x360@15"])
      let ladder = isBlueJeans ? ", ladder: \(pick(["bluejeans", "bluejeans-thumbnails", "webrtc-vp8"]))" : ""
      lines.append("  - {id: \(person), publish: {camera: {capture: \(camera)\(ladder)}, audio: false}}")
    }
    for number in 1...2 {
      lines.append(
        "  - {id: viewer-\(number), publish: audio-only, capabilities: {receive-720p: \(number == 1)}, "
          + "view: {\(view(people))}}")
    }
    lines.append("timeline:")
    for place in 0..<12 { lines.append("  - {at: \(1000 + place * 1000 + next(900)) ms, \(event(people))}") }
    return lines.joined(separator: "\n")
  }
}
