import Ladder
import Media
import Plan
import Quantity
import Systems
import YAML

/// Turns a change of a sender's parameters into the plan's.
struct SendReader: PlanReader {
  let draft: MeetingDraft
  /// Index of the acting participant.
  let actor: Int

  /// Reads `{maximum: 500 kbps}` and the like; `nil`, with an error reported, if the source does not support it.
  func change(_ own: Entry<SendSection>) -> SendChange? {
    guard !draft.faults.sources.contains(actor), let source = source(own), isAdjustable(source, own) else {
      return nil
    }
    guard SendSection.keys.contains(where: { $0.name != "of" && own.states($0.name) }) else {
      own.report("send: it changes nothing: add 'maximum: 500 kbps', 'encodings: [q]' or the like")
      return nil
    }
    var change = SendChange(isScreen: source.kind == .screen)
    change.maximum = limit(own.maximum, of: source, ValueType<BitRate>.rate.read)
    change.maximumLines = limit(own.lines, of: source) { $0.integer(in: SendSection.lineLimits) }
    change.maximumMilliFrames = limit(own.fps, of: source) { field in
      field.number(in: SendSection.frameRates).map { Int(($0 * 1000).rounded()) }
    }
    change.scale = limit(own.scale, of: source) { $0.number(in: SendSection.factors) }
    if source.ladder.isLayered, source.fit == nil {
      for key in ["maximum-height", "maximum-fps", "scale-down-by"] where own.states(key) {
        own.report(at: key, "\(key): the layers are listed, with their sizes: change them by 'maximum'")
      }
    }
    if let encodings = own.encodings { change.encodings = set(encodings, of: source, own) }
    change.capture = own.capture.flatMap { capture($0, of: source) }
    change.priority = own.priority
    if let degradation = own.degradation, isSingle(source, own) { change.degradation = degradation }
    change.detail = detail(own, source)
    return change
  }

  private func source(_ own: Entry<SendSection>) -> VideoSourcePlan? {
    let kind = own.of ?? .camera
    let found = kind == .screen ? participants[actor].screen : participants[actor].camera
    if found == nil {
      let name = kind == .screen ? "screen" : "camera"
      own.report(
        at: own.states("of") ? "of" : nil,
        "send: '\(participants[actor].id)' publishes no \(name): add '\(name)' to its 'publish'")
    }
    return found
  }

  /// Reports sources whose encodings are fixed.
  private func isAdjustable(_ source: VideoSourcePlan, _ own: Entry<SendSection>) -> Bool {
    let id = participants[actor].id
    if source.recordedFrames != nil {
      own.report("send: '\(id)' plays a recording, whose encodings are sent as they are: remove the entry")
      return false
    }
    if !draft.faults.system, system.controller != nil {
      reading.warn(
        own.fields.node,
        "send: has no effect with policy '\(system.name)', whose controller orders the rates of encodings")
    }
    return true
  }

  private func isSingle(_ source: VideoSourcePlan, _ own: Entry<SendSection>) -> Bool {
    guard source.ladder.encodings.count > 1 else { return true }
    own.report(
      at: "degradation",
      source.message("degradation: has no effect on", ofSeveral: ", whose sizes are fixed"))
    return false
  }

  // MARK: Encodings

  /// Returns the index of an encoding; `nil`, with an error reported, for an unknown one.
  private func place(_ name: String, of source: VideoSourcePlan, report: (String) -> Void) -> Int? {
    let names = source.ladder.names
    if let place = names.firstIndex(of: name) { return place }
    report("there is no encoding '\(name)': \(Suggestion.text(for: name, among: names))")
    return nil
  }

  private func set(_ stated: [Name], of source: VideoSourcePlan, _ own: Entry<SendSection>) -> EncodingSet {
    var on: EncodingSet = []
    for name in stated {
      if let place = place(name.text, of: source, report: name.report) { on.insert(EncodingSet(place)) }
    }
    if !source.ladder.isLayered {
      if stated.isEmpty {
        own.report("encodings: none is named: name those that stay on, such as '[q]', or mute the source")
      }
    } else if !on.isEmpty, on != EncodingSet(first: source.ladder.encodings.count) {
      let names = source.ladder.names.joined(separator: ", ")
      own.report(
        at: "encodings",
        "encodings: a scalable stream is one encoding, on or off with all its layers: write '[\(names)]' or '[]', and "
          + "leave upper layers out by 'maximum' or 'maximum-height'")
    }
    return on
  }

  /// Reads a limit: a value for the source, a mapping by encoding, or `none`.
  private func limit<Value>(
    _ field: Field?, of source: VideoSourcePlan, _ read: (Field) -> Value?
  ) -> SendChange.Limit<Value>? {
    guard let field else { return nil }
    if case .scalar(let scalar) = field.node, scalar.string == "none" { return .lifted }
    guard case .mapping(let mapping) = field.node else { return read(field).map { .source($0) } }
    guard !source.ladder.isLayered else {
      field.report(
        "a scalable stream is one encoding, whose layers have no limits of their own: state one value for all"
      )
      return nil
    }
    var values: [(index: Int, value: Value)] = []
    for (key, node) in mapping {
      let name = key.string ?? ""
      let place = place(name, of: source) { field.reading.report(key, "\(field.key): \($0)") }
      if let place, let value = read(field.at(node)) { values.append((place, value)) }
    }
    return .encodings(values)
  }

  // MARK: Capture

  private func capture(_ field: Field, of source: VideoSourcePlan) -> SendChange.Capture? {
    guard let fit = source.fit else {
      field.report(
        "the encodings are listed, with their sizes: change them by 'encodings' or 'scale-down-by'")
      return nil
    }
    guard source.kind != .custom else {
      field.report("an app's frames have the sizes at which they are pushed: change 'push-frames'")
      return nil
    }
    guard let format = SourceReader(draft: draft).capture(field) else { return nil }
    let most = source.capture
    guard format.resolution.fits(in: most.resolution),
      format.milliFramesPerSecond <= most.milliFramesPerSecond
    else {
      field.report(
        "\(format) is more than the source's \(most): publish the larger, and begin with the smaller")
      return nil
    }
    var ladder = fit(VideoFormat(format.resolution, milliFramesPerSecond: most.milliFramesPerSecond))
    ladder.encodings = ladder.encodings.prefix(source.ladder.encodings.count).map {
      $0.slowed(to: format.milliFramesPerSecond)
    }
    return SendChange.Capture(format: format, ladder: ladder)
  }

  // MARK: Events

  /// Returns the change as one line.
  private func detail(_ own: Entry<SendSection>, _ source: VideoSourcePlan) -> String {
    let parts = SendSection.keys.map(\.name).filter { $0 != "of" }.compactMap { key in
      own.fields[key].map { "\(key) \(Self.text($0))" }
    }
    return (source.kind == .screen ? "screen " : "") + parts.joined(separator: ", ")
  }

  private static func text(_ node: Node) -> String {
    switch node {
    case .scalar(let scalar): scalar.string
    case .sequence(let nodes): nodes.map(text).joined(separator: " ")
    case .mapping(let mapping):
      mapping.map { "\($0.key.string ?? "") \(text($0.value))" }.joined(separator: " ")
    }
  }
}
