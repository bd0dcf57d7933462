import Meeting
import Testing

@Suite("Parallel runs")
struct ParallelRunsTests {
  @Test(arguments: [1, 2, 7])
  func valuesKeepTheOrderOfTheirInputs(jobs: Int) {
    let seeds = Array(UInt64(1)...200)
    #expect(ParallelRuns.map(seeds, jobs: jobs) { $0 * $0 } == seeds.map { $0 * $0 })
    #expect(ParallelRuns.map([Int](), jobs: jobs) { $0 } == [])
    #expect(ParallelRuns.map([7], jobs: jobs) { $0 } == [7])
  }
}
