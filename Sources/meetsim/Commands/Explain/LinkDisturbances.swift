import Allocation
import CrossTraffic
import Files
import Meeting
import Plan
import Quantity
import Scenario

/// Cross traffic on a link of a tile's media.
struct LinkTraffic: Equatable {
  /// Index of the link in the plan.
  let number: Int
  let link: String
  /// Name of the flow.
  let name: String
  /// Period in which the flow is sent.
  let times: Range<SimTime>
  /// Rate at which cross traffic of all flows arrived over the link in the last interval.
  let rate: BitRate
}

extension [LinkTraffic] {
  /// The meeting without cross traffic, by link.
  var removed: [RemedyCandidates.Candidate] {
    uniqued(by: \.number).map { (.quiet(link: $0.number), "no cross traffic on \($0.link)") }
  }
}

/// Outages and cross traffic on a tile's links around a moment or a freeze.
struct LinkDisturbances {
  let outages: [LinkOutage]
  let traffic: [LinkTraffic]

  var isEmpty: Bool { outages.isEmpty && traffic.isEmpty }

  /// Sentences on them, as of a moment.
  func sentences(at moment: SimTime) -> [String] {
    outages.map { outage -> String in
      let (verb, end) = (
        outage.times.upperBound <= moment ? "was" : "is", outage.times.upperBound.secondsText
      )
      return "\(outage.link) \(verb) down from \(outage.times.lowerBound.secondsText) to "
        + "\(end) s: all that \(verb) sent to it meanwhile \(verb) lost"
        + (outage.isStreamed ? ", and TCP sends it again later." : ".")
    }
      + traffic.map { flow in
        let end = flow.times.upperBound
        let rate =
          flow.rate > .zero
          ? "; \(Waterfall.kilobits(flow.rate)) kbps of cross traffic came over it in the last interval" : ""
        return "Cross traffic '\(flow.name)' \(end <= moment ? "was" : "is") sent over \(flow.link) from "
          + "\(flow.times.lowerBound.secondsText) to \(end.secondsText) s\(rate)."
      }
  }
}

extension ReplayedDecision {
  func disturbances(in plan: MeetingPlan, viewer: Int, at moment: SimTime) -> LinkDisturbances {
    LinkDisturbances(
      outages: outages(in: plan, viewer: viewer, at: moment),
      traffic: traffic(in: plan, viewer: viewer, at: moment))
  }

  /// Time after its end for which cross traffic may still keep an estimate down [our model].
  private static let aftermath = SimDuration.seconds(10)

  /// Returns the cross traffic on the links of the tile's media at ``suspectTimes(at:)``, or not long before.
  private func traffic(in plan: MeetingPlan, viewer: Int, at moment: SimTime) -> [LinkTraffic] {
    let publisher = plan.participants[plan.namedSources[own.source].participant]
    let links = plan.participants[viewer].down + publisher.up
    let times = suspectTimes(at: moment)
    return links.flatMap { link in
      plan.crossTraffic.filter { $0.link == link }.flatMap { flow in
        flow.periods.filter { period in
          times.contains {
            period.lowerBound <= $0.upperBound && $0.lowerBound < period.upperBound + Self.aftermath
          }
        }.map {
          LinkTraffic(
            number: link, link: plan.links[link].name, name: flow.name, times: $0,
            rate: state.last?.crossRates[link] ?? .zero)
        }
      }
    }
  }
}
