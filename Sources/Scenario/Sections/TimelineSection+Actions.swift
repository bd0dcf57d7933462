import Ladder
import Layout
import Plan
import Quantity
import Systems
import Vendors
import YAML

/// An action of a participant as read; it becomes part of the plan once all participants are known.
struct Action {
  /// Returns the plan's action; `nil`, with an error reported, if the meeting does not allow it.
  let plan: (ActionReader) -> TimelineAction?
}

extension TimelineSection {
  static let actions: [Key<Self>] = [
    .action("speaks", .duration, "Speaks for this long.", examples: ["8s"]) { time, _ in .speaks(time) }
      .beside("{at: 10s, participant: ann}"),
    .action("mute", .medium, "Stops sending.") { isVideo, _ in isVideo ? .muteVideo(true) : .muteAudio(true)
    },
    .action("unmute", .medium, "Resumes sending.") { isVideo, _ in
      isVideo ? .muteVideo(false) : .muteAudio(false)
    },
    .action("join", .yes, "Joins the meeting.") { _, _ in .join }.amid(
      "{participants: [{id: ann, publish: {camera: 720p30}}, {id: eve, join: 10s, view: {stage: {participant: ann, size: 320x180}}}]}"
    ).beside("{at: 20s, participant: eve}"),
    .action("leave", .yes, "Leaves the meeting.") { _, _ in .leave },
    .action(
      "background",
      .later(.any(of: .word(["none"]), ValueType<Bool>.yes.shape, BackgroundSection.shape)),
      "Moves the app to the background: with the view's picture-in-picture window if it starts from inline (true), "
        + "without a window, or with this one."
    ) { $1.background($0) }.shown("{picture-in-picture: ann}"),
    .action("foreground", .yes, "Moves the app to the foreground.") { _, _ in .client(.background(nil)) },
    .action(
      "request", .later(RequestSection.calls),
      "Sends a new stream request; an invalid one yields the SDK's error."
    ) { $1.request($0) }
    .shown("[{quality: 360p30, priority: high, participant: ann}]")
    .amid(meeting(viewing: "request: [{quality: 180p15, priority: high, participant: ann}]")),
    .action(
      "layout", .word { $0.systems.layouts.map(\.name) + ["custom"] }, "Selects a built-in layout, or custom."
    ) { name, reader in .client(.layout(reader.catalogue.systems.layouts.first { $0.name == name })) }.amid(
      meeting(viewing: "layout: people")),
    .action(
      "scroll", .scroll,
      "Scrolls the grid to this offset from its top [points], at most to its end: a jump, or over a time."
    ) { scroll, _ in
      guard let to = scroll.to, let time = scroll.time else { return nil }
      return .client(.scroll(to: to, over: time))
    }.shown("{to: 400, for: 500 ms}").amid(meeting(viewing: grid)),
    .action(
      "screen", .turnedScreen,
      "Turns or resizes the screen of a grid; the pixels per point stay where none are given."
    ) { .client(.screen($0.screen(scale: $1.view?.screen.scale ?? 1))) }.shown("844x390")
      .amid(meeting(viewing: grid)),
    .action("resize", .section(ResizeSection.self, "resize"), "Resizes a tile.") { own, reader in
      guard let who = reader.participant(own.participant), let size = own.to else { return nil }
      return .client(.resize(participant: who, size))
    },
    .action("page", .page, "Shows another page of tiles.") { $1.page($0) }.shown("2")
      .amid(
        "{policy: jitsi, participants: [{id: ann, publish: {camera: 720p30}}, {id: bob, publish: {camera: 720p30}}, "
          + "{id: eve, view: {everybody: 320x180, per-page: 1}}]}"),
    .call("hide", "Hides a tile.") { .hide(participant: $0) }.amid(meeting(under: "jitsi")),
    .call("show", "Shows a tile.") { .show(participant: $0) }.amid(meeting(under: "jitsi")),
    .call("pin", "Pins a tile.") { .pin(participant: $0) }.amid(meeting(under: "jitsi")),
    .call("unpin", "Unpins a tile.") { .unpin(participant: $0) }.amid(meeting(under: "jitsi")),
    .action(
      "stream-type", .later(StreamTypeSection.shape),
      "Dual stream: sets the stream type of a remote participant."
    ) { $1.streamType($0) }.shown("{participant: ann, type: low}"),
    .action(
      "override", .section(OverrideSection.self, "override"),
      "Policy stream: overrides the size of one participant's video, or of everybody's; off stops it, none removes "
        + "the override."
    ) { $1.override($0) }.shown("{participant: ann, size: 360p}"),
    .action("mute-remote", .flag, "Mutes or unmutes all remote video but screen shares.") { isMuted, _ in
      .client(.muteRemoteVideo(isMuted))
    },
    .action("mute-content", .flag, "Mutes or unmutes all screen shares.") { isMuted, _ in
      .client(.muteContent(isMuted))
    },
    .action(
      "receive-720p", .flag, "Lets the client receive more than 360p, or no longer; also before joining."
    ) { isOn, _ in .client(.receive720p(isOn)) },
    .action(
      "source", .either(("camera", VideoSourcePlan.Kind.camera), or: ("custom", .custom)),
      "Begins to switch the video source; the event setVideoSource marks its completion."
    ) { $1.source($0) }.shown("custom").beside(ofPublisher),
    .action(
      "push-frames", .later(.any(of: .word(["stop"]), PushFramesSection.shape)),
      "Pushes frames that the app makes: 'count' of them, 'for' a time, or until it stops; they take the place of "
        + "those that it pushes already. What is left out is as its 'custom' source states it."
    ) { $1.pushFrames($0) }.shown("{fps: 24, for: 10s}").beside(ofPublisher)
      .amid(meeting(publishing: "custom: 720p24")),
    .action(
      "share", .turned(on: ["screen", "start"], off: ["none", "stop"]),
      "Starts the screen share, or stops it with 'none'."
    ) { isOn, _ in .shareScreen(isOn) }.shown("screen").beside(ofPublisher)
      .amid(meeting(publishing: "camera: 720p30, screen: {capture: 1080p5, on: false}")),
    .action(
      "attach", .section(AttachSection.self, "attach"), "Attaches a participant's stream to a view."
    ) { own, reader in
      guard let who = reader.participant(own.participant), let view = own.view else { return nil }
      return .client(.attach(participant: who, view: view))
    },
    .call("detach", "Detaches a participant's stream.") { .detach(participant: $0) },
    .action("preferred", .preference) { $1.prefer($0) }.shown("{participant: ann, size: 640x360}"),
    .action(
      "send", .section(SendSection.self, "send"),
      "Changes the parameters of a sender, as RTCRtpSender.setParameters does, until its participant leaves."
    ) { own, reader in
      SendReader(draft: reader.draft, actor: reader.actor).change(own).map { .send($0) }
    }.shown("{maximum: 500 kbps}").beside(ofPublisher),
    .action("signals", .later(ScenarioSchema.signalChange)) { $1.signals($0) },
  ]

  /// Entries beside a publisher's action in an example.
  private static let ofPublisher = "{at: 10s, participant: ann}"
  private static let grid = "container: {kind: list, size: 360x640}"

  /// Builds a meeting with a publisher that has a source, and a viewer that has a view.
  private static func meeting(
    publishing source: String = "camera: 720p30", viewing view: String = "tiles: {ann: 640x360}",
    under policy: String? = nil
  ) -> String {
    let participants = "participants: [{id: ann, publish: {\(source)}}, {id: eve, view: {\(view)}}]"
    return "{\(policy.map { "policy: \($0), " } ?? "")\(participants)}"
  }
}

extension Key<TimelineSection> {
  /// Declares an action; if it is a call that only some systems declare, of these.
  fileprivate static func action<Value>(
    _ name: String, _ type: ValueType<Value>, _ meaning: String? = nil, examples: [String] = [],
    _ plan: @escaping @Sendable (Value, ActionReader) -> TimelineAction?
  ) -> Key {
    Key(name, \.action, type.mapped { value in Action { plan(value, $0) } }, meaning, examples: examples)
      .ofSystems(calling: name)
  }

  /// Declares a call to the client about another participant.
  fileprivate static func call(
    _ name: String, _ meaning: String, _ call: @escaping @Sendable (Int) -> ClientCall
  ) -> Key {
    .action(name, .another, meaning) { who, reader in
      reader.participant(who).map { .client(call($0)) }
    }
  }
}
