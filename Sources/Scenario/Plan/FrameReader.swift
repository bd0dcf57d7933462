import Ladder
import Plan
import Quantity
import Systems
import YAML

/// Checks frames made by an app: `publish: {custom: …}` and `push-frames`.
struct FrameReader: PlanReader {
  let draft: MeetingDraft

  /// Checks whether the frames that a source states can be pushed at all; reports an error if not.
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

  /// Reports stated properties that frames of this size cannot have; `false` if there are any.
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

  /// Notes the size of the frames that an entry of the timeline pushes, before the participants' ladders are built.
  func noteSize(pushedBy entry: Node) {
    guard case .mapping(let own) = entry, let id = own["participant"]?.string,
      case .mapping(let frames)? = own["push-frames"], let text = frames["size"]?.string,
      let size = Field.size(in: text), FrameAspectRatio(of: size) != nil,
      size.pixels <= system.traits.customSource.framePixels
    else { return }
    draft.people.pushedSizes[id] = draft.people.pushedSizes[id]?.box(with: size) ?? size
  }

  /// Returns the box of the frames that the apps of an entry's participants push; `nil` for none.
  private func pushedSize(_ id: String?) -> Resolution? {
    guard let id else { return nil }
    let own = draft.people.pushedSizes.filter { key, _ in
      key == id || key.hasPrefix("\(id)-") && Int(key.dropFirst(id.count + 1)) != nil
    }
    return own.values.reduce(nil) { $0?.box(with: $1) ?? $1 }
  }

  /// Adds to a main video the properties that it has while its app pushes frames, whose rate may change at any time.
  ///
  /// Receivers learn the temporal layers of a camera's encodings at the beginning, so its custom frames have the same
  /// number of layers, the highest ones. A dual-stream encoder is configured with a frame rate, which determines its
  /// recommended bit rate, so it accepts no more than the stated rate.
  func addCustomFrames(
    _ shape: FrameShape?, of id: String?, to source: inout VideoSourcePlan, _ ladders: (VideoFormat) -> Ladder
  ) {
    let limit = system.traits.customSource.framesPerSecond
    let capture = source.capture
    let largest = pushedSize(id)?.box(with: capture.resolution) ?? capture.resolution
    var full = ladders(VideoFormat(largest, framesPerSecond: limit))
    if full.lowStream != nil, capture.milliFramesPerSecond < limit * 1000 {
      full = ladders(VideoFormat(largest, milliFramesPerSecond: capture.milliFramesPerSecond))
    }
    if source.kind == .custom {
      source.ladder = full
      if largest != capture.resolution { source.firstFrame = capture.resolution }
      source.customFrames = CustomFrames(
        milliFramesPerSecond: source.capture.milliFramesPerSecond, size: source.capture.resolution,
        quarterTurns: shape?.orientation?.quarterTurns ?? 0, extent: .untilStopped)
      return
    }
    let own = source.ladder.encodings.count
    guard full.encodings.count >= own else { return }
    for (index, encoding) in source.ladder.encodings.enumerated() {
      guard full.encodings[index].temporalLayers >= encoding.temporalLayers else { return }
      full.encodings[index].cumulativeBitrates = full.encodings[index].cumulativeBitrates
        .suffix(encoding.temporalLayers)
    }
    source.otherLadder = full
    // Larger frames have encodings that the camera's pictures do not fill.
    guard full.encodings.count > own else { return }
    source.ladder.encodings += full.encodings[own...]
    source.firstFrame = capture.resolution
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

extension Resolution {
  /// Returns the smallest box that holds two frames.
  fileprivate func box(with other: Resolution) -> Resolution {
    Resolution(width: max(width, other.width), height: max(height, other.height))
  }
}
