import Meeting
import Network
import Quantity
import YAML

/// Reads timeline entries that change a link or take it down.
extension PlanBuilder {
  /// The keys for link changes; an entry needs at least one.
  static let linkKeys = LinkChange.Name.allCases.map(\.rawValue)

  /// Reads `{at: 45s, link: student-1/down, loss: 5 %, delay: 80 ms}`: one change per key, in file order.
  func readLinkChanges(_ node: Node, at time: SimTime, _ fields: Fields) {
    let stated = fields.keys.compactMap(LinkChange.Name.init)
    let changes = stated.compactMap { linkChange($0, fields) }
    for key in Self.linkKeys { _ = fields.take(key) }
    if stated.isEmpty, fields.keys.allSatisfy({ ["at", "link"].contains($0) }) {
      fields.report(
        nil,
        "a timeline entry for a link needs at least one of \(Self.linkKeys.joined(separator: ", ")), "
          + "such as 'down: 2s'")
    }
    guard let name = fields.text(of: node, "link") else { return }
    guard let link = links.firstIndex(where: { $0.name == name }) else {
      let known = Array(links.prefix(60).map(\.name))
      fields.report(node, "link: there is no link '\(name)': \(Suggestion.text(for: name, among: known))")
      return
    }
    for change in changes {
      links[link].parameters.change(change, at: time)
      timeline.append(TimelineEntry(at: time, participant: nil, action: .link(link, change)))
    }
  }

  private func linkChange(_ name: LinkChange.Name, _ fields: Fields) -> LinkChange? {
    let key = name.rawValue
    switch name {
    case .capacity: return fields.rate(key).map(LinkChange.capacity)
    case .delay: return fields.duration(key, atMost: .seconds(60)).map(LinkChange.delay)
    case .jitter: return fields.duration(key, atMost: .seconds(10)).map(LinkChange.jitter)
    case .loss: return readLoss(fields).map(LinkChange.loss)
    case .queue: return fields.take(key).flatMap { queueLimit($0, fields) }.map(LinkChange.queue)
    case .down: return fields.duration(key).map(LinkChange.down)
    }
  }
}
