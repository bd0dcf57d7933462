import Ladder

/// Media sources of a call, each identified as a camera or a screen share.
struct SourceChoice {
  /// Frame rates that distinguish a screen share from a camera beside it [Hz].
  private static let slowScreen = 10.0
  private static let leastCamera = 12.0
  /// Maximum number of received sources that become participants.
  private static let mostReceived = 49

  private(set) var groups: [StreamGroup] = []
  private(set) var sources: [CallRecord.Source] = []
  private(set) var notes: [String] = []
  private let codecs: [StatsObject]

  /// - Throws: ``CallRecordError`` if more than a camera and a screen share were sent, or nothing tells them apart.
  init(
    _ groups: [StreamGroup], _ connection: StatsConnection, _ part: CallPart, isReceived: Bool, file: String
  ) throws(CallRecordError) {
    let captures = connection.videos("media-source") + connection.of("track")
    codecs = connection.of("codec")
    if isReceived {
      let sizes = groups.map { group in group.streams.map { $0.growth("bytesReceived") }.reduce(0, +) }
      let least = sizes.sorted(by: >).prefix(Self.mostReceived).last ?? 0
      for (group, size) in zip(groups, sizes) where size >= least && self.groups.count < Self.mostReceived {
        add(group, group.isScreenshare ? .screen : .camera, captures)
      }
      let rest = groups.count - self.groups.count
      if rest > 0 { notes.append("\(rest) sources that were received the least are left out") }
      return
    }
    if part.camera != nil || part.screen != nil {
      for (name, kind) in [(part.camera, CallRecord.Source.Kind.camera), (part.screen, .screen)] {
        guard let name else { continue }
        let names = name.split(separator: ",").map(String.init)
        guard let group = StreamGroup.chosen(names, of: groups) else {
          throw CallRecordError(
            path: file,
            text:
              "--\(kind.rawValue): no media source is '\(name)': it is one of \(Self.list(groups, captures))")
        }
        add(group, kind, captures, evidence: "As the command line has it.")
      }
      let taken = Set(self.groups.flatMap(\.streams).map(\.id))
      let left = groups.filter { group in group.streams.allSatisfy { !taken.contains($0.id) } }
      if !left.isEmpty { notes.append("left out: \(Self.list(left, captures))") }
      return
    }
    let screens = groups.filter(\.isScreenshare)
    let cameras = groups.filter { !$0.isScreenshare }
    if groups.count == 2, screens.isEmpty, let screen = Self.slower(groups, captures) {
      for group in groups {
        let isScreen = group.id == screen.id
        add(
          group, isScreen ? .screen : .camera, captures,
          evidence: isScreen ? "Taken for a screen share by its frame rate, as nothing names it." : nil)
      }
      notes.append(
        "\(Self.describe(screen, captures)) is taken for a screen share by its frame rate; --camera and --screen tell "
          + "otherwise")
      return
    }
    if cameras.count == 2, screens.isEmpty {
      let sent = cameras.map { group in group.streams.map { $0.growth("bytesSent") }.reduce(0, +) }
      let (first, second) = sent[0] >= sent[1] ? (0, 1) : (1, 0)
      add(cameras[first], .camera, captures)
      add(
        cameras[second], .screen, captures,
        evidence: "A second camera: a participant's other source is its screen share.")
      sources[1].isSecondCamera = true
      notes.append(
        "\(Self.describe(cameras[second], captures)) is a second camera, and is written as the screen share, the other "
          + "source that a participant has; --camera and --screen tell otherwise")
      return
    }
    guard cameras.count <= 1, screens.count <= 1 else {
      throw CallRecordError(
        path: file,
        text:
          "\(groups.count) media sources sent video, and a participant here has one camera and one screen share: "
          + "\(Self.list(groups, captures)); choose by '--camera ID', '--screen ID' or both, what is not chosen is "
          + "left out")
    }
    for group in cameras { add(group, .camera, captures) }
    for group in screens { add(group, .screen, captures, evidence: "As its contentType says.") }
  }

  private mutating func add(
    _ group: StreamGroup, _ kind: CallRecord.Source.Kind, _ captures: [StatsObject], evidence: String? = nil
  ) {
    let start = sources.last?.encodings.upperBound ?? 0
    groups.append(group)
    var source = CallRecord.Source(
      kind: kind, capture: group.capture(captures), encodings: start..<(start + group.encodings.count),
      evidence: evidence)
    source.codec = group.codec(codecs)
    source.mode = group.mode
    sources.append(source)
  }

  private static func list(_ groups: [StreamGroup], _ captures: [StatsObject]) -> String {
    groups.map { describe($0, captures) }.joined(separator: ", ")
  }

  private static func describe(_ group: StreamGroup, _ captures: [StatsObject]) -> String {
    let name = group.id ?? group.streams.compactMap(\.identifier).joined(separator: ",")
    return name + (group.capture(captures).map { " (\($0))" } ?? "")
  }

  /// Returns the one of two sources that is slow and large beside a camera; `nil` if this does not tell them apart.
  private static func slower(_ groups: [StreamGroup], _ captures: [StatsObject]) -> StreamGroup? {
    let known = groups.compactMap { group in group.capture(captures).map { (group, $0) } }
    guard known.count == 2 else { return nil }
    let sorted = known.sorted { $0.1.milliFramesPerSecond < $1.1.milliFramesPerSecond }
    let (screen, camera) = (sorted[0], sorted[1])
    guard screen.1.framesPerSecond <= slowScreen, camera.1.framesPerSecond >= leastCamera,
      screen.1.resolution.pixels > camera.1.resolution.pixels
    else { return nil }
    return screen.0
  }
}
