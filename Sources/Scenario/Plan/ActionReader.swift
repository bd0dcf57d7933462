import Ladder
import Layout
import Plan
import Quantity
import Systems
import YAML

/// Turns the values of actions into the plan's, for the participant that acts.
struct ActionReader: PlanReader {
  let draft: MeetingDraft
  /// Index of the acting participant.
  let actor: Int
  /// Value of the action.
  let field: Field

  var view: ViewPlan? { participants[actor].view }
  private var views: ViewReader { ViewReader(draft: draft, viewers: actor..<actor + 1) }

  func request(_ value: Field) -> TimelineAction {
    let entries = views.request(value, isCall: true)
    views.note(entries.sizes, at: value)
    return .client(.request(entries))
  }

  func page(_ page: Int) -> TimelineAction? {
    guard view?.tilesPerPage != nil else {
      if draft.faults.views.contains(actor) { return nil }
      field.mapping.report(
        field.mapping.key("page"),
        "page: '\(participants[actor].id)' has a single page: add 'per-page: 16' to its view")
      return nil
    }
    return .client(.page(page))
  }

  /// Reads `true`, `none` or `{picture-in-picture: teacher, size: 640x480}`.
  func background(_ value: Field) -> TimelineAction? {
    if case .scalar(let scalar) = value.node {
      switch scalar.string {
      case "none": return .client(.background(Background()))
      case "true", "True", "TRUE":
        guard value.plainText != nil else { return nil }
        return .client(.background(Background(startsWindow: true)))
      default:
        value.report("write 'true', 'none' or '{picture-in-picture: ID}'")
        return nil
      }
    }
    guard let own = Entry<BackgroundSection>(value, "background"),
      let subject = views.windowSubject(own.participant)
    else { return nil }
    let size = own.size ?? view?.window?.size ?? PictureInPicture.preferredSize
    return .client(.background(Background(window: PictureInPicture(subject, size: size))))
  }

  func streamType(_ value: Field) -> TimelineAction? {
    guard has(call: "stream-type") else {
      let able = systems(calling: "stream-type").joined(separator: ", ")
      value.report("policy '\(system.name)' has no dual streams, only \(able) has")
      return nil
    }
    guard let own = Entry<StreamTypeSection>(value, "stream-type"),
      let who = participant(own.participant), let isLow = own.isLow
    else { return nil }
    return .client(.streamType(participant: who, low: isLow))
  }

  /// Overrides one participant's video, or everybody's if none is named.
  func override(_ own: Entry<OverrideSection>) -> TimelineAction? {
    let who = participant(own.participant)
    guard let size = own.size, who != nil || !own.states("participant") else { return nil }
    if size.node.string == "none" { return .client(.override(participant: who, nil)) }
    return views.streamOverride(size).map { .client(.override(participant: who, $0)) }
  }

  func prefer(_ own: Entry<PreferenceSection>) -> TimelineAction? {
    views.preference(own).map { .client(.prefer(participant: $0.participant, $0.preference)) }
  }

  func source(_ kind: VideoSourcePlan.Kind) -> TimelineAction? {
    if kind == .custom, let codec = participants[actor].camera?.codec, codec.hasSpatialLayers {
      field.report(
        "custom frames are sent as simulcast and cannot take the place of a camera in '\(codec.rawValue)': remove the "
          + "entry, or 'codec' of '\(participants[actor].id)'")
      return nil
    }
    if kind == .custom, participants[actor].camera?.recordedFrames != nil {
      field.report(
        "custom frames cannot take the place of a recorded camera: remove the entry, or 'frames' of "
          + "'\(participants[actor].id)'")
      return nil
    }
    return .source(kind)
  }

  /// Reads `stop`, or frames to push: a number of them, for a time, or until stopped.
  func pushFrames(_ value: Field) -> TimelineAction? {
    if case .scalar(let scalar) = value.node {
      if scalar.string == "stop" { return .stopPushing }
      value.report(
        "'\(scalar.string)' is neither 'stop' nor a mapping such as '{fps: 24, size: 1280x720, for: 10s}'"
      )
      return nil
    }
    return Entry<PushFramesSection>(value, "push-frames")
      .flatMap { FrameReader(draft: draft).series($0, of: actor) }.map { .pushFrames($0) }
  }

  func signals(_ value: Field) -> TimelineAction? {
    SignalReader(draft: draft, viewers: actor..<actor + 1).change(value.node).map { .client(.signals($0)) }
  }
}
