import Allocation
package import Ladder
package import Parameters
import Quantity
package import Systems

/// A system whose rules a test sets; everything else is the default of all systems.
package struct PlainSystem: System {
  package struct Parameters: Parameterized {
    package init() {}

    package static let parameters: [ParameterDeclaration<Self>] = []
  }

  package static let description = SystemDescription(
    name: "plain", summary: "rules that a test states", source: "the test")

  package var traits = SystemTraits()
  /// Rule for pausing its publishers' encodings.
  package var pauses: EncodingPauseRule?

  package init() {}

  package init(_ parameters: Parameters) {}

  package var decider: Decider { Decider(InOrder()) }
  package func ladder(of kind: SourceKind, capture: VideoFormat, clients: Int) -> Ladder {
    .single(capture: capture)
  }
  package func publisher() -> any Publisher { StatedPublisher(pausing: pauses) }
  package func client(_ setup: ClientSetup) -> any Client {
    ViewClient(setup, reactionDelay: .milliseconds(50))
  }

  /// Grants each tile in turn the highest layer that the rest of the budget carries.
  private struct InOrder: AllocationPolicy {
    func allocate(
      budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin
    ) -> [Grant] {
      var left = min(budget, cap).rate ?? .megabits(1000)
      return wishes.map { wish in
        let layers = wish.offers.filter { $0.format.isWithin(wish.maximum) }
        let layer = layers.last { $0.bitrate <= left }
        let rate = layer?.bitrate ?? .zero
        defer { left -= rate }
        guard let next = layers.first(where: { $0.bitrate > rate }) else { return .unhindered(wish, layer) }
        return Grant(
          source: wish.source, layer: layer, limitation: .bandwidth, missing: next.bitrate - left)
      }
    }
  }
}

extension System {
  /// Rule of its servers; `nil` if a policy or a controller decides.
  package var rule: (any ServerRule)? {
    if case .servers(let rule, _) = decider.part { rule } else { nil }
  }
}
