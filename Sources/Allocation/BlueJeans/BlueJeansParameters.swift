package import Quantity

/// What can be set about BlueJeans' rules.
package struct BlueJeansParameters: Hashable, Sendable {
  /// Cap on all received video [web SDK: 2400 kbps with several streams, 1200 otherwise; 100 to 4096 accepted].
  package var receiveCap = BitRate.kilobits(2400)
  /// Time from a change of participants or layout to a new request [web SDK: 300 ms].
  package var reactionDelay = SimDuration.milliseconds(300)
  /// A new stream is shown at up to 180p for this long before it gets its layer. The documents speak of "a couple of
  /// seconds"; 2 s is our model.
  package var rampTime = SimDuration.seconds(2)
  /// Somebody who spoke within this time keeps a place before those who did not [web SDK: 120 s].
  package var recentSpeakerWindow = SimDuration.seconds(120)
  /// Whether every entry gets its lowest layer before any priority counts. Not BlueJeans': an option of ours, like
  /// Twilio's collaboration mode.
  package var floor = false

  package init() {}
}
