package import Quantity

/// A client with the default behaviour: each view requests the sources that it shows.
package struct ViewClient: Client {
  package var screen: ViewState
  package let traits: ClientTraits

  package init(_ setup: ClientSetup, reactionDelay: SimDuration) {
    screen = ViewState(setup)
    traits = ClientTraits(reactionDelay: reactionDelay)
  }
}
