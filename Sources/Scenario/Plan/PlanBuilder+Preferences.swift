import Ladder
import Parameters
import Systems
import YAML

/// Preferred resolutions and frame rates of subscribers.
extension PlanBuilder {
  /// Frame rates that a subscriber can prefer, as the SDK names them [1/1000 Hz].
  static let preferredRates: [(name: String, milliFramesPerSecond: Int)] = [
    ("30", 30_000), ("15", 15_000), ("7", 7_000), ("1", 1_000),
  ]

  /// Reads `{participant: ann, size: 640x480, fps: 15}`; without a participant it applies to all subscribers.
  func readPreference(
    _ node: Node, _ fields: Fields
  ) -> (participant: Int?, preference: StreamPreference)? {
    guard let own = Fields(node, "preferred", reading) else { return nil }
    defer { own.finish() }
    let stated = own.take("participant")
    let who = stated.flatMap { participantID($0, "participant", own) }
    let size = own.take("size")
    let rate = own.take("fps")
    guard has(.preferences) else {
      let able = systems(with: .preferences).joined(separator: ", ")
      fields.report(
        node, "preferred: policy '\(system.name)' does not support preferred resolutions, only \(able) does")
      return nil
    }
    guard size != nil || rate != nil else {
      own.report(nil, "preferred needs 'size' or 'fps', such as 'size: 640x480'")
      return nil
    }
    let preference = StreamPreference(
      size: size.flatMap { preferredSize($0, own) }, rate: rate.flatMap { preferredRate($0, own) })
    guard stated == nil || who != nil else { return nil }
    return (who, preference)
  }

  private func preferredSize(_ node: Node, _ own: Fields) -> StreamPreference.Size? {
    if case .scalar(let scalar) = node {
      if scalar.string == "none" { return .any }
      if scalar.string == "auto" { return .tile }
    }
    return readSize(node, "size", own, or: "'auto', nor 'none'").map { .atMost($0) }
  }

  private func preferredRate(_ node: Node, _ own: Fields) -> StreamPreference.Rate? {
    guard let text = own.text(of: node, "fps") else { return nil }
    if text == "none" { return .any }
    if let plain = own.plainText(of: node, "fps") {
      if let rate = Self.preferredRates.first(where: { $0.name == plain }) {
        return .atMost(rate.milliFramesPerSecond)
      }
      own.report(node, "fps: '\(text)' is not one of 30, 15, 7, 1, none")
    }
    return nil
  }
}
