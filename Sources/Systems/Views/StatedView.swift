package import Ladder
import Layout

/// Constants of a view, with participants by number.
package struct StatedView: Sendable {
  /// Screen at set-up; a grid's tiles may keep the size derived from it when the screen turns.
  let screen: Screen
  /// Participant on the stage while no screen share takes it; `nil` for a view without a stage.
  package let stage: Int?
  /// Size of the stage [px].
  package let stageSize: Resolution?
  /// Sizes of tiles, which the app may change, by participant [px].
  private(set) var tileSizes: [Int: Resolution] = [:]
  /// Sizes of screen shares' tiles, by participant [px].
  private(set) var shareSizes: [Int: Resolution] = [:]
  /// Weights in the yardstick.
  private(set) var weights: [SignalledSource: Double] = [:]
  /// Largest picture that a closed 720p gate lets through.
  let gate: ReceiveGate
  let allowsCustomLayout: Bool
  /// Resign observers of individual subscribers, by participant, where they differ from the view's.
  private(set) var observers: [Int: ResignObserver] = [:]
  /// Reason why the device shows no picture-in-picture windows; `nil` if it does.
  let windowObstacle: PictureInPicture.Obstacle?

  init(_ setup: ClientSetup) {
    let plan = setup.plan
    screen = plan.screen
    gate = setup.gate
    allowsCustomLayout = setup.allowsCustomLayout
    windowObstacle = setup.windowObstacle
    stageSize = plan.stage.map { plan.screen.pixels(of: $0.size) }
    stage = plan.stage.flatMap { setup.names[$0.participant] }
    let sizes = if case .tiles(let stated) = plan.arrangement { stated } else { plan.ownSizes }
    for size in sizes.reversed() {
      guard let participant = setup.names[size.participant] else { continue }
      let pixels = plan.screen.pixels(of: size.size)
      if size.isScreenShare { shareSizes[participant] = pixels } else { tileSizes[participant] = pixels }
      guard let weight = size.weight else { continue }
      weights[SignalledSource(participant: participant, isScreen: size.isScreenShare)] = weight
    }
    if let stage, let weight = plan.stage?.weight { weights[SignalledSource(participant: stage)] = weight }
    for own in plan.observers {
      guard let participant = setup.names[own.participant] else { continue }
      observers[participant] = own.observer
    }
  }
}
