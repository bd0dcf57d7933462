import Ladder
import Plan
import Quantity
import Systems
import YAML

/// Checks frames pushed by an app: `publish: {custom: …}` and `push-frames`.
struct FrameReader: PlanReader {
  let draft: MeetingDraft

  /// Checks whether the frames that a source specifies can be pushed at all; reports an error if not.
  func isPushable(
    _ format: VideoFormat, _ shape: Entry<SourceSection>?, _ field: Field
  ) -> Bool {
    let size = format.resolution
    let text = "\(size.width)x\(size.height)"
    guard FrameAspectRatio(of: size) != nil else {
      field.report(
        "\(text) is neither 16:9 nor 4:3, as custom frames must be: for an upright picture push a wide frame, "
          + "such as 1280x720, with 'orientation: landscape-left'")
      return false
    }
    let limit = system.traits.customSource.framePixels
    guard size.pixels <= limit else {
      field.report(
        "\(text) has more than \(limit) pixels, so that every push would fail (maxFrameSizeExceeded): push "
          + "smaller frames")
      return false
    }
    return shape.map { isPossible($0, of: size) } ?? true
  }

  /// Reports specified properties that frames of this size cannot have; `false` if there are any.
  private func isPossible(_ own: Entry<some FrameShaped>, of size: Resolution) -> Bool {
    let text = "\(size.width)x\(size.height)"
    var isPossible = true
    if let aspect = own.frame.aspect, FrameAspectRatio(of: size) != aspect {
      let ratio = FrameAspectRatio(of: size).map { "it is \($0.rawValue)" } ?? "it is neither 16:9 nor 4:3"
      own.report(at: "aspect", "aspect: \(text) is not \(aspect.rawValue), \(ratio): change one of the two")
      isPossible = false
    }
    if own.frame.format == .nv12, size.width % 2 + size.height % 2 > 0 {
      own.report(
        at: "format",
        "format: nv12 needs an even width and height, not \(text): change the size, or write bgra")
      isPossible = false
    }
    return isPossible
  }

  /// Notes the size of the frames that a timeline entry pushes, before the participants' ladders are built.
  func noteSize(pushedBy entry: Node) {
    guard case .mapping(let own) = entry, let id = own["participant"]?.string,
      case .mapping(let frames)? = own["push-frames"], let text = frames["size"]?.string,
      let size = Field.size(in: text), FrameAspectRatio(of: size) != nil,
      size.pixels <= system.traits.customSource.framePixels
    else { return }
    draft.people.pushedSizes[id, default: []].insert(size)
  }

  /// Returns the sizes of the frames that the apps of an entry's participants push, narrowest first.
  private func pushedSizes(_ id: String?) -> [Resolution] {
    guard let id else { return [] }
    let own = draft.people.pushedSizes.filter { key, _ in
      key == id || key.hasPrefix("\(id)-") && Int(key.dropFirst(id.count + 1)) != nil
    }
    return own.values.reduce(Set()) { $0.union($1) }.sorted { ($0.width, $0.height) < ($1.width, $1.height) }
  }

  /// Adds to a main video its properties while the app pushes frames, at a rate that may change at any time.
  ///
  /// Receivers learn the temporal layers of a camera's encodings at the start, so custom frames keep the same number of
  /// layers, the highest ones. Frames larger than the capture have the encodings of a capture of their size, smaller
  /// ones those of the capture [our model: an app sets its encoder up for the capture]. A dual-stream encoder is
  /// configured with a size and a frame rate, which determine its recommended bit rate; it uses the size of the frames
  /// [our model], and encodes no more than the specified number of frames per second, wherever they come from (its
  /// vendor's guide on video profiles).
  func addCustomFrames(
    _ shape: FrameShape?, of id: String?, to source: inout VideoSourcePlan, _ ladders: (VideoFormat) -> Ladder
  ) {
    let capture = source.capture
    let isDual = source.ladder.lowStream != nil
    let limit = system.traits.customSource.framesPerSecond * 1000
    let rate = isDual ? min(capture.milliFramesPerSecond, limit) : limit
    var custom = ladders(VideoFormat(capture.resolution, milliFramesPerSecond: rate))
    let others = pushedSizes(id).filter { isDual || !$0.fits(in: capture.resolution) }
    var pushed = others.map { frame in
      let size = isDual ? frame : frame.box(with: capture.resolution)
      return (frame: frame, ladder: ladders(VideoFormat(size, milliFramesPerSecond: rate)))
    }
    if source.kind == .custom {
      source.ladder = custom
      source.customFrames = CustomFrames(
        milliFramesPerSecond: capture.milliFramesPerSecond, size: capture.resolution,
        quarterTurns: shape?.orientation?.quarterTurns ?? 0, extent: .untilStopped)
    } else {
      guard custom.follow(source.ladder) else { return }
      for place in pushed.indices where !pushed[place].ladder.follow(source.ladder) { return }
    }
    // Encodings that only larger frames fill are off for other frames.
    let own = source.ladder.encodings.count
    let most = pushed.reduce(custom) { $1.ladder.encodings.count > $0.encodings.count ? $1.ladder : $0 }
    custom.extend(by: most)
    for place in pushed.indices { pushed[place].ladder.extend(by: most) }
    if source.kind == .custom { source.ladder = custom } else { source.otherLadder = custom }
    source.ladder.extend(by: most)
    source.pushedLadders = pushed
    if most.encodings.count > own { source.firstFrame = capture.resolution }
  }

  /// Reads a series of frames that a participant's app pushes; omitted values are taken from its custom source.
  func series(_ own: Entry<PushFramesSection>, of participant: Int) -> CustomFrames? {
    let stated = participants[participant].camera?.customFrames
    if own.states("count"), own.states("for") {
      own.report(at: "for", "for: 'count' says how many frames there are: remove one of the two")
      return nil
    }
    for (key, example, isNeeded) in [("fps", "24", own.count != 1), ("size", "1280x720", true)]
    where stated == nil && isNeeded && !own.states(key) && !draft.faults.sources.contains(participant) {
      own.report(
        "push-frames needs '\(key)', such as '\(key): \(example)', where the participant does not publish 'custom' "
          + "frames that have one" + (key == "fps" ? ", or 'count: 1' for a single frame" : ""))
      return nil
    }
    guard let size = own.size ?? stated?.size, isPossible(own, of: size) else { return nil }
    let rate = own.fps.map { Int(($0 * 1000).rounded()) } ?? stated?.milliFramesPerSecond ?? 1000
    return CustomFrames(
      milliFramesPerSecond: rate, size: size,
      quarterTurns: own.frame.orientation?.quarterTurns ?? stated?.quarterTurns ?? 0,
      extent: own.count.map { .count($0) } ?? own.time.map { .duration($0) } ?? .untilStopped)
  }
}

extension Ladder {
  /// Reduces the encodings to as many temporal layers as in a camera's ladder, keeping the highest.
  ///
  /// - Returns: `false` if there are fewer.
  fileprivate mutating func follow(_ camera: Ladder) -> Bool {
    guard encodings.count >= camera.encodings.count else { return false }
    for (index, encoding) in camera.encodings.enumerated() {
      guard encodings[index].temporalLayers >= encoding.temporalLayers else { return false }
      let rates = encodings[index].cumulativeBitrates
      encodings[index].cumulativeBitrates = rates.suffix(encoding.temporalLayers)
    }
    return true
  }

  /// Adds the encodings of a longer ladder that are missing at the top.
  fileprivate mutating func extend(by longer: Ladder) {
    encodings += longer.encodings.dropFirst(encodings.count)
  }
}

extension Resolution {
  /// Returns the smallest box that holds two frames.
  fileprivate func box(with other: Resolution) -> Resolution {
    Resolution(width: max(width, other.width), height: max(height, other.height))
  }
}
