import Network
import Plan
import Quantity
import YAML

/// Reading of timeline entries that change a link or take it down.
extension PlanBuilder {
  /// Keys for link changes; an entry needs at least one.
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
    guard let link = linkNumber(node, fields) else { return }
    for change in changes {
      linkChanges.append((link, time, change))
      timeline.append(TimelineEntry(at: time, participant: nil, action: .link(link, change)))
    }
  }

  /// Applies the changes to the links' parameters; of two at the same time, the later in the file wins.
  func applyLinkChanges() {
    let ordered = linkChanges.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
    for (_, step) in ordered { links[step.link].parameters.change(step.change, at: step.at) }
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
