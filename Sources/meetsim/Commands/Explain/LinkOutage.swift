import Allocation
import Meeting
import Network
import Plan
import Quantity
import Scenario

/// Time during which a link of a tile's path is down.
struct LinkOutage: Equatable {
  /// Index of the link in the plan.
  let number: Int
  let link: String
  /// Set if the tile's media runs over TCP on the link.
  let isStreamed: Bool
  let times: Range<SimTime>
}

extension [LinkOutage] {
  /// The first outage of each link.
  var byLink: [LinkOutage] {
    reduce(into: []) { kept, outage in
      if !kept.contains(where: { $0.number == outage.number }) { kept.append(outage) }
    }
  }

  /// The meeting without the outages of these links, and its name.
  var removed: (remedy: Remedy, change: String) {
    (.uninterrupted(links: map(\.number)), "no outage of \(map(\.link).enumeration)")
  }
}

extension Freeze {
  /// Indicates whether a request for a packet or a key frame would have ended it earlier.
  fileprivate var awaitsAnswer: Bool {
    switch cause {
    case .repair, .keyFrame, .decodeOrder, .server: true
    case .frameRate, .encoder, .receiver, .uplink, .downlink: false
    }
  }
}

extension ReplayedDecision {
  /// Returns the outages of the tile's links during the moment or the first half of one of its freezes, since what comes
  /// later has not caused it, and those of the links that its requests for packets and key frames took while it waited
  /// for these; none for a tile that lacks nothing.
  func outages(in plan: MeetingPlan, viewer: Int, at moment: SimTime) -> [LinkOutage] {
    func time(of freeze: Freeze) -> ClosedRange<SimTime> {
      freeze.begin...max(freeze.begin, freeze.end ?? moment)
    }
    func firstHalf(of freeze: Freeze) -> ClosedRange<SimTime> {
      let length = time(of: freeze).upperBound - freeze.begin
      return freeze.begin...(freeze.begin + SimDuration(nanoseconds: length.nanoseconds / 2))
    }
    var times = freezes.map(firstHalf)
    switch shown.limitation {
    case .none, .offScreen, .muted: break
    default: times.append(max(.zero, moment - .seconds(1))...moment)
    }
    let requests = (state.wait?.askedAt.map { [$0...$0] } ?? []) + freezes.filter(\.awaitsAnswer).map(time)
    let receiver = plan.participants[viewer]
    let publisher = plan.participants[plan.namedSources[own.source].participant]
    let media =
      receiver.down.map { ($0, receiver.transport) } + publisher.up.map { ($0, publisher.transport) }
    let answers =
      (receiver.up.map { ($0, receiver.transport) } + publisher.down.map { ($0, publisher.transport) })
      .filter { link, _ in !media.contains { $0.0 == link } }
    func outages(of link: Int, _ transport: MediaTransport, in times: [ClosedRange<SimTime>]) -> [LinkOutage]
    {
      plan.links[link].parameters.outages.filter { outage in
        times.contains { $0.lowerBound < outage.upperBound && outage.lowerBound <= $0.upperBound }
      }.map {
        LinkOutage(number: link, link: plan.links[link].name, isStreamed: transport == .tcp, times: $0)
      }
    }
    return media.flatMap { outages(of: $0, $1, in: times) }
      + answers.flatMap { outages(of: $0, $1, in: requests) }
  }
}
