import Glibc

/// Runs every workload in interleaved rounds, beside the C++ references if they are built, and tabulates the medians.
struct BenchmarkTable {
  private static let rounds = 5
  private let reference: String?

  init(reference: String?) { self.reference = reference }

  func markdown() throws -> String {
    var ours: [[Double]] = Array(repeating: [], count: 6)
    var theirs: [[Double]] = Array(repeating: [], count: 6)
    var factors: [[Double]] = [[], []]
    for _ in 0..<Self.rounds {
      for (row, hold) in [(100, false), (10_000, false), (10_000, true)].enumerated() {
        ours[row].append(Hold.nanoseconds(pending: hold.0, operations: 5_000_000, ties: hold.1))
        if !hold.1, let time = figure("hold quadhole 16 \(hold.0) 5000000 rng", before: " ns/hold") {
          theirs[row].append(time)
        }
      }
      ours[3].append(Forward.nanosecondsPerHop(seconds: 60))
      if let time = figure("forward head1 60", before: " ns/hop") { theirs[3].append(time) }
      for (row, estimator) in ["oracle", "gcc"].enumerated() {
        let house = try FullHouse.run(estimator: estimator)
        ours[4 + row].append(house.nanosecondsPerHop)
        factors[row].append(house.realTimeFactor)
      }
    }
    let names = [
      "HOLD, 100 pending", "HOLD, 10,000 pending", "HOLD, 10,000 pending, many ties",
      "FORWARD, 60 s, per packet-hop", "full-house with oracle, 60 s, per packet-hop",
      "full-house with gcc, 60 s, per packet-hop",
    ]
    var lines = ["| workload | meetsim [ns] | C++ 4-ary heap [ns] | ratio |", "|---|---|---|---|"]
    for row in names.indices {
      let own = median(ours[row])
      let other = theirs[row].isEmpty ? nil : median(theirs[row])
      let against = row == 2 ? median(ours[1]) : row >= 4 ? median(ours[3]) : other
      let label = row == 2 ? " of HOLD without ties" : row >= 4 ? " of FORWARD" : ""
      lines.append(
        "| \(names[row]) | \(rounded(own)) | \(other.map(rounded) ?? "-") | "
          + (against.map { "\(rounded(own / $0 * 100, 100))\(label)" } ?? "-") + " |")
    }
    lines.append("")
    lines.append(
      "full-house: \(Int(median(factors[0]))) times real time with oracle, \(Int(median(factors[1]))) with gcc "
        + "(\(rounded(median(factors[1]) / median(factors[0]) * 100, 100)) of it); peak memory "
        + "\(peakResidentSet() / 1024) MiB.")
    return lines.joined(separator: "\n")
  }

  /// Runs a reference program and reads the number that precedes a word of its output.
  private func figure(_ command: String, before word: String) -> Double? {
    guard let reference, let pipe = popen("\(reference)/\(command)", "r") else { return nil }
    defer { pclose(pipe) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, pipe)
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    guard let range = text.firstRange(of: word) else { return nil }
    return text[..<range.lowerBound].split(separator: " ").last.flatMap { Double($0) }
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private func rounded(_ value: Double) -> String { rounded(value, 10) }

  private func rounded(_ value: Double, _ parts: Double) -> String {
    parts == 100 ? "\(value.rounded() / 100)" : "\((value * parts).rounded() / parts)"
  }
}
