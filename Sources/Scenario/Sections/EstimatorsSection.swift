import CongestionControl
import Parameters
import Quantity
import Systems
import Vendors

/// Estimators by direction.
struct EstimatorsSection: Section {
  var up: Field?
  var down: Field?

  static let keys: [Key<Self>] = [
    Key("up", \.up, .later(choice { !$0.isForDownlinks }), "Of uplinks."),
    Key("down", \.down, .later(choice { _ in true }), "Of downlinks."),
  ]

  /// Schema of one estimator for both directions, or of one for each.
  static var either: Shape {
    .any(of: choice { _ in true }, shape(required: ["up"]), shape(required: ["down"]))
  }

  private static func choice(_ isIncluded: (Estimator) -> Bool) -> Shape {
    let catalogue = Catalogue.standard
    let driving = catalogue.systems.entries.filter { $0.system().server(at: .zero) != nil }.map(\.name)
    return .named(among: catalogue.estimators.entries.filter(isIncluded), registry: "estimators") { name in
      guard catalogue.estimators[name]?.configuration().traits.isAllocatorDriven == true,
        let first = driving.first
      else { return nil }
      return "{policy: \(driving.first { name.hasPrefix($0) } ?? first)}"
    }
  }
}
