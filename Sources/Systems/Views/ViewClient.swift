package import Quantity

/// A client with the default behaviour: it requests the sources that its view shows.
package struct ViewClient: Client {
  package var screen: ViewState
  package let traits: ClientTraits

  package init(_ setup: ClientSetup, reactionDelay: SimDuration) {
    screen = ViewState(setup)
    traits = ClientTraits(reactionDelay: reactionDelay)
  }
}
