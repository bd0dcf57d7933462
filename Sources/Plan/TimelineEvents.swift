import Network
package import Systems

/// Rows of `events.csv` produced by timeline entries in every system; each system declares its further calls.
package enum TimelineEvents {
  /// All kinds, in listing order.
  package static let all: [EventDeclaration] = people + media + calls + links + traffic

  private static let people = [
    EventDeclaration("join", results: [.ok, .unchanged]),
    EventDeclaration("leave", results: [.ok, .notInMeeting]),
    EventDeclaration("speaks", detail: "for how long", results: [.ok, .notInMeeting]),
    EventDeclaration("speech-start", "a microphone's speech begins"),
    EventDeclaration("speech-end", "it ends, by a mute or by leaving as well"),
    EventDeclaration("mute", detail: "audio or video", results: [.ok, .notInMeeting, .unchanged]),
    EventDeclaration("unmute", detail: "audio or video", results: [.ok, .notInMeeting, .unchanged]),
    EventDeclaration("share", detail: "screen or none", results: [.ok, .notInMeeting, .unchanged]),
  ]

  private static let media = [
    EventDeclaration(
      "source", detail: "camera or custom", results: [.ok, .notInMeeting, .noVideoConnection, .unchanged]),
    EventDeclaration(
      "setVideoSource", "a change of the video source is complete", detail: "camera or custom",
      results: [.completed]),
    EventDeclaration(
      "send", detail: "what changes of the sender",
      results: [.ok, .notInMeeting, .noVideoConnection, .unsupported, .unchanged]),
    EventDeclaration(
      "push-frames",
      detail: "what is pushed, and how many frames the encoder dropped; a row for each run of equal results",
      results: [
        .success, .ok, .notInMeeting, .notUsingCustomVideoSource, .videoMuted, .maxFrameSizeExceeded,
        .unsupportedAspectRatio, .notPushing,
      ]),
  ]

  private static let calls: [EventDeclaration] = [
    .call("scroll", detail: "the offset, and in what time", .noGrid),
    .call("screen", detail: "width and height", .noGrid),
    .call("resize", detail: "participant and size", .unchanged),
    .call("page", detail: "the page", .unchanged),
    .call("hide", detail: "participant", .unchanged), .call("show", detail: "participant", .unchanged),
    .call("pin", detail: "participant", .unchanged), .call("unpin", detail: "participant", .unchanged),
    .call("mute-remote", detail: "on or off", .unchanged),
    .call("mute-content", detail: "on or off", .unchanged),
    .call("attach", detail: "participant and view", .noParticipantWithId, .noStreamForParticipantId),
    .call("detach", detail: "participant", .notAttached),
    .call("background", detail: "the window that is asked for", .unchanged),
    .call("foreground", detail: "", .unchanged),
    .call("signals", detail: "what changes", .noSignals),
  ]

  private static let links = LinkChange.Name.allCases.map {
    EventDeclaration(
      $0.rawValue, detail: "the link and the new value", results: $0 == .down ? [.ok] : [.ok, .unchanged])
  }

  private static let traffic = [
    EventDeclaration("traffic-start", "a flow of cross traffic starts", detail: "the flow"),
    EventDeclaration("traffic-stop", "a flow of cross traffic stops", detail: "the flow"),
  ]
}
