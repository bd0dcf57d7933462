import JSON
import Quantity

/// Events of a run, and the times of speech.
struct RunEvents {
  private struct Event {
    let time: Double
    let participant: String
    let name: String
    let detail: String
    let result: String
  }

  private let events: [Event]
  /// End of the run [s].
  private let end: Double

  init(_ table: TableColumns?, end: Double) {
    self.end = end
    guard let table else {
      events = []
      return
    }
    let times = table.numbers("time_s")
    let texts = ["participant", "event", "detail", "result"].map { table.texts($0) }
    events = (0..<table.rows).sorted { (times[$0], $0) < (times[$1], $1) }.map { row in
      Event(
        time: times[row], participant: texts[0][row], name: texts[1][row], detail: texts[2][row],
        result: texts[3][row])
    }
  }

  var json: JSONValue {
    .list(
      events.map { event in
        .list(
          [.real(event.time)]
            + [event.participant, event.name, event.detail, event.result].map(JSONValue.text))
      })
  }

  /// Indicates whether the run recorded when voices started and ended.
  var tellsSpeech: Bool { events.contains { $0.name == "speech-start" } }

  /// Spans of speech with their speakers: as recorded, or else from `speaks` in the timeline.
  var speech: JSONValue {
    var spans: [(who: String, begin: Double, end: Double)] = []
    var begun: [(who: String, time: Double)] = []
    for event in events {
      let open = begun.firstIndex { $0.who == event.participant }
      switch event.name {
      case "speech-start" where open == nil: begun.append((event.participant, event.time))
      case "speech-end":
        guard let open else { continue }
        spans.append((event.participant, begun.remove(at: open).time, event.time))
      default: continue
      }
    }
    spans += begun.map { ($0.who, $0.time, end) }
    if spans.isEmpty {
      for event in events where event.name == "speaks" {
        guard let length = try? SimDuration(text: event.detail) else { continue }
        spans.append((event.participant, event.time, event.time + length.seconds))
      }
    }
    return .list(
      spans.sorted { $0.begin < $1.begin }.map { .list([.text($0.who), .real($0.begin), .real($0.end)]) })
  }
}
