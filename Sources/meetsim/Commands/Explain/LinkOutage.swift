import Allocation
import Files
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
  var byLink: [LinkOutage] { uniqued(by: \.number) }

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
  /// Times at which a link's state may have harmed the tile: the second before the moment, unless nothing limits the tile,
  /// and the first half of each freeze, since what comes later has not caused it.
  func suspectTimes(at moment: SimTime) -> [ClosedRange<SimTime>] {
    var times = freezes.map { freeze in
      let half = SimDuration(
        nanoseconds: (time(of: freeze, at: moment).upperBound - freeze.begin).nanoseconds / 2)
      return freeze.begin...(freeze.begin + (freeze.isPause ? min(half, Self.pauseOnset) : half))
    }
    switch shown.limitation {
    case .none, .offScreen, .muted: break
    default: times.append(max(.zero, moment - .seconds(1))...moment)
    }
    return times
  }

  /// Time after its beginning in which what a link did may have led to a pause, which then lasts by the budget of each
  /// moment [our model].
  private static let pauseOnset = SimDuration.seconds(2)

  private func time(of freeze: Freeze, at moment: SimTime) -> ClosedRange<SimTime> {
    freeze.begin...max(freeze.begin, freeze.end ?? moment)
  }

  /// Times at which the sender had to know its uplink's capacity from reports.
  private func reportTimes(at moment: SimTime) -> [ClosedRange<SimTime>] {
    freezes.filter { $0.cause == .encoder }.map { time(of: $0, at: moment) }
      + (shown.limitation == .senderUplink ? [max(.zero, moment - .seconds(1))...moment] : [])
  }

  /// Returns the outages of the tile's links at ``suspectTimes(at:)``, and those of the links that its requests for packets
  /// and key frames, or the reports to its sender, took while it waited for these; none for a tile that lacks nothing.
  func outages(in plan: MeetingPlan, viewer: Int, at moment: SimTime) -> [LinkOutage] {
    let requests =
      (state.wait?.askedAt.map { [$0...$0] } ?? [])
      + freezes.filter(\.awaitsAnswer).map { time(of: $0, at: moment) }
    let receiver = plan.participants[viewer]
    let publisher = plan.participants[plan.namedSources[own.source].participant]
    let media =
      receiver.down.map { ($0, receiver.transport) } + publisher.up.map { ($0, publisher.transport) }
    let answers =
      (receiver.up.map { ($0, receiver.transport, requests) }
      + publisher.down.map { ($0, publisher.transport, requests + reportTimes(at: moment)) })
      .filter { link, _, _ in !media.contains { $0.0 == link } }
    func outages(of link: Int, _ transport: MediaTransport, in times: [ClosedRange<SimTime>]) -> [LinkOutage]
    {
      plan.links[link].parameters.outages.filter { outage in
        times.contains { $0.lowerBound < outage.upperBound && outage.lowerBound <= $0.upperBound }
      }.map {
        LinkOutage(number: link, link: plan.links[link].name, isStreamed: transport == .tcp, times: $0)
      }
    }
    return media.flatMap { outages(of: $0, $1, in: suspectTimes(at: moment)) }
      + answers.flatMap { outages(of: $0, $1, in: $2) }
  }
}
