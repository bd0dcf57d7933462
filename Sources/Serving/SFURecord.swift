package import Allocation
package import Endpoint
package import Ladder
import Plan
package import Systems

/// Something that the SFU has done and that the tables report, left for the meeting to record.
package enum SFURecord {
  /// Decisions on a viewer's tiles, with the budget that they share.
  case decisions([DecidedSubscription], viewer: Int, budget: VideoBudget)
  /// The end of a viewer's subscription to a source, whose layer is given last.
  case end(source: Int, viewer: Int, after: LayerID?, budget: VideoBudget)
  /// An event that a viewer's server reports.
  case event(SystemEvent, viewer: Int)
}

/// A decision on a subscription, with the tile that it makes.
package struct DecidedSubscription {
  package var decision: TileDecision
  package var wish: Subscription
  /// What is in effect; `nil` for none.
  package var grant: Grant?
  /// Layer that the policy would give on ample links; `nil` for none.
  package var desire: Layer?
  /// Tile as decided; `nil` for one that is not subscribed to.
  package var tile: DecidedTile?
}

/// A participant as the SFU serves it.
package struct ServedParticipant {
  /// Set if it has a view.
  package let isViewer: Bool
  /// Set if it sends audio or video itself.
  let isHost: Bool
  /// Set if the SFU announces it: one who sends nothing and is no moderator is counted with the next announcement, since
  /// a message to everybody for each of thousands of watchers would outweigh their video [our model: servers batch or
  /// suppress such updates].
  let isAnnounced: Bool
  /// Limit of its device; `nil` for none.
  let decode: DecoderLimit?
  /// Set while it has a connection.
  package var isConnected = false
  /// Set if its client follows reports on its downlink.
  package var followsDownlink = false
  /// Last request that has arrived; `nil` before the first.
  package var request: SubscriptionRequest?

  init(_ plan: ParticipantPlan) {
    isViewer = plan.view != nil
    isHost = plan.publishesVideo || plan.publishesAudio
    isAnnounced = isHost || plan.isModerator
    decode = plan.capabilities.decode
  }
}
