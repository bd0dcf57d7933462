import Quantity
import Statistics

extension MeetingPlan {
  /// Returns the plan with the times drawn for one run.
  ///
  /// Each participant has a separate stream, with one draw for each entry that has a span, in timeline order.
  package func drawingTimes(_ seed: RunSeed) -> MeetingPlan {
    guard timeline.contains(where: { $0.within > .zero }) else { return self }
    var plan = self
    var streams: [Int: RandomStream] = [:]
    for index in timeline.indices where timeline[index].within > .zero {
      guard let participant = timeline[index].participant else { continue }
      var stream = streams[participant] ?? seed.stream("timeline/\(participants[participant].id)")
      let within = Double(timeline[index].within.nanoseconds)
      plan.timeline[index].at += SimDuration(nanoseconds: Int64(within * stream.uniform()))
      streams[participant] = stream
    }
    plan.timeline = plan.timeline.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }
    .map(\.element)
    return plan
  }
}
