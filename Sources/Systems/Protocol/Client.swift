package import Allocation
package import Ladder
package import Quantity

/// One viewer's client: from a person's screen to wishes.
///
/// A state machine without clock, queue or chance: it is told what happens, and answers with what it wants done.
package protocol Client: Sendable {
  /// What every client keeps of its screen.
  var screen: ViewState { get set }
  /// From a change of the meeting or of the screen to a new request.
  var reactionDelay: SimDuration { get }

  /// The person, or the app, does something.
  mutating func perform(_ call: ClientCall, _ roster: Roster) -> ClientResponse
  /// Something happened in the meeting.
  mutating func notice(_ event: ClientEvent) -> [ClientAction]
  /// The time of a ``ClientAction/wake(after:)`` has come.
  mutating func wake(_ roster: Roster) -> [ClientAction]
  /// What the person did has reached the SFU; streams are about to be allocated anew.
  mutating func applyScreen(_ roster: Roster)
  /// Streams are about to be allocated, for whatever reason.
  mutating func arrange(_ roster: Roster) -> [ClientAction]
  /// What the view asks for, in the order in which the policy is to see it.
  func viewWishes(_ roster: Roster) -> [Wish]
  /// What a tile of the view asks for.
  ///
  /// - Parameters:
  ///   - size: of the tile [px].
  ///   - visibleShare: the part of it that is on the screen, 0 to 1.
  func tileWish(of participant: Int, size: Resolution, visibleShare: Double, _ roster: Roster) -> Wish?
  /// What a picture-in-picture window asks of a source.
  func windowFormat(of source: Roster.Source, in window: PictureInPicture) -> VideoFormat
  /// Changes a grant for the time until the client shows it.
  ///
  /// - Returns: when to allocate again for the client's own sake; `nil` for not at all.
  mutating func hold(_ grant: inout Grant, of wish: Wish, at now: SimTime) -> SimTime?
  /// A source is not wanted any more.
  mutating func drop(source: Int)
  /// Whether ``follow(budget:wishes:_:)`` is to be called.
  var followsBudget: Bool { get }
  /// The budget for video as the SFU knows it now, with the wishes in force by source.
  mutating func follow(budget: BitRate, wishes: [Wish], _ roster: Roster) -> [ClientAction]
  /// What the streams would take if the client did not keep them to less; `nil` where it does not.
  func rateHeldBack(from given: BitRate) -> BitRate?
  /// Whether another order of speakers could change what the viewer gets.
  func dependsOnSpeakers(_ roster: Roster) -> Bool
}

/// What a client wants of the meeting.
package enum ClientAction: Hashable, Sendable {
  /// Streams are to be allocated anew so long from now, once for all that happens until then.
  case allocate(after: SimDuration)
  /// The same; each such action begins the time again.
  case debounce(after: SimDuration)
  /// An allocation that is due is put off to so long from now.
  case postpone(by: SimDuration)
  /// ``Client/wake(_:)`` is to be called so long from now, once.
  case wake(after: SimDuration)
  /// A row of `events.csv`.
  case record(event: String, detail: String, result: String)
  /// A wanted source's tile has another size [px].
  case resize(source: Int, Resolution?)
}

/// What a client answers to a call.
package struct ClientResponse: Hashable, Sendable {
  /// The call's result by the vendor's own name; `ok` where it has none.
  package var result: String
  package var actions: [ClientAction]

  package init(_ result: String = "ok", _ actions: [ClientAction] = []) {
    self.result = result
    self.actions = actions
  }
}

/// What a client learns. Participants are numbers.
package enum ClientEvent: Hashable, Sendable {
  /// Somebody else joins, when this many were known.
  case joined(participant: Int, known: Int)
  case left(participant: Int)
  /// The viewer itself has left.
  case leftMeeting
  /// A source has stopped.
  case sourceStopped
}

/// What a client starts from.
package struct ClientSetup: Sendable {
  package var plan: ViewPlan
  /// The viewer's number, and everybody's ids.
  package var viewer: Int
  package var ids: [String]
  /// Whether pictures above 360 lines may be received, and custom layouts used.
  package var receives720p: Bool
  package var allowsCustomLayout: Bool
  /// Senders beyond the system's limit, whom the viewer does not get, by participant.
  package var isLeftOut: [Bool]
  /// How many sources the meeting has.
  package var sourceCount: Int

  package init(
    plan: ViewPlan, viewer: Int, ids: [String], receives720p: Bool, allowsCustomLayout: Bool,
    isLeftOut: [Bool], sourceCount: Int
  ) {
    self.plan = plan
    self.viewer = viewer
    self.ids = ids
    self.sourceCount = sourceCount
    self.receives720p = receives720p
    self.allowsCustomLayout = allowsCustomLayout
    self.isLeftOut = isLeftOut
  }
}
