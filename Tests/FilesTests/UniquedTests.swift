import Files
import Testing

@Suite("Lists without repetitions")
struct UniquedTests {
  @Test func theFirstOfEqualElementsStays() {
    #expect(["b", "a", "b", "c", "a"].uniqued() == ["b", "a", "c"])
    #expect([Int]().uniqued().isEmpty)
  }
}
