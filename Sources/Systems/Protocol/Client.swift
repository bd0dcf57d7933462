package import Allocation
package import Ladder
import Layout
package import Quantity

/// One viewer's client: turns the user's screen into subscriptions, which it sends to the SFU.
///
/// A deterministic state machine without clock or queue: it handles events and returns actions.
package protocol Client: Sendable {
  /// State of the screen.
  var screen: ViewState { get set }
  /// Constants and options in which it differs from other clients; they never change.
  var traits: ClientTraits { get }

  /// Handles a call by the user or the app.
  mutating func perform(_ call: ClientCall, _ roster: Roster) -> ClientResponse
  /// Handles an event in the meeting.
  mutating func notice(_ event: ClientEvent) -> [ClientAction]
  /// Handles an input that the client answers from its knowledge of the meeting.
  mutating func handle(_ input: ClientInput, _ roster: Roster) -> [ClientAction]
  /// Returns the view's subscriptions, in the order in which the policy receives them.
  func viewWishes(_ roster: Roster) -> [Subscription]
  /// Returns the subscription for a source's place on the screen.
  func wish(for place: ScreenPlace, _ roster: Roster) -> Subscription?
  /// Returns the client's demands on its whole downlink.
  func demand(_ roster: Roster) -> ViewerDemand
}

/// Input of a client, accompanied by its knowledge of the meeting.
package enum ClientInput: Hashable, Sendable {
  /// The subscriptions are about to be sent: screen changes take effect, and the view is laid out.
  case requestDue
  /// A timer set by ``ClientAction/wake(after:)``.
  case timer
  /// Tiles have scrolled into or out of view.
  case scrolled
  /// Another participant has started to speak, and no request is pending.
  case speech
  /// A report on the downlink, which the SFU sends if ``ClientTraits/followsDownlink`` is set.
  case downlink(Downlink)
}

/// A source's place on the screen.
package enum ScreenPlace: Sendable {
  /// A participant's tile in the view.
  ///
  /// - Parameters:
  ///   - size: size of the tile [px].
  ///   - visibleShare: visible share of the tile, 0 to 1.
  case tile(of: Int, size: Resolution, visibleShare: Double)
  /// A picture-in-picture window.
  case window(PictureInPicture, source: Int)
}

/// Constants and options in which clients differ.
package struct ClientTraits: BitwiseCopyable, Sendable {
  /// Delay from a change in the meeting or on the screen to a new request.
  package var reactionDelay: SimDuration
  /// Minimum visible share of a tile that counts as visible; with 0, any share above it does.
  package var leastVisibleShare = 0.0
  /// `true` if a tile's visible share is the smaller one of its width and its height, not that of its area.
  package var measuresAxes = false
  /// `true` if ``Client/viewWishes(_:)`` includes the screen shares; otherwise they come first, at their full size.
  package var ordersShares = false
  /// Behaviour of subscribers in the background unless the view specifies it.
  package var observer = ResignObserver.automatic
  /// `true` if the SFU reports on the downlink.
  package var followsDownlink = false
  /// Time for which a speaker counts as recent.
  package var recentSpeakerWindow = SimDuration.seconds(120)

  package init(reactionDelay: SimDuration) { self.reactionDelay = reactionDelay }
}

/// An action that a client requests from the simulation.
package enum ClientAction: Hashable, Sendable {
  /// Send the subscriptions after a delay; changes made in the meantime are coalesced.
  case request(after: SimDuration)
  /// Send the subscriptions after a delay that every further `debounce` restarts.
  case debounce(after: SimDuration)
  /// Postpone a pending request.
  case postpone(by: SimDuration)
  /// Send ``ClientInput/timer`` once after a delay.
  case wake(after: SimDuration)
  /// Send the settings of a source's track to the SFU.
  case tell(source: Int, TrackSettings)
  /// Add a row to `events.csv`.
  case record(event: String, detail: String, result: String)
  /// Change the size of the tile that shows a source [px].
  case resize(source: Int, Resolution?)
}

/// A client's response to a call.
package struct ClientResponse: Hashable, Sendable {
  /// Vendor's name of the result; `ok` if it has none.
  package var result: String
  package var actions: [ClientAction]
  /// Subject of the result, such as the ids or the entry that failed; `nil` for the whole call.
  package var detail: String?

  package init(_ result: String = "ok", _ actions: [ClientAction] = [], detail: String? = nil) {
    self.result = result
    self.actions = actions
    self.detail = detail
  }

  /// Returns the arguments and the subject of the result, for the `detail` column of `events.csv`.
  package func detail(after arguments: String) -> String {
    [arguments, detail ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}

/// An event that a client is notified of. Participants are indices.
package enum ClientEvent: Hashable, Sendable {
  /// A remote participant joined; `known` is the number of participants known before.
  case joined(participant: Int, known: Int)
  /// A remote participant left.
  case left(participant: Int)
  /// The viewer joined.
  case joinedMeeting
  /// The viewer left.
  case leftMeeting
  /// The received picture of a remote participant's main video starts (from `nil`), changes size [px], or ends (to
  /// `nil`).
  case streamChanged(participant: Int, from: Resolution?, to: Resolution?)
  /// A source stopped.
  case sourceStopped
  /// The client's subscription to a source ended.
  case subscriptionEnded(source: Int)
  /// The viewer's own camera has started, stopped or changed.
  case ownCameraChanged
  /// The SFU forwards a source or reports the reason why it does not; repeated when either changes.
  case trackGiven(source: Int)
}

/// Initial state of a client.
package struct ClientSetup: Sendable {
  package var plan: ViewPlan
  /// Index of the viewer.
  package var viewer: Int
  /// Ids of all participants.
  package var ids: [String]
  /// Indices of all participants by id.
  package var names: [String: Int]
  /// Set if pictures above 360 lines may be received initially.
  package var receives720p: Bool
  /// Largest picture that a closed 720p gate lets through.
  package var gate = ReceiveGate.p360
  package var allowsCustomLayout: Bool
  /// Set if the viewer sends audio or video itself.
  package var isHost = false
  /// Maximum rate of the layers that the viewer accepts, in systems whose server respects it.
  package var receiveCap = RateLimit.unlimited
  /// Other participants with a camera, in a random order for this viewer; empty if the system does not choose senders.
  package var senderOrder: [Int] = []
  /// Number of sources in the meeting.
  package var sourceCount: Int
  /// Reason why the device shows no picture-in-picture windows; `nil` if it does.
  package var windowObstacle: PictureInPicture.Obstacle?

  package init(
    plan: ViewPlan, viewer: Int, ids: [String], names: [String: Int], receives720p: Bool,
    allowsCustomLayout: Bool, sourceCount: Int
  ) {
    self.plan = plan
    self.viewer = viewer
    self.ids = ids
    self.names = names
    self.sourceCount = sourceCount
    self.receives720p = receives720p
    self.allowsCustomLayout = allowsCustomLayout
  }
}
