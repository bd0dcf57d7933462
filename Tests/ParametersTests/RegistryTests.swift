import Parameters
import Testing

private struct Entry: RegistryEntry, Equatable {
  var name: String
  var summary: String { "" }
  var source: String { "" }
  var parameters: [ParameterDescription] { [] }
}

@Suite("Registries")
struct RegistryTests {
  private let registry = Registry([Entry(name: "a"), Entry(name: "b")])

  @Test func entriesAreFoundByTheirNameAlone() {
    #expect(registry["b"] == Entry(name: "b"))
    #expect(registry["c"] == nil)
    #expect(registry.standard.name == "a")
  }

  @Test func anAddedEntryComesLast() {
    let more = registry.adding(Entry(name: "c"))
    #expect(more.names == ["a", "b", "c"])
    #expect(more["c"] != nil && more.standard.name == "a")
    #expect(registry.names == ["a", "b"])
  }
}
