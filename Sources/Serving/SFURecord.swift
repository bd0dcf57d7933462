package import Allocation
package import Endpoint
package import Ladder
import Plan
package import Systems

/// An action of the SFU that the tables report, left for the meeting to record.
package enum SFURecord {
  /// Decisions on a viewer's tiles, each with the tile as granted in effect, the rule that decided and the last layer,
  /// and their shared budget.
  case decisions(
    [(grant: Grant, tile: GrantedTile, rule: String, previous: LayerID?)], viewer: Int, budget: VideoBudget)
  /// The end of a viewer's subscription to a source, with the last layer.
  case end(source: Int, viewer: Int, after: LayerID?, budget: VideoBudget)
  /// An event that a viewer's server reports.
  case event(SystemEvent, viewer: Int)
}

/// A participant as the SFU serves it.
package struct ServedParticipant {
  /// Set if the participant has a view.
  package let isViewer: Bool
  /// Set if the participant sends audio or video.
  let isHost: Bool
  /// Set if the SFU announces the participant. One that sends nothing and is no moderator is counted in the next
  /// announcement instead, since a message to everybody for each of thousands of watchers would outweigh their video
  /// [our model: servers batch or suppress such updates].
  let isAnnounced: Bool
  /// Decode limit of the participant's device; `nil` for none.
  let decode: DecoderLimit?
  /// Set while the participant is connected.
  package var isConnected = false
  /// Set if the participant's client uses reports on its downlink.
  package var followsDownlink = false
  /// Last request received; `nil` before the first.
  package var request: SubscriptionRequest?

  init(_ plan: ParticipantPlan) {
    isViewer = plan.view != nil
    isHost = plan.publishesVideo || plan.publishesAudio
    isAnnounced = isHost || plan.isModerator
    decode = plan.capabilities.decode
  }
}
