import Ladder

/// Participants of an imported call, and their actions.
extension ImportedScenario {
  /// Lines of the participants.
  var participants: [String] {
    record.isReceived ? received : sent
  }

  private var sent: [String] {
    let sources = zip(record.sources, fits).map { source, fit in publication(source, fit) }
    var lines = ["  - id: sender", "    up: path", "    down: back"]
    if sources.count == 1 {
      lines += sources[0].comments.map { "    # \($0)" } + ["    publish: {\(sources[0].text)}"]
    } else {
      lines.append("    publish:")
      for source in sources {
        lines += source.comments.map { "      # \($0)" } + ["      \(source.text)"]
      }
    }
    lines += ["  - id: receiver", "    up: ample", "    down: ample", "    view: \(view)"]
    return lines
  }

  private var received: [String] {
    var lines = ["  - id: receiver", "    up: back", "    down: path", "    view: \(view)"]
    for (number, (source, fit)) in zip(record.sources, fits).enumerated() {
      let own = publication(source, fit)
      lines += ["  - id: \(Self.remote(number))", "    up: ample", "    down: ample"]
      lines += own.comments.map { "    # \($0)" } + ["    publish: {\(own.text)}"]
    }
    return lines
  }

  private static func remote(_ number: Int) -> String { "remote-\(number + 1)" }

  /// Name of a source in the scenario, by its index in the record.
  func name(_ place: Int) -> String {
    let owner = record.isReceived ? Self.remote(place) : "sender"
    return SourceName(owner: owner, isScreen: record.sources[place].kind == .screen).description
  }

  /// View of the receiver: a lone camera as it requests it, otherwise every source at its size.
  private var view: String {
    if !record.isReceived, record.sources.count == 1, record.sources[0].kind == .camera {
      return "{request: [{quality: \(quality(firstRequest)), priority: high, participant: sender}]}"
    }
    let tiles = record.sources.indices.map { place in
      let size = capture(place).resolution
      return "{participant: \(name(place)), size: \(size.width)x\(size.height)}"
    }
    return "{tiles: [\(tiles.joined(separator: ", "))]}"
  }

  private var firstRequest: Int { record.requests.first?.scale ?? 1 }

  private func publication(
    _ source: CallRecord.Source, _ fit: ContentFit
  ) -> (comments: [String], text: String) {
    let place = record.sources.firstIndex(of: source) ?? 0
    let isOne = source.encodings.count <= 1
    let pictured = contentByPictures(place)
    let contentComment = contentComment(source, fit, pictured)
    var comments = [captureComment(source, fit), contentComment]
    if let evidence = source.evidence, content == nil || evidence != contentComment {
      comments.insert(evidence, at: 0)
    }
    if !fit.layers.isEmpty, content == nil {
      comments = ["Encodings of sizes that the app chose, at the rates at which they were sent."]
      let layers = fit.layers.enumerated().map { number, layer in
        let size = layer.format.resolution
        return "{encoding: \(number), size: \(size.width)x\(size.height), "
          + "fps: \(max(1, layer.format.milliFramesPerSecond / 1000)), bitrate: \(Self.rate(layer.kilobits))}"
      }
      return (comments, "\(source.kind.rawValue): {layers: [\(layers.joined(separator: ", "))]}")
    }
    var ladder = (source.codec == .h264 ? "codec: h264, " : "") + "ladder: \(isOne ? "single" : "webrtc-vp8")"
    var isScalable = false
    if let sending = source.scalable {
      isScalable = isOne && (fit.scalable != nil || content != nil)
      if isScalable {
        ladder = "codec: \(sending.codec.rawValue), scalability-mode: \(sending.mode.name)"
        comments.append("As the browser reported its codec.")
      } else {
        comments.append(
          "Sent as \(sending.codec.rawValue.uppercased()), which is left out: a scalable stream has neither encodings nor "
            + "limits over time here.")
      }
    }
    let maximum = fit.maximum.map { ", maximum: \(Self.rate($0))" } ?? ""
    let scaling = source.isSecondCamera && isOne && !isScalable ? ", degradation: maintain-framerate" : ""
    return (
      comments,
      "\(source.kind.rawValue): {capture: \(capture(place)), \(ladder)\(maximum)\(scaling), "
        + "content: \(content(source, fit, pictured))}"
    )
  }

  // MARK: Camera

  private func captureComment(_ source: CallRecord.Source, _ fit: ContentFit) -> String {
    if assumed != nil, source.kind == .camera { return Self.stated }
    if fit.sent != nil { return "As it was sent, smaller than it was captured." }
    if source.capture != nil {
      return source.showsCamera
        ? "As the browser reported its camera." : "As the browser reported what was shared."
    }
    return fit.size != nil
      ? "As it was sent: the statistics do not state what the camera captures."
      : "Assumed: the statistics do not state what the camera captures."
  }

  private static let stated = "As the command line has it."

  /// Capture format of a source: given, reported, or assumed from the largest picture.
  func capture(_ place: Int) -> VideoFormat {
    let source = record.sources[place]
    if let assumed, source.kind == .camera { return assumed }
    if let top = fits[place].layers.last { return top.format }
    if let sent = fits[place].sent { return sent }
    if let known = source.capture { return known }
    if let size = fits[place].size { return VideoFormat(size, framesPerSecond: frameRate(source) ?? 30) }
    return usualCapture(source)
  }

  /// Format of a camera known only by its pictures: the smallest usual format that contains the largest of them.
  func usualCapture(_ source: CallRecord.Source) -> VideoFormat {
    let heights = record.samples.flatMap { sample in
      source.encodings.clamped(to: sample.encodings.indices).compactMap { sample.encodings[$0].height }
    }
    let height = heights.max() ?? 0
    if height < 16 {
      return VideoFormat(
        VideoContentGuess.capture(record, source).resolution, framesPerSecond: frameRate(source) ?? 30)
    }
    let sizes = [Resolution.p720, .p1080]
    let size = sizes.first { Double($0.height) >= height } ?? Resolution(width: 3840, height: 2160)
    return VideoFormat(size, framesPerSecond: frameRate(source) ?? 30)
  }

  private func frameRate(_ source: CallRecord.Source) -> Int? {
    let rates = record.samples.flatMap { sample in
      source.encodings.clamped(to: sample.encodings.indices).suffix(1)
        .compactMap { sample.encodings[$0].frameRate }
    }.filter { $0 > 0 }
    return rates.isEmpty ? nil : Int(min(max(CapacityCourse.median(rates).rounded(), 1), 60))
  }

  private func quality(_ scale: Int) -> String {
    let format = capture(0)
    let size = format.resolution
    return VideoFormat(
      Resolution(width: max(16, size.width / scale), height: max(16, size.height / scale)),
      milliFramesPerSecond: format.milliFramesPerSecond
    ).description
  }

  // MARK: Content

  /// - Parameter pictured: the content by ``contentByPictures(_:)``.
  func content(_ source: CallRecord.Source, _ fit: ContentFit, _ pictured: String?) -> String {
    if let content { return content }
    guard let kilobits = fit.content else {
      if !source.showsCamera { return "screen" }
      return pictured ?? fit.leastContent.map { Self.rate($0 * (fit.scalable ?? 1)) }
        ?? (fit.isRich == true ? "rich" : "talking-head")
    }
    return Self.rate(min(kilobits * (fit.scalable ?? 1), 300_000))
  }

  private func contentComment(
    _ source: CallRecord.Source, _ fit: ContentFit, _ pictured: String?
  ) -> String {
    if content != nil { return Self.stated }
    if fit.content != nil { return "As much as was sent where the path was not full, as the rate of 720p30." }
    if !source.showsCamera {
      return "Assumed: the path was full, and does not show what was shared."
    }
    if pictured != nil {
      return "The path was full: with this content the encoder has pictures of the recorded sizes at the "
        + "recorded rates."
    }
    return switch fit.isRich {
    case true?: "More bits than a talking head takes at some size."
    case false? where fit.leastContent != nil:
      "About a talking head's bits; the path was full, so somewhat more than was sent is assumed."
    case false?: "No more bits than a talking head takes."
    case nil: "Assumed: the rates were too low to tell what was filmed."
    }
  }

  // MARK: Timeline

  /// Lines of the timeline, in time order.
  var timeline: [String] {
    var entries: [(at: Int, text: String)] = []
    if record.hasVoice {
      let speaker = record.isReceived ? Self.remote(0) : "sender"
      entries.append((0, "participant: \(speaker), speaks: \(record.duration)s"))
    }
    for (place, fit) in fits.enumerated() {
      guard content == nil else { continue }
      var before = ContentFit.Change(at: 0)
      for change in fit.changes {
        entries += actions(change, after: before, place).map {
          (change.at, "participant: \(owner(place)), \($0)")
        }
        // Settings remain in effect while nothing is sent.
        let isOff = change.isOff
        if !isOff { before = change }
        before.isOff = isOff
      }
    }
    for request in record.requests.dropFirst() {
      let asked = "[{quality: \(quality(request.scale)), priority: high, participant: sender}]"
      entries.append((Int(request.at.rounded()), "participant: receiver, request: \(asked)"))
    }
    return entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map { "  - {at: \($0.element.at)s, \($0.element.text)}" }
  }

  func owner(_ place: Int) -> String { record.isReceived ? Self.remote(place) : "sender" }

  /// Actions of a source's owner at a change.
  private func actions(
    _ change: ContentFit.Change, after before: ContentFit.Change, _ place: Int
  ) -> [String] {
    let isScreen = record.sources[place].kind == .screen
    if change.isOff { return [isScreen ? "share: none" : "mute: video"] }
    let limits =
      fits[place].scalable != nil
      ? scaling(change, after: before, place) : limits(change, after: before, place)
    return (before.isOff ? [isScreen ? "share: screen" : "unmute: video"] : [])
      + (limits.isEmpty
        ? [] : ["send: {\(((isScreen ? ["of: screen"] : []) + limits).joined(separator: ", "))}"])
  }

  /// Encodings that are on: all of them if there are no limits.
  private static func on(_ change: ContentFit.Change, _ names: [String]) -> [String] {
    change.maxima.count < 2
      ? names : zip(names, change.maxima.suffix(names.count)).filter { $1 >= SentStretch.sending }.map(\.0)
  }

  private func limits(
    _ change: ContentFit.Change, after before: ContentFit.Change, _ place: Int
  ) -> [String] {
    var parts: [String] = []
    if change.maxima != before.maxima {
      let layers = fits[place].layers
      let names =
        layers.isEmpty ? Ladder.libwebrtcVP8(capture: capture(place)).names : layers.indices.map(String.init)
      let rates = change.maxima.map { Self.rate(max($0, 30)) }
      let isOne = rates.count <= 1 || names.count == 1
      let on = Self.on(change, names)
      let each = zip(names, rates.suffix(names.count)).filter { on.contains($0.0) }.map { "\($0): \($1)" }
      parts.append("maximum: \(isOne ? rates.last ?? "none" : "{\(each.joined(separator: ", "))}")")
      if !isOne, on != Self.on(before, names) { parts.append("encodings: [\(on.joined(separator: ", "))]") }
    }
    if change.height != before.height, record.sources[place].encodings.count <= 1 {
      parts.append("maximum-height: \(change.height.map(String.init) ?? "none")")
    }
    if change.frameRate != before.frameRate {
      parts.append("maximum-fps: \(change.frameRate.map(String.init) ?? "none")")
    }
    return parts + scaling(change, after: before, place)
  }

  /// Setting for whether the encoder scales the picture, which exists only for streams of one spatial layer.
  private func scaling(
    _ change: ContentFit.Change, after before: ContentFit.Change, _ place: Int
  ) -> [String] {
    let isSpatial =
      fits[place].scalable != nil && (record.sources[place].scalable?.mode.spatialLayers ?? 1) > 1
    guard change.keepsSize != before.keepsSize, !isSpatial else { return [] }
    return ["degradation: \(change.keepsSize ? "maintain-resolution" : "maintain-framerate")"]
  }
}
