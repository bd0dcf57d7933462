import Metrics
import ResultReading
import TestSupport
import Testing

/// Reads the series of ann and bob from rows of `time,link,value`.
private func series(_ rows: [String]) throws -> IntervalSeries {
  let text = "run_id,time_s,link,queue_delay_mean_s\n" + rows.map { "r,\($0)\n" }.joined()
  let folder = try TemporaryFolder(["links.csv": text])
  return try IntervalSeries.read(
    folder.path + "/links.csv", column: "queue_delay_mean_s", of: [("link", "home/down")])
}

@Suite("Interval series")
struct IntervalSeriesTests {
  @Test func theRowsOfOneSubjectAreTaken() throws {
    let read = try series([
      "0.500,home/down,0.25", "0.500,home/up,9.0", "1.000,home/down,0.5", "1.000,home/up,9.0",
      "1.500,home/down,1.0", "1.500,home/up,9.0",
    ])
    #expect(read == IntervalSeries(interval: 500, values: [0.25, 0.5, 1]))
  }

  @Test func aShorterLastIntervalIsLeftOut() throws {
    let read = try series(["1.000,home/down,1.0", "2.000,home/down,2.0", "2.300,home/down,9.0"])
    #expect(read == IntervalSeries(interval: 1000, values: [1, 2]))
  }

  @Test(arguments: [
    (
      ["1.000,home/down,1.0", "2.000,home/down,"],
      "links.csv:3:1: error: queue_delay_mean_s has no value here"
    ),
    (
      ["1.000,home/down,1.0", "2.000,home/down,1.0", "4.000,home/down,1.0"],
      "links.csv:1:1: error: intervals between 2000 ms and 4000 ms are missing"
    ),
    (["1.000,home/down,1.0"], "fewer than two intervals of link 'home/down'"),
    (
      ["1.000,home/down,1.0", "9223372036854775808,home/down,1.0"],
      "links.csv:3:1: error: time_s: '9223372036854775808' is not a time of a run, which lasts 24 h at most"
    ),
    (["-1,home/down,1.0"], "links.csv:2:1: error: time_s: '-1' is not a time of a run"),
    (
      ["1.000,home/down,1.0", "1.000,home/down,1.0"],
      "links.csv:3:1: error: an interval that ends at 1000 ms comes after one that ends at 1000 ms"
    ),
    (["1.000,home/down,fast"], "links.csv:2:1: error: queue_delay_mean_s: 'fast' is not a number"),
  ])
  func gapsAreNotPapered(rows: [String], expected: String) throws {
    let error = #expect(throws: ResultReadingError.self) { try series(rows) }
    #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
  }
}
