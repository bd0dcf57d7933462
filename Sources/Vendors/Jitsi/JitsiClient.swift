import Allocation
import Ladder
import Layout
import Quantity
import Systems

/// jitsi-meet: one message with constraints for all videos, sent again whenever the screen changes.
///
/// A change in which tiles are visible is sent once it has lasted for a while; any other change is sent at once, with
/// everything else. Tiles off the screen are not received at all. A view with `signals` sets the contents of the
/// message.
struct JitsiClient: Client {
  var screen: ViewState
  private let parameters: JitsiParameters
  /// Screen in the last message; `nil` before the first.
  private var sent: [ShownSource]?
  /// Screen when last examined.
  private var seen: [ShownSource] = []
  /// Time at which a changed visibility is sent; `nil` for none.
  private var dueAt: SimTime?
  /// End of the scroll being followed.
  private var scrollsUntil: SimTime?

  init(_ setup: ClientSetup, _ parameters: JitsiParameters) {
    screen = ViewState(setup)
    self.parameters = parameters
  }

  var traits: ClientTraits {
    var traits = ClientTraits(reactionDelay: parameters.reactionDelay)
    traits.ordersShares = true
    return traits
  }

  // MARK: Calls and events

  mutating func perform(_ call: ClientCall, _ roster: Roster) -> ClientResponse {
    switch call {
    case .signals:
      var response = performByDefault(call, roster)
      if !response.actions.isEmpty { response.actions = [.request(after: .zero)] }
      return response
    case .scroll(let points, let duration) where duration > .zero:
      guard screen.scroll(to: points, over: duration, roster) else { return .noGrid }
      let isFollowed = scrollsUntil != nil
      scrollsUntil = roster.now + duration
      return ClientResponse(.ok, isFollowed ? [] : [.wake(after: Scrolling.lookPeriod)])
    default: return performByDefault(call, roster)
    }
  }

  mutating func notice(_ event: ClientEvent) -> [ClientAction] {
    if case .leftMeeting = event {
      sent = nil
      dueAt = nil
    }
    return noticeByDefault(event)
  }

  mutating func handle(_ input: ClientInput, _ roster: Roster) -> [ClientAction] {
    switch input {
    case .requestDue: return handleByDefault(input, roster) + lookIfShown(roster)
    case .timer: return wake(roster)
    case .speech: return dependsOnSpeakers(roster) ? [.request(after: parameters.reactionDelay)] : []
    case .scrolled, .downlink: return handleByDefault(input, roster)
    }
  }

  private mutating func wake(_ roster: Roster) -> [ClientAction] {
    var actions: [ClientAction] = []
    if let end = scrollsUntil {
      actions += look(roster)
      scrollsUntil = roster.now < end ? end : nil
      if roster.now < end { actions.append(.wake(after: min(Scrolling.lookPeriod, end - roster.now))) }
    }
    if let due = dueAt, roster.now >= due {
      sent = seen
      dueAt = nil
      actions.append(.request(after: .zero))
    }
    return actions
  }

  private mutating func lookIfShown(_ roster: Roster) -> [ClientAction] {
    guard screen.signals == nil, roster.isJoined, screen.background.current == nil else { return [] }
    return look(roster)
  }

  /// Examines the screen: tiles that have come into or gone out of view are sent later, any other change at once.
  private mutating func look(_ roster: Roster) -> [ClientAction] {
    let shown = shownSources(roster)
    guard let sent, Self.areAlike(sent, shown) else {
      self.sent = shown
      seen = shown
      dueAt = nil
      return []
    }
    guard shown != seen else { return [] }
    seen = shown
    dueAt = roster.now + parameters.visibilityDebounce
    return [.wake(after: parameters.visibilityDebounce)]
  }

  /// Checks whether two screens differ only in visibility.
  private static func areAlike(_ a: [ShownSource], _ b: [ShownSource]) -> Bool {
    a.count == b.count
      && zip(a, b).allSatisfy { one, other in
        var one = one
        one.isVisible = other.isVisible
        return one == other
      }
  }

  // MARK: Subscriptions

  func viewWishes(_ roster: Roster) -> [Subscription] {
    var ranks: [Int?] = roster.members.map { _ in nil }
    for (rank, participant) in roster.speechOrder.enumerated() { ranks[participant] = rank }
    let shown = sent ?? shownSources(roster)
    let constraints = constraints(shown, roster)
    let sizes = Dictionary(shown.map { ($0.source, $0.size) }) { first, _ in first }
    var wishes = subscribed(shown, roster).map { source in
      let rank = ranks[roster.sources[source].participant]
      return wish(
        for: source, constraints.demand(of: source, speechRank: rank), lowered: constraints[source].rule,
        tile: sizes[source] ?? nil, roster)
    }
    let limit = min(constraints.lastN ?? .max, parameters.maximumSources)
    let order = JitsiOrder(wishes.map { JitsiSource($0) }, limit: limit)
    for index in wishes.indices where order.isLeftOut[index] { wishes[index].maximum = .nothing }
    return wishes
  }

  private func constraints(_ shown: [ShownSource], _ roster: Roster) -> ReceiverConstraints {
    if let signals = screen.signals {
      ReceiverConstraints(signals, defaultHeight: parameters.defaultHeight, roster)
    } else {
      ReceiverConstraints(shown, pins: screen.pins, screen: screen.plan.screen, parameters, roster)
    }
  }

  /// Lists the sources that the client may receive, in the order of the meeting: those on its screen, or all if it
  /// sends `signals`.
  private func subscribed(_ shown: [ShownSource], _ roster: Roster) -> [Int] {
    guard screen.signals != nil else { return Set(shown.map(\.source)).sorted() }
    let others = Set(screen.others(roster))
    return roster.sources.indices.filter { number in
      let source = roster.sources[number]
      return source.isScreen
        ? source.isCapturing && source.participant != roster.viewer : others.contains(source.participant)
    }
  }

  /// - Parameter rule: rule that lowered the demand; `nil` for none.
  private func wish(
    for source: Int, _ demand: SourceDemand, lowered rule: String?, tile: Resolution?, _ roster: Roster
  ) -> Subscription {
    let capture = roster.sources[source].capture
    let isOff = demand.maximumLines == 0
    let asked = isOff ? capture : capture.scaled(toLines: demand.maximumLines)
    var wish = roster.wish(
      for: source, asked, maximum: isOff ? .nothing : asked, tile: tile,
      visibility: isOff ? (screen.signals == nil ? .offScreen : .hidden) : .onScreen)
    wish.demand = demand
    wish.lower(by: rule, to: demand.maximumLines ?? .max)
    return wish
  }

  func wish(for place: ScreenPlace, _ roster: Roster) -> Subscription? {
    guard case .window(let window, let source) = place else { return plainWish(for: place, roster) }
    var wish = plainWindowWish(for: source, in: window, roster)
    wish.demand.isOnStage = true
    wish.demand.place = 0
    let lines = parameters.pictureInPictureHeight
    wish.demand.maximumLines = lines
    // The bridge signals this to the publisher: anything above the client's request would be sent in vain.
    if wish.maximum.resolution.lines > lines {
      wish.maximum = wish.maximum.scaled(toLines: lines)
      wish.lower(by: "picture-in-picture-height", to: lines)
    }
    return wish
  }

  func demand(_ roster: Roster) -> ViewerDemand {
    var demand = ViewerDemand()
    demand.sourceLimit = constraints([], roster).lastN
    return demand
  }

  /// Checks whether the order of speech matters, as it does among sources that the client has not put first.
  private func dependsOnSpeakers(_ roster: Roster) -> Bool {
    if screen.dependsOnSpeakers(roster) { return true }
    return viewWishes(roster).count { $0.demand.place == nil && $0.demand.maximumLines != 0 } > 1
  }
}

extension VideoFormat {
  /// Scales a picture to a number of lines, keeping its aspect ratio; unchanged for `nil`.
  fileprivate func scaled(toLines lines: Int?) -> VideoFormat {
    guard let lines else { return self }
    let width = max(1, resolution.width * lines / resolution.lines)
    let height = max(1, resolution.height * lines / resolution.lines)
    return VideoFormat(Resolution(width: width, height: height), milliFramesPerSecond: milliFramesPerSecond)
  }
}
