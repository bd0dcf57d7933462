package import Parameters
package import Quantity
import Systems

/// mediasoup's parameters: the server's, then those of the app [our model].
package struct MediasoupParameters: Parameterized {
  package var remb = false
  package var rembBonus = Fraction(0.08) ?? .zero
  package var climbsPastDeadPreferred = false
  package var streamAge = SimDuration.seconds(2)
  package var conservativeTime = SimDuration.seconds(10)
  package var downgradeAge = SimDuration.seconds(8)
  package var distributionSpacing = SimDuration.seconds(1)
  package var fallShare = Fraction(0.75) ?? .zero
  package var riseFactor = 1.5
  package var initialEstimate = BitRate.kilobits(600)
  package var maximumTargetFactor = 1.35
  package var keyFrameDelay = SimDuration.zero
  package var keyFrameTimeout = SimDuration.seconds(1)
  package var rateWindow = SimDuration.milliseconds(2500)
  package var inactiveTime = SimDuration.milliseconds(1500)
  package var unknownRoundTrip = SimDuration.milliseconds(100)
  package var repairAge = SimDuration.seconds(2)
  package var reportInterval = SimDuration.seconds(1)
  package var joinTime = SimDuration.milliseconds(100)
  package var connectionTime = SimDuration.milliseconds(50)
  package var consumeTime = SimDuration.milliseconds(40)
  package var tilePriority = 1
  package var pinPriority = 10
  package var stagePriority = 10
  package var sharePriority = 10
  package var reactionDelay = SimDuration.milliseconds(20)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = server + app

  private static let server: [ParameterDeclaration<Self>] = [
    .flag(
      "remb", \.remb,
      "server: whether it follows the viewer's REMB with 'estimator: {down: remb}', as no version does: REMB clients "
        + "stay at 'initial-estimate' for ever; a step may then take a little more than is left",
      source:
        "our model: the controller is created for transport-wide feedback alone (mediasoup 3.19.3, "
        + "TransportCongestionControlClient.cpp); SimulcastConsumer.cpp, considerLoss"),
    .share(
      "remb-bonus", \.rembBonus,
      "server: with remb, a step may take this share more than is left; it is then charged all that is left",
      source: "mediasoup 3.19.3, SimulcastConsumer.cpp, below 2 % of losses; more losses are not modelled"),
    .flag(
      "climb-past-dead-preferred", \.climbsPastDeadPreferred,
      "server: whether a higher stream than the preferred one is chosen while that one does not arrive",
      source: "mediasoup 3.19.3; until pull request 1567 of July 2025 it was"),
    .duration(
      "stream-age", \.streamAge,
      "server: a younger stream does not take the place of one of at least this age",
      source: "mediasoup 3.19.3, SimulcastConsumer.cpp, StreamMinActiveMs"),
    .duration(
      "conservative-time", \.conservativeTime,
      "server: for this long after a downgrade nothing climbs above the current stream",
      source: "mediasoup 3.19.3, SimulcastConsumer.cpp, BweDowngradeConservativeMs"),
    .duration(
      "downgrade-age", \.downgradeAge,
      "server: a lower stream counts as a downgrade if the consumer is older than this",
      source: "mediasoup 3.19.3, SimulcastConsumer.cpp, BweDowngradeMinActiveMs"),
    .duration(
      "distribution-spacing", \.distributionSpacing, in: .milliseconds(1) ... .seconds(86_400),
      "server: distributes an estimate this long after the last distribution, or later",
      source: "mediasoup 3.19.3, TransportCongestionControlClient.cpp, AvailableBitrateEventInterval"),
    .share(
      "distribution-fall", \.fallShare, "server: at once if it is below this share of the previous estimate",
      source: "mediasoup 3.19.3, TransportCongestionControlClient.cpp"),
    .number(
      "distribution-rise", \.riseFactor, in: 1...100,
      "server: or above the previous estimate by this factor, in thousandths",
      source: "mediasoup 3.19.3, TransportCongestionControlClient.cpp"),
    .rate(
      "initial-estimate", \.initialEstimate,
      "server: after the first, an estimate of exactly this value is ignored",
      source: "mediasoup 3.19.3, initialAvailableOutgoingBitrate of WebRTC transports"),
    .number(
      "maximum-target-factor", \.maximumTargetFactor, in: 1...10,
      "server: lets the estimate grow to the desired bit rate times this factor",
      source: "mediasoup 3.19.3, TransportCongestionControlClient.cpp, MaxBitrateIncrementFactor"),
    .duration(
      "key-frame-delay", \.keyFrameDelay, in: .zero ... .seconds(60),
      "server: requests key frames of a stream at most this often",
      source: "mediasoup 3.19.3, keyFrameRequestDelay of producers"),
    .duration(
      "key-frame-timeout", \.keyFrameTimeout, in: .milliseconds(1) ... .seconds(60),
      "server: requests a key frame once more that has not come, and sends no other request of the stream until then",
      source: "mediasoup 3.19.3, KeyFrameRequestManager.cpp"),
    .duration(
      "rate-window", \.rateWindow, in: .milliseconds(100) ... .seconds(60),
      "server: measures the rates of layers over this sliding window",
      source: "mediasoup 3.19.3, RtpStreamRecv.cpp"),
    .duration(
      "inactive-time", \.inactiveTime, in: .milliseconds(100) ... .seconds(60),
      "server: a stream without a packet for this long does not arrive",
      source: "mediasoup 3.19.3, RtpStreamRecv.cpp; 5 s with discontinuous transmission, not modelled"),
    .duration(
      "unknown-round-trip", \.unknownRoundTrip, in: .zero ... .seconds(10),
      "server: repeats a packet of a stream this long after it did so last, until the viewer has reported the stream's "
        + "round trip, which then counts",
      source: "mediasoup 3.19.3, RtpStreamSend.cpp, DefaultRtt"),
    .duration(
      "repair-age", \.repairAge, in: .zero ... .seconds(3),
      "server: repeats no packet that is older",
      source: "mediasoup 3.19.3, RtpStreamSend.cpp, MaxRetransmissionDelayForVideoMs"),
    .duration(
      "report-interval", \.reportInterval, in: .milliseconds(100) ... .seconds(60),
      "server: sends its reports after once to one and a half times this, the first after half of it",
      source: "mediasoup 3.19.3, Transport.cpp, MaxVideoIntervalMs"),
  ]

  private static let app: [ParameterDeclaration<Self>] = [
    .duration(
      "join-time", \.joinTime, in: .zero ... .seconds(10),
      "app: from joining until the client has its transports: WebSocket, the router's capabilities",
      source: "our model"),
    .duration(
      "connection-time", \.connectionTime, in: .zero ... .seconds(10),
      "app: from then until media flow: connectivity checks and the DTLS handshake",
      source: "our model: the interval of connectivity checks in RFC 8445"),
    .duration(
      "consume-time", \.consumeTime, in: .zero ... .seconds(10),
      "app: from a consumer's parameters until the client resumes it; the next is asked for after that",
      source: "mediasoup-client, Transport.consume and Consumer.resume; our model of a browser's time"),
    .integer(
      "tile-priority", \.tilePriority, in: 1...255, "app: priority of tiles",
      source: "mediasoup 3.19.3, the default of consumers"),
    .integer(
      "pin-priority", \.pinPriority, in: 1...255, "app: priority of who is pinned",
      source: "our model: apps decide"),
    .integer(
      "stage-priority", \.stagePriority, in: 1...255, "app: priority of who is on the stage",
      source: "our model: apps decide"),
    .integer(
      "share-priority", \.sharePriority, in: 1...255, "app: priority of screen shares",
      source: "our model: apps decide"),
    .duration(
      "reaction-delay", \.reactionDelay, "app: delay from a change to its requests at the server",
      source: "our model: nothing is published"),
  ]

  var rembBonusMillionths: Int64 { Int64((rembBonus.value * 1e6).rounded()) }

  /// Negotiation of one consumer after the other over the app's WebSocket, each paused until its client resumes it.
  var negotiation: NegotiationRules {
    var rules = NegotiationRules(
      initialTracks: 0, joinTime: joinTime, connectionTime: connectionTime, interval: .zero,
      offerTime: consumeTime)
    rules.isOneByOne = true
    // A consumer's identifiers and RTP parameters, with the router's codecs and header extensions, as JSON; the request
    // to resume and its response are short [our model].
    rules.sizes.request = 1300
    (rules.sizes.description, rules.sizes.track) = (200, 0)
    // mediasoup-demo's `consumerScore`, 175 B of JSON with the scores of three streams (server/lib/Room.js; the worker
    // emits it with each stream that begins, SimulcastConsumer.cpp, ProducerNewRtpStream). Score changes due to loss,
    // and `consumerLayersChanged` with each change of a viewer's layer, are not sent here.
    rules.sizes.source = 175 + NegotiationSizes.framing
    rules.sizes.layers = rules.sizes.source
    rules.sendsSettingsApart = false
    return rules
  }

  var forwarding: ForwardingRules {
    var rules = ForwardingRules()
    rules.keyFrames.spacings = [keyFrameDelay]
    rules.keyFrames.early = .deferred
    rules.keyFrames.retry = keyFrameTimeout
    rules.keyFrames.repetition = .pending
    rules.whileWaiting = .everything
    rules.layerFilter = .init(MediasoupLayerFilter.self)
    rules.sending = .immediate(probes: 32...1400)
    // mediasoup's audio to viewers has no transport-wide sequence numbers.
    rules.reportsVoices = false
    rules.hearsEveryEstimate = true
    rules.reservesRepairs = false
    // mediasoup's padding rate has no effect: its pacer only sends probes.
    rules.padding = .probing
    rules.receiverPadding = .nothing
    // mediasoup's controller accepts only transport-wide feedback, and nothing else moves its estimate.
    rules.constantReceiverEstimate = remb ? nil : initialEstimate
    rules.repairs = .oncePerReportedRoundTrip(unknown: unknownRoundTrip, age: repairAge)
    rules.senderReports = reportInterval...reportInterval * 3 / 2
    rules.layerWindow = .init(length: rateWindow, silence: inactiveTime)
    rules.layerWindow?.isAlwaysWhole = true
    return rules
  }
}
