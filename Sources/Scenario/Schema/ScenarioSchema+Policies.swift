import Allocation
import Metrics
import Quantity

/// Policies with their parameters.
extension ScenarioSchema {
  static var policy: Shape {
    func time(_ sentence: String, _ example: String) -> Shape {
      .quantity(.duration, sentence, such: example)
    }
    let bluejeans: [(String, Shape)] = [
      (
        "receive-cap",
        Shape.any(of: .word(["none"]), .quantity(.bitRate, "A cap.", such: "2400 kbps"))
          .described("bluejeans: the most video that a client receives.")
      ), ("reaction-delay", time("bluejeans: from a change to a new request.", "300 ms")),
      ("ramp-time", time("bluejeans: a new stream is small for so long.", "2 s")),
      ("recent-speaker-window", time("bluejeans: who spoke within this time keeps a place.", "120 s")),
      ("main-stage-poll", time("bluejeans: how often the main stage may change, from 10 ms.", "200 ms")),
      (
        "missing-360p",
        Shape.word(BlueJeansParameters.Missing360p.self)
          .described("bluejeans: what a 360p request gets of a sender without 360p.")
      ), ("floor", Shape.flag.described("bluejeans: every entry gets its lowest layer first.")),
    ]
    let agora: [(String, Shape)] = [
      (
        "fallback",
        Shape.word(AgoraParameters.Fallback.self).described("agora: what a client does on a weak downlink.")
      ),
      (
        "dual-stream",
        Shape.word(AgoraParameters.DualStream.self).described("agora: when senders send a low stream.")
      ),
      (
        "default-stream",
        Shape.word(["high", "low"]).described("agora: the stream taken unless an app says otherwise.")
      ),
      ("user-limit", Shape.integer(2...1000).described("agora: the most streams of a channel.")),
      (
        "fallback-share",
        Shape.number(0...10).described("agora: falls back below this share of the rate needed.")
      ),
      ("fallback-time", time("agora: … for this long.", "2 s")),
      (
        "recovery-share",
        Shape.number(0...10).described("agora: recovers above this share of the rate needed.")
      ),
      ("recovery-time", time("agora: … for this long.", "5 s")),
      ("switch-delay", time("agora: from a call to a change of stream.", "500 ms")),
    ]
    let stream: [(String, Shape)] = [
      ("client", Shape.word(StreamParameters.Client.self).described("stream: whose client is modelled.")),
      (
        "hidden",
        Shape.word(StreamParameters.Hidden.self).described("stream: what becomes of a hidden tile's track.")
      ),
      ("visible-share", Shape.number(0...1).described("stream: share of a tile that must be on screen.")),
      ("immediate", time("stream: from a growing tile to a new subscription.", "20 ms")),
      ("fast", time("stream: the same from a source that stops.", "100 ms")),
      ("medium", time("stream: the same from a tile that shrinks or scrolls.", "600 ms")),
      ("hidden-from", Shape.integer(0...10_000).described("stream: who joins after so many starts hidden.")),
    ]
    return named(
      among: PolicyConfiguration.all,
      [("bluejeans", bluejeans), ("agora", agora), ("stream", stream), ("janus", [])]
    ).described("The rules by which the SFU and its clients share a link.").usually(.text("bluejeans"))
  }

  /// `NAME`, or `{name: NAME, …}` with the parameters of that name.
  private static func named(
    among known: [(name: String, summary: String, source: String)],
    _ parameters: [(String, [(String, Shape)])]
  ) -> Shape {
    let name = Shape.word(known.map(\.name))
      .described(known.map { "\($0.name): \($0.summary)" }.joined(separator: "; "))
    var properties: [(String, Shape)] = [("name", name)]
    for (_, own) in parameters {
      for property in own where !properties.contains(where: { $0.0 == property.0 }) {
        properties.append(property)
      }
    }
    let rules = parameters.map {
      Rule.when(.value(of: "name", isOneOf: [$0.0]), .only(["name"] + $0.1.map(\.0)))
    }
    return Shape.any(of: name, .mapping(properties, required: ["name"], rules: rules))
  }
}
