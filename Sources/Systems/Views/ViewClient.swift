package import Quantity

/// A client without rules of its own: every view asks for what it shows.
package struct ViewClient: Client {
  package var screen: ViewState
  package let reactionDelay: SimDuration

  package init(_ setup: ClientSetup, reactionDelay: SimDuration) {
    screen = ViewState(setup)
    self.reactionDelay = reactionDelay
  }
}
