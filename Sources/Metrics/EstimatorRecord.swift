import JSON

/// Estimators of a meeting, and whether they are those of the deployed system.
package struct EstimatorRecord: Hashable, Sendable {
  package var up: String
  package var down: String
  package var deployedUp: String
  package var deployedDown: String
  /// `true` if they are the deployed system's own.
  package var isOwn: Bool

  package init(up: String, down: String, deployedUp: String, deployedDown: String, isOwn: Bool) {
    self.up = up
    self.down = down
    self.deployedUp = deployedUp
    self.deployedDown = deployedDown
    self.isOwn = isOwn
  }

  var record: JSONValue {
    .object([
      ("up", .text(up)), ("down", .text(down)), ("is_own", .flag(isOwn)),
      ("deployed_up", .text(deployedUp)), ("deployed_down", .text(deployedDown)),
    ])
  }
}
