package import Parameters
package import Quantity
import Systems

/// LiveKit parameters: the server's, then those of livekit-client.
package struct LiveKitParameters: Parameterized {
  package var server = LiveKitServerParameters()
  package var forwarding = LiveKitForwardingParameters()
  package var negotiation = LiveKitNegotiationParameters()
  package var tileFactor = 0.9
  package var settingsDebounce = SimDuration.milliseconds(100)
  package var dynacast = true
  package var dynacastPauseDelay = SimDuration.seconds(5)
  package var dynacastStart = SimDuration.seconds(10)
  package var adaptiveStream = false
  package var pixelDensity = 1.0
  package var resizeDebounce = SimDuration.milliseconds(100)
  package var hideDelay = SimDuration.milliseconds(100)
  package var backgroundDelay = SimDuration.seconds(5)
  package var reactionDelay = SimDuration.milliseconds(20)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] =
    LiveKitNegotiationParameters.parameters.map { .part(\.negotiation, $0) } + own
    + LiveKitServerParameters.parameters.map { .part(\.server, $0) }
    + LiveKitForwardingParameters.parameters.map { .part(\.forwarding, $0) }

  private static let own: [ParameterDeclaration<Self>] = [
    .number(
      "tile-factor", \.tileFactor, in: 0.1...1,
      "server: a tile gets the lowest quality of at least this share of its size, and of its frame rate",
      source: "mediatrackreceiver.go, layerSelectionTolerance"),
    .duration(
      "settings-debounce", \.settingsDebounce,
      "server: debounce of a track's settings; enabling a track is immediate",
      source: "subscribedtrack.go"),
    .flag(
      "dynacast", \.dynacast, "whether publishers stop encodings that nobody wants",
      source: "an option of livekit-client's rooms, on in LiveKit's examples; off in the client by default"),
    .duration(
      "dynacast-pause-delay", \.dynacastPauseDelay,
      "server: has an encoding stop when it has not been wanted for this long",
      source: "config.go, dynacast_pause_delay"),
    .duration(
      "dynacast-start", \.dynacastStart,
      "server: stops a track that nobody has subscribed to in this time from its beginning",
      source: "dynacastqualityvideo.go, initialQualityUpdateWait"),
    .flag(
      "adaptive-stream", \.adaptiveStream,
      "client: whether views with 'signals' that do not say so use adaptive stream; all other views do",
      source: "livekit-client, RoomOptions"),
    .number(
      "pixel-density", \.pixelDensity, in: 0.5...4,
      "client: pixels that adaptive stream reports for each point of a tile",
      source: "livekit-client, AdaptiveStreamSettings.pixelDensity"),
    .duration(
      "resize-debounce", \.resizeDebounce, "client: debounce of a tile's size with adaptive stream",
      source: "livekit-client, RemoteVideoTrack, REACTION_DELAY"),
    .duration(
      "hide-delay", \.hideDelay, "client: delay from a tile's leaving the screen to its being disabled",
      source: "livekit-client, RemoteVideoTrack, REACTION_DELAY"),
    .duration(
      "background-delay", \.backgroundDelay,
      "client: delay from the app's move to the background to the end of its videos, with adaptive stream",
      source: "livekit-client, Track, BACKGROUND_REACTION_DELAY"),
    .duration(
      "reaction-delay", \.reactionDelay, "server: delay from a change in the meeting to new subscriptions",
      source: "our model: nothing is published"),
  ]
}
