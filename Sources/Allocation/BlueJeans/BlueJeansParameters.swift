package import Quantity

/// What can be set about BlueJeans' rules.
package struct BlueJeansParameters: Hashable, Sendable {
  /// What a request for 360p gets of a sender that makes no 360p layer, as one with both 720p and 90p thumbnails (web
  /// SDK, `RTCEncodingManager`). What the server then sends is not published: both ways are our model.
  package enum Missing360p: String, Hashable, Sendable, CaseIterable {
    /// The 180p layer.
    case smaller = "180p"
    /// 720p at 15 fps where its 768 kbps fit, more pixels than were asked for; else the 180p layer. Never behind a
    /// closed 720p gate.
    case larger = "720p15"
  }

  /// Cap on all received video [web SDK: 2400 kbps with several streams, 1200 otherwise; 100 to 4096 accepted].
  package var receiveCap = BitRate.kilobits(2400)
  /// Time from a change of participants or layout to a new request [web SDK: 300 ms].
  package var reactionDelay = SimDuration.milliseconds(300)
  /// A new stream is shown at up to 180p for this long before it gets its layer. The documents speak of "a couple of
  /// seconds"; 2 s is our model.
  package var rampTime = SimDuration.seconds(2)
  /// Somebody who spoke within this time keeps a place before those who did not [web SDK: 120 s].
  package var recentSpeakerWindow = SimDuration.seconds(120)
  /// How often the client looks whether a new speaker may come on the main stage of a built-in layout [web SDK: 200 ms].
  package var mainStagePoll = SimDuration.milliseconds(200)
  package var missing360p = Missing360p.smaller
  /// Whether every entry gets its lowest layer before any priority counts. Not BlueJeans': an option of ours, like
  /// Twilio's collaboration mode.
  package var floor = false

  package init() {}
}
