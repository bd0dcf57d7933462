import Ladder
import Media
import Plan
import Quantity
import Systems
import Vendors
import YAML

/// Turns what a participant publishes into plans.
struct SourceReader: PlanReader {
  let draft: MeetingDraft
  /// Id of the entry whose sources are read.
  var id: String?

  /// Maximum frame rate at which a source captures [Hz].
  static let captureLimit = 60

  /// Reads a participant's `publish`.
  func sources(
    _ entry: Entry<ParticipantSection>
  ) -> (camera: VideoSourcePlan?, screen: VideoSourcePlan?, voice: VoiceSettings?) {
    guard let field = entry.publish else { return (nil, nil, nil) }
    if case .scalar(let scalar) = field.node {
      if scalar.string == "audio-only" { return (nil, nil, VoiceSettings()) }
      field.report("'\(scalar.string)' is neither 'audio-only' nor a mapping such as '{camera: 720p30}'")
      return (nil, nil, nil)
    }
    guard let publish = Entry<PublishSection>(field, "publish of \(entry.fields.subject)") else {
      return (nil, nil, nil)
    }
    let camera = publish.camera.flatMap { source($0, .camera) }
    if publish.camera != nil, publish.custom != nil {
      publish.report(
        at: "custom",
        "custom: a participant has one main video: keep 'camera' or 'custom', and change between them by 'source' in "
          + "the timeline")
    }
    let custom = publish.custom.flatMap { source($0, .custom) }
    let screen = publish.screen.flatMap { source($0, .screen) }
    let voice = publish.audio.map(VoiceSection.voice) ?? VoiceSettings()
    return (custom ?? camera, screen, voice)
  }

  /// Reads a source: a capture format, or a mapping in one of several forms.
  private func source(_ field: Field, _ kind: VideoSourcePlan.Kind) -> VideoSourcePlan? {
    guard case .mapping = field.node else {
      return capture(field).flatMap { plan(kind, $0, ladder(of: kind), shape: nil, field) }
    }
    let subject = "\(kind.rawValue) of \(field.mapping.subject)"
    guard let fields = Fields(field.node, subject, reading) else { return nil }
    let forms = SourceSection.Form.allCases.filter { $0.isOf(kind) }
    let stated = forms.firstIndex { fields[$0.required] != nil } ?? forms.count - 1
    let form = forms[stated]
    // Keys that only captures have are reported beside a list.
    let captured = kind == .custom ? [] : SourceSection.Form.captured.keys
    fields.know(captured + forms[...stated].flatMap(\.keys))
    if form == .captured || form == .custom { _ = fields.require("capture", example: "720p30") }
    let own = Entry<SourceSection>(fields, only: form.keys)
    switch form {
    case .recorded: return recordedCamera(own)
    case .listed: return listedSource(own, kind)
    case .levelled: return levelledSource(own, kind)
    case .captured, .custom: return capturedSource(own, kind, field)
    }
  }

  private func capturedSource(
    _ own: Entry<SourceSection>, _ kind: VideoSourcePlan.Kind, _ field: Field
  ) -> VideoSourcePlan? {
    guard let capture = capture(own, kind) else { return nil }
    switch coding(own, kind, capture) {
    case .unknown: return nil
    case .scalable(let sending): return scalableSource(own, kind, capture, sending, field)
    case .simulcast: break
    }
    guard let ladder = ladder(of: kind, own), var source = plan(kind, capture, ladder, shape: own, field)
    else { return nil }
    source.codec = own.coding.codec ?? .vp8
    if let low = own.low { setLowStream(low, of: own, &source) }
    if let content = own.content {
      source.content = content
      source.changeLadders { ladder in
        ladder.encodings = ladder.encodings.map { $0.hasLimits ? $0 : content.limiting($0) }
      }
    }
    setMaximum(own, &source)
    setOthers(own, &source)
    return source
  }

  /// Sets what simulcast and scalable sources have in common.
  func setOthers(_ own: Entry<SourceSection>, _ plan: inout VideoSourcePlan) {
    if let startsOn = own.on { plan.startsOn = startsOn }
    setMinimum(own, &plan)
    setDegradation(own, &plan)
    setFollowing(own, &plan)
    setProtection(own, &plan)
  }

  func plan(
    _ kind: VideoSourcePlan.Kind, _ capture: VideoFormat,
    _ ladder: @escaping @Sendable (VideoFormat) -> Ladder,
    shape: Entry<SourceSection>?, _ field: Field
  ) -> VideoSourcePlan? {
    let frames = FrameReader(draft: draft)
    if kind == .custom, !frames.isPushable(capture, shape, field) { return nil }
    var source = VideoSourcePlan(kind: kind, capture: capture, ladder: ladder(capture))
    source.fit = ladder
    if kind != .screen { frames.addCustomFrames(shape?.frame, of: id, to: &source, ladder) }
    // An encoding above what a participant may send is never sent in full.
    if let cap = system.traits.sendCap.rate { source.changeLadders { $0.limit(to: cap) } }
    return source
  }

  private func ladder(of kind: VideoSourcePlan.Kind) -> @Sendable (VideoFormat) -> Ladder {
    { [system, clients = draft.people.clients] in
      system.ladder(of: kind == .screen ? .screen : .camera, capture: $0, clients: clients)
    }
  }

  /// Returns the named ladder, or else the system's own; `nil` for an unknown one.
  private func ladder(
    of kind: VideoSourcePlan.Kind, _ own: Entry<SourceSection>
  ) -> (@Sendable (VideoFormat) -> Ladder)? {
    guard let name = own.ladder else { return ladder(of: kind) }
    let known = catalogue.systems.ladders
    guard let named = known.first(where: { $0.name == name.text }) else {
      name.report("there is no '\(name.text)': \(Suggestion.text(for: name.text, among: known.map(\.name)))")
      return nil
    }
    return { named.of($0) }
  }

  /// Reads the capture format of a mapping.
  func capture(_ own: Entry<SourceSection>, _ kind: VideoSourcePlan.Kind) -> VideoFormat? {
    own.capture.flatMap { capture(Field(node: $0.node, key: kind.rawValue, mapping: own.fields)) }
  }

  /// Reads a capture format; messages name the source.
  func capture(_ field: Field) -> VideoFormat? {
    guard let text = field.text, let capture = field.parse(text, VideoFormat.init(captureText:)) else {
      return nil
    }
    guard capture.milliFramesPerSecond <= Self.captureLimit * 1000 else {
      field.report("'\(text)' is too fast: at most \(Self.captureLimit) frames per second")
      return nil
    }
    return capture
  }

  // MARK: Limits

  /// Sets the low stream of a dual-stream ladder; its size follows the orientation of the capture.
  private func setLowStream(
    _ own: Entry<LowStreamSection>, of source: Entry<SourceSection>, _ plan: inout VideoSourcePlan
  ) {
    let ladder = plan.ladder
    guard let limits = ladder.lowStream, let high = ladder.encodings.last, var low = ladder.encodings.first
    else {
      return source.report(
        at: "low",
        "low: this ladder has no low stream: use 'ladder: agora-dual', or 'policy: agora' without a ladder")
    }
    if let size = own.size {
      if !size.fits(in: limits.format.resolution) {
        own.report(at: "size", "size: \(size.width)x\(size.height) is too large: at most \(limits.sizes)")
      }
      if size.pixels > high.format.resolution.pixels {
        own.report(at: "size", "size: the low stream is larger than the capture")
      }
      let isSquare = high.format.resolution.width == high.format.resolution.height
      low.format.resolution = isSquare ? size : size.turned(like: high.format.resolution)
    }
    let fastest = limits.format.milliFramesPerSecond / 1000
    if let rate = own.fps?.integer(in: 1...fastest) {
      if rate * 1000 > high.format.milliFramesPerSecond {
        own.report(
          at: "fps",
          "fps: \(rate) is more than the capture has, \(high.format): lower it, or capture more frames")
      }
      low.format.milliFramesPerSecond = rate * 1000
    }
    if let rate = own.bitrate {
      if rate == .zero || rate > limits.bitrate {
        own.report(
          at: "bitrate", "bitrate: \(rate) is out of range: above 0, at most \(limits.bitrate)")
      } else if rate >= high.bitrate {
        own.report(at: "bitrate", "bitrate: \(rate) is not below the high stream's \(high.bitrate)")
      }
      low.cumulativeBitrates = [rate]
    }
    plan.changeLadders { [low] in $0.setLow(low.format, bitrate: low.bitrate) }
  }

  private func setMaximum(_ own: Entry<SourceSection>, _ plan: inout VideoSourcePlan) {
    guard let maximum = own.maximum else { return }
    let below = plan.ladder.encodings.dropLast().last
    let least = below?.bitrate ?? plan.ladder.encodings.last?.minimum ?? .zero
    guard maximum > least else {
      let cure = below == nil ? "raise it" : "raise it, capture a smaller picture or choose another ladder"
      let what =
        below.map { "the encoding below the highest, \($0.format.resolution)," } ?? "the encoder's minimum"
      return own.report(
        at: "maximum",
        "maximum: \(maximum) leaves nothing for the highest encoding: \(what) has \(least); \(cure)")
    }
    let most = system.traits.sendCap.rate.map { min($0, maximum) } ?? maximum
    if plan.ladder.encodings.count == 1, plan.ladder.encodings[0].hasLimits,
      most > plan.ladder.encodings[0].bitrate
    {
      // libwebrtc uses an app's maximum in place of its own, higher or lower.
      plan.maximum = most
      plan.changeLadders { $0.raise(to: most) }
    } else {
      plan.changeLadders { $0.limit(to: maximum) }
    }
  }

  private func setMinimum(_ own: Entry<SourceSection>, _ plan: inout VideoSourcePlan) {
    guard let minimum = own.minimum, let lowest = plan.ladder.encodings.first else { return }
    guard sharesByItself("minimum", own) else { return }
    guard minimum <= lowest.bitrate else {
      return own.report(
        at: "minimum",
        "minimum: \(minimum) is more than the lowest encoding's rate, \(lowest.bitrate): lower it")
    }
    plan.minimum = minimum
    if lowest.hasLimits { plan.changeLadders { $0.encodings[0].minimum = minimum } }
  }

  private func setDegradation(_ own: Entry<SourceSection>, _ plan: inout VideoSourcePlan) {
    guard let degradation = own.degradation, sharesByItself("degradation", own) else { return }
    guard plan.ladder.encodings.count == 1 else {
      return own.report(
        at: "degradation",
        plan.message("degradation: has no effect on", ofSeveral: ", whose sizes are fixed"))
    }
    plan.degradation = degradation
  }

  private func setFollowing(_ own: Entry<SourceSection>, _ plan: inout VideoSourcePlan) {
    guard own.followsReceivers == true, sharesByItself("follows-receivers", own) else { return }
    guard plan.ladder.encodings.count == 1 else {
      return own.report(
        at: "follows-receivers",
        plan.message(
          "follows-receivers: is for one encoding, and this source has",
          ofSeveral: ", among which its server chooses"))
    }
    plan.followsReceivers = true
  }

  private func setProtection(_ own: Entry<SourceSection>, _ plan: inout VideoSourcePlan) {
    guard let protection = own.coding.protection else { return }
    guard plan.ladder.encodings.count == 1 || protection == .none else {
      return own.report(
        at: "fec",
        plan.message("fec: is for one encoding, and this source has"))
    }
    plan.protection = protection
  }

  /// Reports a key that has no effect because a controller assigns the encodings' bit rates, and returns `false`.
  private func sharesByItself(_ key: String, _ own: Entry<SourceSection>) -> Bool {
    guard system.controller != nil else { return true }
    own.report(
      atKey: key,
      "\(key): has no effect with policy '\(system.name)', whose controller orders the rates of encodings: remove it"
    )
    return false
  }
}

extension LowStreamLimits {
  /// Largest valid sizes, in words.
  fileprivate var sizes: String {
    let size = format.resolution
    return "\(size.width)x\(size.height) or \(size.height)x\(size.width)"
  }
}

extension VideoSourcePlan {
  /// Returns a message on a key that only one encoding can have: what it says of the number of encodings, a remark on
  /// them, and how to send one.
  func message(_ start: String, ofSeveral remark: String = "") -> String {
    let count = ladder.encodings.count
    return ladder.isLayered
      ? "\(start) \(count) layers\(remark): use 'scalability-mode: L1T3', or omit it"
      : "\(start) \(count) encodings\(remark): use 'ladder: single', or omit it"
  }

  /// Applies a change to the ladders of a camera, of its other capture formats, and of its custom frames.
  fileprivate mutating func changeLadders(_ change: @escaping @Sendable (inout Ladder) -> Void) {
    change(&ladder)
    if let plain = fit {
      fit = { capture in
        var ladder = plain(capture)
        change(&ladder)
        return ladder
      }
    }
    if var other = otherLadder {
      change(&other)
      otherLadder = other
    }
    for place in pushedLadders.indices { change(&pushedLadders[place].ladder) }
  }
}
