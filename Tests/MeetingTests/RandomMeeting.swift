import TestSupport

/// A small meeting of random people, links, views and events, as a scenario's text; the same number gives the same
/// meeting.
struct RandomMeeting {
  /// The network between the participants and the SFU.
  enum Network {
    /// Plain links without random loss.
    case plain
    /// Loss, jitter, queue disciplines, token buckets, varying capacity, shared links and cross traffic; participants
    /// join and leave.
    case rough
  }

  static let policies = [
    "bluejeans", "{name: bluejeans, missing-360p: 180p, ramp-time: 0s}",
    "{name: agora, fallback: audio-only}",
    "{name: stream, client: javascript}", "{name: stream, client: ios}",
    "vonage", "janus",
  ]
  /// All policies, including those of servers with a rule of their own, whose forwarding has different bounds.
  static let allPolicies =
    policies + [
      "livekit", "jitsi", "mediasoup", "{name: janus, allocation: true}", "signal", "gso", "best",
    ]
  static let estimators = ["oracle", "gcc", "nada"]

  private var draws: SplitMix
  let policy: String
  let estimator: String
  let network: Network

  /// - Parameter number: from 0; policies and estimators rotate with it, those of all servers on rough networks.
  init(_ number: Int, network: Network = .plain) {
    draws = SplitMix(seed: UInt64(number) &* 0x9e37_79b9_7f4a_7c15 &+ 1)
    let policies = network == .rough ? Self.allPolicies : Self.policies
    policy = policies[number % policies.count]
    estimator = Self.estimators[number % Self.estimators.count]
    self.network = network
  }

  var isStream: Bool { policy.contains("stream") }
  private var isAgora: Bool { policy.contains("agora") }
  var isBlueJeans: Bool { policy.contains("bluejeans") }
  private var isVonage: Bool { policy.contains("vonage") }

  private mutating func next(_ count: Int) -> Int { draws.below(count) }

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
    if network == .rough, next(3) == 0 { return roughEvent(people) }
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
    case 10 where isStream:
      return "participant: \(viewer), override: {size: \(pick(sizes + ["off", "none"]))}"
    default: return "participant: \(viewer), scroll: \(next(1000))"
    }
  }

  /// Returns the scenario's text.
  mutating func text() -> String {
    let people = (1...2 + next(3)).map { "person-\($0)" }
    let isRough = network == .rough
    var lines = ["name: random", "duration: \(isRough ? "9.5s" : "14s")", "policy: \(policy)"]
    lines.append("estimator: \(estimator)")
    if isRough { lines += roughLinks() }
    lines.append("participants:")
    for person in people {
      let camera = pick(["720p30", "720p30", "360p30", "640x360@15"])
      let ladder = isBlueJeans ? ", ladder: \(pick(["bluejeans", "bluejeans-thumbnails", "webrtc-vp8"]))" : ""
      lines.append(
        "  - {id: \(person), publish: {camera: {capture: \(camera)\(ladder)}, audio: \(isRough)}\(links())}")
    }
    for number in 1...2 {
      lines.append(
        "  - {id: viewer-\(number), publish: audio-only, capabilities: {receive-720p: \(number == 1)}, "
          + "view: {\(view(people))}\(links())}")
    }
    lines.append("timeline:")
    let events = isRough ? 8 : 12
    for place in 0..<events {
      lines.append("  - {at: \(1000 + place * 1000 + next(900)) ms, \(event(people))}")
    }
    return lines.joined(separator: "\n")
  }

  // MARK: Rough networks

  private static let profiles = 4

  private mutating func roughLinks() -> [String] {
    var lines = ["audio: {forward: \(pick(["all", "mixed", "2"]))}", "speech: talk-spurts", "links:"]
    for number in 0..<Self.profiles { lines.append("  l\(number): {\(profile())}") }
    lines += ["shared-links: {house: {up: l0, down: l1}}", "cross-traffic:"]
    lines.append(
      "  - {name: bulk, link: \(pick(["house/down", "person-1/up", "viewer-1/down"])), kind: tcp, start: 2s}")
    return lines
  }

  private mutating func profile() -> String {
    var keys = ["delay: \(next(120)) ms"]
    let rate = 300 + next(40) * 150
    keys.append(
      next(3) > 0
        ? "capacity: \(rate) kbps"
        : "capacity: [{at: 0s, to: \(rate) kbps}, {at: 3s, to: \(next(3) * 200) kbps}, {at: 5s, to: \(rate) kbps}]"
    )
    if next(2) == 0 { keys.append("loss: \(pick(["1 %", "10 %", "{mean: 5 %, burst: 6}", "60 %"]))") }
    if next(2) == 0 { keys.append("jitter: \(1 + next(40)) ms, reordering: \(next(2) == 0)") }
    if next(4) == 0 { keys.append("overhead: 38 B") }
    if next(4) == 0 {
      keys.append("bucket: 20 kB, queue: 100 ms")
    } else {
      keys.append(
        "queue: {discipline: \(pick(["drop-tail", "codel", "fq-codel", "pie"])), limit: \(50 + next(8) * 100) ms}"
      )
    }
    return keys.joined(separator: ", ")
  }

  private mutating func links() -> String {
    guard network == .rough else { return "" }
    let own = ", up: l\(next(Self.profiles)), down: l\(next(Self.profiles))"
    return next(3) == 0 ? own + ", shared: house" : own
  }

  private mutating func roughEvent(_ people: [String]) -> String {
    let who = pick(people + ["viewer-1", "viewer-2"])
    switch next(7) {
    case 0, 1: return "participant: \(who), leave: true"
    case 2: return "participant: \(who), join: true"
    case 3: return "link: \(who)/\(pick(["up", "down"])), down: \(100 + next(900)) ms"
    case 4: return "link: \(who)/down, loss: \(next(30)) %, delay: \(next(200)) ms"
    case 5: return "link: house/\(pick(["up", "down"])), capacity: \(next(20) * 100) kbps"
    default: return "participant: \(who), mute: audio"
    }
  }
}
