import YAML

/// Terms of other tools and SDKs for keys that have a different name here.
enum Vocabulary {
  /// Synonyms of each key, with the notation of the entry if the synonym implies a value; `%` stands for the value that
  /// was written.
  private static let meanings: [(key: String, written: String?, words: [String])] = [
    ("participants", nil, ["users", "peers", "attendees", "members", "clients", "people", "endpoints"]),
    ("links", nil, ["networks", "network", "profiles", "conditions"]),
    ("links", "links: {home: {capacity: %}}", ["bandwidth", "capacity", "rate", "speed"]),
    ("timeline", nil, ["events", "actions", "script", "steps", "schedule"]),
    ("expect", nil, ["assertions", "assert", "checks", "tests", "thresholds", "expectations"]),
    ("duration", nil, ["length", "time", "runtime"]),
    ("policy", nil, ["sfu", "allocator", "server", "vendor", "algorithm", "system", "platform", "provider"]),
    ("estimator", nil, ["bwe", "congestion-control", "bandwidth-estimation"]),
    ("variables", nil, ["vary", "parameters", "matrix", "factors", "axes", "dimensions"]),
    (
      "range", "range: {from: 500 kbps, to: 3 Mbps, step: 500 kbps}",
      ["from", "to", "step", "count", "start", "stop", "end", "min", "max", "scale"]
    ),
    ("repetitions", nil, ["runs", "replications", "repeat", "repeats", "seeds-per-point"]),
    ("capacity", nil, ["bandwidth", "bitrate", "rate", "throughput", "speed"]),
    ("capacity", "capacity: %", ["up", "down", "upload", "download", "uplink", "downlink"]),
    ("capacity", "capacity: % kbps", ["kbps"]), ("capacity", "capacity: % Mbps", ["mbps"]),
    ("delay", nil, ["latency", "propagation-delay"]),
    ("delay", "delay: (half of %)", ["rtt", "ping", "round-trip", "round-trip-time"]),
    ("loss", nil, ["packet-loss", "plr", "loss-rate", "drop"]),
    ("queue", nil, ["buffer", "buffer-size", "queue-size", "qdisc"]),
    ("up", nil, ["uplink", "upload", "upstream"]),
    ("down", nil, ["downlink", "download", "downstream"]),
    ("id", nil, ["name", "identity", "user-id", "username"]),
    ("name", nil, ["scenario", "meeting", "call"]),
    ("count", nil, ["number", "instances", "copies"]),
    ("camera", nil, ["video", "webcam", "cam"]),
    ("publish", "publish: {camera: 720p30}", ["camera", "video", "webcam", "cam", "sends"]),
    ("publish", "publish: {screen: 1080p15}", ["screen"]),
    ("publish", nil, ["send", "sender", "encoder", "encoding", "encodings"]),
    ("down", "up: %, down: %", ["link", "network", "connection", "net", "wifi"]),
    (
      "maximum", nil,
      ["max", "cap", "limit", "max-bitrate", "maximum-bitrate", "bitrate", "max-kbps", "bitrate-limit"]
    ),
    ("minimum", nil, ["min", "min-bitrate", "minimum-bitrate"]),
    ("audio", nil, ["mic", "microphone", "voice"]),
    (
      "share", "share: screen",
      ["screen-share", "screenshare", "share-screen", "start-share", "start-screen-share", "present"]
    ),
    ("share", "share: none", ["stop-share", "unshare", "stop-screen-share", "stop-sharing"]),
    ("screen", nil, ["screen-share", "screenshare", "share-screen", "desktop", "display"]),
    (
      "view", nil,
      ["subscribe", "subscriptions", "receive", "watch", "watches", "sees", "layout", "screen-layout"]
    ),
    ("capture", nil, ["resolution", "size", "format"]),
    ("speaks", nil, ["speak", "talk", "talks", "speaking", "says"]),
    (
      "mute", "mute: video",
      ["mute-video", "camera-off", "video-off", "stop-video", "disable-video", "pause-video"]
    ),
    ("mute", "mute: audio", ["mute-audio", "mic-off", "audio-off", "mute-mic"]),
    (
      "unmute", "unmute: video",
      ["unmute-video", "camera-on", "video-on", "start-video", "enable-video", "resume-video"]
    ),
    ("unmute", "unmute: audio", ["unmute-audio", "mic-on", "audio-on", "unmute-mic"]),
    ("join", "join: true", ["joins", "enter", "enters", "connect", "rejoin"]),
    ("leave", "leave: true", ["leaves", "exit", "quit", "disconnect", "hang-up", "hangup"]),
    ("pin", nil, ["spotlight", "pin-video", "maximize"]),
    ("per-page", nil, ["page-size", "tiles-per-page", "page-of", "pages", "page-count"]),
    ("page", nil, ["next-page", "set-page", "turn-page", "scroll-page"]),
    (
      "cross-traffic", nil,
      ["download", "upload", "competing-traffic", "background-traffic", "other-traffic"]
    ),
    ("request", nil, ["subscribe", "set-subscriptions", "set-video-quality"]),
    ("preferred", nil, ["preferred-resolution", "set-preferred-resolution"]),
    ("background", nil, ["minimize", "minimise", "pause-app"]),
    ("stage", nil, ["spotlight", "active-speaker", "main", "dominant-speaker", "speaker", "large"]),
    ("everybody", "everybody: 320x180", ["all", "everyone", "gallery", "grid-view"]),
    ("tiles", nil, ["thumbnails", "filmstrip"]),
    ("is", nil, ["expect", "value", "condition", "should-be"]),
    ("is", "is: \">= %\"", ["min", "minimum", "at-least", "above"]),
    ("is", "is: \"<= %\"", ["max", "maximum", "at-most", "below"]),
    ("participant", nil, ["user", "peer", "who", "member", "client"]),
    ("at", nil, ["time", "when", "t"]),
    ("frames_per_second", nil, ["fps", "framerate", "frame-rate"]),
    ("frame_height", nil, ["resolution", "height", "lines", "frame-size"]),
    ("frame_width", nil, ["width"]),
    ("freezes_duration", nil, ["freeze", "freezes", "freeze-time", "freeze-duration", "stall", "stalls"]),
    ("mos", nil, ["quality", "score", "qoe", "vmaf", "psnr"]),
    ("frame_delay", nil, ["latency", "delay", "end-to-end-delay", "glass-to-glass"]),
    ("packets_lost", nil, ["loss", "packet-loss"]),
    ("bitrate", nil, ["bandwidth", "received-rate"]),
    ("p50", nil, ["median"]), ("mean", nil, ["average", "avg"]), ("max", nil, ["maximum", "worst", "peak"]),
    ("min", nil, ["minimum", "least"]), ("total", nil, ["sum"]),
    ("stat", nil, ["statistic", "aggregate", "percentile", "quantile"]),
  ]

  /// Keys that each word may mean, in the order of ``meanings``.
  private static let senses: [String: [(key: String, written: String?)]] = {
    var senses: [String: [(key: String, written: String?)]] = [:]
    for meaning in meanings {
      for word in meaning.words { senses[word, default: []].append((meaning.key, meaning.written)) }
    }
    return senses
  }()

  /// Returns the known key, or its notation, for a word used by another tool; `nil` if there is none.
  static func meaning(of word: String, among known: [String]) -> String? {
    let plain = word.lowercased().replacing("_", with: "-")
    // Keys here have hyphens where others use camel case or underscores.
    let hyphened = word.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : "\($1)" }
      .replacing("_", with: "-")
    if word != hyphened, known.contains(hyphened) { return hyphened }
    if word != word.lowercased(), known.contains(word.lowercased()) { return word.lowercased() }
    for form in [plain, hyphened] {
      if let meant = senses[form]?.first(where: { known.contains($0.key) }) {
        return meant.written ?? meant.key
      }
    }
    return nil
  }

  /// Returns the entry to write in place of another tool's word and its value; `nil` if the key says it all.
  static func entry(meantBy word: String, _ value: Node, among known: [String]) -> String? {
    guard let meant = meaning(of: word, among: known) else { return nil }
    switch meant {
    case "participants": return ParticipantSection.list(meantBy: value).map { "participants: \($0)" }
    case "id", "name":
      guard let text = value.string, !Identifier.isValid(text) else { return nil }
      return Identifier.suggestion(for: text).map { "\(meant): \($0)" }
    case "join: true" where !known.contains("at"):
      // A participant, unlike a timeline entry, joins at a time.
      return "join: \(value.string ?? "…")"
    default:
      return meant.contains("%") ? meant.replacing("%", with: value.string ?? "…") : nil
    }
  }

  /// Returns the timeline entry to write for a word that a participant does not have; `nil` for any other.
  static func timelineEntry(
    meantBy word: String, _ value: Node, of id: @autoclosure () -> String?, among known: [String]
  )
    -> String?
  {
    guard known.contains("join"), !known.contains("at"),
      word == "leave" || meaning(of: word, among: ["leave"]) == "leave: true"
    else { return nil }
    return "{at: \(value.string ?? "…"), participant: \(id() ?? "…"), leave: true}"
  }

  /// Words that stand for the current speaker.
  static let speaker = [
    "speaker", "active-speaker", "active_speaker", "dominant-speaker", "dominant_speaker", "loudest", "auto",
    "current-speaker", "activeSpeaker", "dominantSpeaker",
  ]

  /// Words that stand for everybody.
  static let everybody = ["all", "everybody", "everyone", "every", "gallery", "grid", "auto"]
}
