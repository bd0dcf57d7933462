import Ladder
import Meeting
import Metrics
import Plan
import Quantity
import Systems

/// Reason why a viewer does not see a source's tile at a moment, subscribed to or not, and changes that would help.
struct UnseenTile {
  /// A change that was tried, in words.
  private struct Trial {
    let change: SubscriptionChange
    let text: String
    /// Set if the tile is then visible at the moment.
    let helps: Bool
  }

  private let run: ExplainedRun
  private let viewer: Int
  private let source: Int
  private let moment: SimTime
  private let name: String
  /// Number of the participant that sends the source.
  private let publisher: Int
  private let state: SubscriptionState
  private let trials: [Trial]

  /// Maximum number of pages tried, and of timeline entries of the two participants and of others.
  private static let (pages, ownEntries, otherEntries) = (8, 6, 6)
  /// Size of an added tile [pt].
  private static let tileSize = Resolution(width: 320, height: 180)

  /// Repeats the run and, if `tries` is set, repeats it with each change.
  init(_ run: ExplainedRun, _ tile: TilePlace, at moment: SimTime, tries: Bool) {
    let sources = run.plan.namedSources
    let (viewer, source) = (tile.viewer, tile.source)
    (self.run, self.viewer, self.source, self.moment) = (run, viewer, source, moment)
    name = sources[source].name
    publisher = sources[source].participant
    let replay = run.replay
    state = replay.subscription(of: tile, repetition: run.repetition, at: moment)
    guard tries, publisher != viewer, run.plan.participants[viewer].view != nil,
      !state.isSeen
    else {
      trials = []
      return
    }
    func tried(_ change: SubscriptionChange, _ text: String) -> Trial? {
      replay.isSeen(tile, after: change, repetition: run.repetition, at: moment)
        .map { Trial(change: change, text: text, helps: $0) }
    }
    let (actions, others) = Self.actions(run.plan, viewer, publisher, at: moment)
    func without(_ entries: [Int]) -> Trial? {
      tried(.without(entries: entries), "without \(Self.words(entries, run.plan))")
    }
    var trials = (actions + others).compactMap { without([$0]) }
    trials += Self.changes(run.plan, viewer, source, of: sources).compactMap(tried)
    // Each of two actions may be sufficient to hide the tile.
    if actions.count > 1, !trials.contains(where: \.helps) { trials += [without(actions)].compactMap(\.self) }
    self.trials = trials
  }

  /// Reason and changes, in sentences, without a final full stop.
  var text: String {
    let own = run.plan.participants[viewer]
    if publisher == viewer { return "nobody watches its own video" }
    if own.view == nil { return "it has no 'view', so that it watches nobody" }
    if state.isSeen {
      return state.isSourceOn ? "the tile has only just come on the screen" : lateNews
    }
    var sentences = [reason]
    if let endedAt = state.endedAt, !state.exists {
      sentences.append("It did until \(endedAt.secondsText) s")
    }
    if let seenFrom = state.seenFrom {
      sentences.append("The tile is seen from \(seenFrom.secondsText) s on")
    }
    let (helping, failed) = (trials.filter(\.helps).map(\.text), trials.filter { !$0.helps }.map(\.text))
    if !helping.isEmpty {
      sentences.append("It would be seen " + helping.joined(separator: ", or "))
    } else if !failed.isEmpty {
      sentences.append("Tried in vain: " + failed.joined(separator: ", "))
    }
    return sentences.joined(separator: ". ")
  }

  /// Reason why the tile of a source that is off is still on the screen.
  private var lateNews: String {
    let plan = run.plan
    let last = plan.timeline.last { entry in
      guard entry.participant == publisher, entry.at <= moment else { return false }
      switch entry.action {
      case .leave, .muteVideo(true), .shareScreen(false), .source: return true
      default: return false
      }
    }
    let since = last.map { " since \(Self.words($0, plan))" } ?? ""
    return "'\(plan.participants[publisher].id)' sends no video of it\(since), and the client of "
      + "'\(plan.participants[viewer].id)' has yet to take it off the screen"
  }

  private var reason: String {
    let first = trials.first { $0.helps }
    let publisher = run.plan.participants[publisher].id
    if !state.isSourceOn {
      guard case .without(let entries)? = first?.change else {
        return "'\(publisher)' sends no video of it"
      }
      return "'\(publisher)' sends no video since \(Self.words(entries, run.plan))"
    }
    if state.isBeyondLimit { return "the system's client shows no more videos, and leaves this one out" }
    if !state.exists, state.endedAt == nil, state.seenFrom != nil, first == nil {
      return "its first request is not in force yet"
    }
    switch first?.change {
    case .without(let entries)?: return "because of \(Self.words(entries, run.plan))"
    case .page?, .onePage?: return "it is on another page of the view"
    case .shares?: return "the view shows no screen shares ('share: false')"
    case .tile?, .everybody?: return "the view has no tile of it"
    case .on?, nil:
      if state.exists { return "the tile is not on the screen" }
      return state.isUnderWay
        ? "its client has asked for it, and no answer has come: the links of '\(run.plan.participants[viewer].id)' are too "
          + "narrow, or down"
        : "the client does not ask for it"
    }
  }

  /// Indices of the last actions up to a moment, latest first: those of the viewer and the source's participant, and
  /// those of all others.
  private static func actions(
    _ plan: MeetingPlan, _ viewer: Int, _ publisher: Int, at moment: SimTime
  ) -> (own: [Int], others: [Int]) {
    var own: [Int] = []
    var others: [Int] = []
    for (place, entry) in plan.timeline.enumerated().reversed() where entry.at <= moment {
      switch entry.action {
      case .link, .send, .muteAudio: continue
      default: break
      }
      if entry.participant == viewer || entry.participant == publisher {
        own.append(place)
      } else {
        others.append(place)
      }
    }
    return (Array(own.prefix(ownEntries)), Array(others.prefix(otherEntries)))
  }

  private static func changes(
    _ plan: MeetingPlan, _ viewer: Int, _ source: Int, of sources: [(name: String, participant: Int)]
  ) -> [(SubscriptionChange, String)] {
    let name = sources[source].name
    var changes = [(SubscriptionChange.on(source: source), "with \(name) on from the beginning")]
    for page in 1...min(pages, plan.participants[viewer].view?.lastPage(of: sources.count) ?? 1) {
      changes.append((.page(page), "with page \(page) on the screen ('page: \(page)')"))
    }
    if name.contains("/") { changes.append((.shares, "with screen shares shown ('share: true')")) }
    return changes + [
      (.onePage, "with all tiles on one page (no 'per-page')"),
      (.tile(name, tileSize), "with a tile of it in the view ('tiles: {\(name): 320x180}')"),
      (.everybody(tileSize), "with a view of everybody ('everybody: 320x180')"),
    ]
  }

  /// Describes timeline entries as `events.csv` does.
  private static func words(_ entries: [Int], _ plan: MeetingPlan) -> String {
    entries.map { words(plan.timeline[$0], plan) }.joined(separator: " and ")
  }

  private static func words(_ entry: TimelineEntry, _ plan: MeetingPlan) -> String {
    let detail = plan.detail(of: entry.action)
    let whose = entry.participant.map { " of \(plan.participants[$0].id)" } ?? ""
    let when = entry.within > .zero ? "from" : "at"
    return
      "'\(entry.action.name)\(detail.isEmpty ? "" : " ")\(detail)'\(whose) \(when) \(entry.at.secondsText) s"
  }
}
