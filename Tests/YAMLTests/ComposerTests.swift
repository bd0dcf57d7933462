import Testing
import YAML

@Suite("Document limits")
struct ComposerTests {
  private func limits(depth: Int = 64, nodes: Int = 200_000) -> YAMLLimits {
    var limits = YAMLLimits()
    limits.depth = depth
    limits.nodes = nodes
    return limits
  }

  /// A sequence of two scalars has three nodes.
  @Test func aDocumentHasAsManyNodesAsItMay() throws {
    #expect(try Composer.compose("[a, b]", limits: limits(nodes: 3)) != nil)
    #expect(throws: YAMLError.self) { try Composer.compose("[a, b]", limits: limits(nodes: 2)) }
  }

  /// The root is at depth 0.
  @Test func aDocumentIsAsDeepAsItMay() throws {
    #expect(try Composer.compose("[[a]]", limits: limits(depth: 2)) != nil)
    #expect(throws: YAMLError.self) { try Composer.compose("[[a]]", limits: limits(depth: 1)) }
  }
}
