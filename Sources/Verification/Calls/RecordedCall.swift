import Files

/// A recorded call: columns of values sampled about once a second, `nil` until the browser first reports one.
struct RecordedCall: Sendable {
  /// Number of encodings that the sender produces.
  enum Kind: CaseIterable, Sendable {
    /// One sender with one encoding, one receiver: `p2p-*.csv`, or a scenario's recording without `substream`.
    case oneToOne
    /// One publisher with three encodings to Janus, one viewer: `sim-*.csv`, or a recording with `substream`.
    case simulcast

    var prefix: String {
      switch self {
      case .oneToOne: "p2p-"
      case .simulcast: "sim-"
      }
    }

    /// Columns that must have a value in every row; one of two alternatives is enough. If there is a scenario, it
    /// states the capacity.
    fileprivate func schedules(hasScenario: Bool) -> [[String]] {
      switch self {
      case .oneToOne: hasScenario ? [] : [["capacity_kbps", "up_kbps"]]
      case .simulcast: [["up_kbps", "capacity_kbps"], ["substream"]]
      }
    }

    /// Columns whose values may be missing at the start.
    fileprivate var measured: [String] {
      switch self {
      case .oneToOne: ["bwe_kbps", "recv_bytes", "h", "fps", "freeze"]
      case .simulcast: ["l_bytes", "m_bytes", "h_bytes", "h"]
      }
    }

    /// Columns that are compared if a recording has them.
    fileprivate var optional: [String] {
      switch self {
      case .oneToOne:
        ["target_kbps", "rtt_ms", "freeze_s", "lost", "nack", "rtx", "keyframes", "pli"]
      case .simulcast: []
      }
    }
  }

  /// Maximum gap between rows [s].
  private static let longestGap = 2.0
  /// Minimum length of a call for anything to settle [s].
  static let shortest = 10
  private static let longest = 7200
  /// Valid range of measured columns, in which integers are exact.
  private static let measurable = 0.0...1e15

  let kind: Kind
  /// Sampling time of each row [s].
  let times: [Double]
  /// Shaped capacity at each row [kbps].
  let capacities: [Double]
  /// Encoding requested by the simulcast viewer at each row: 0 is the highest.
  let requests: [Int]
  private let columns: [String: [Double?]]

  /// Reads a table.
  ///
  ///   - kind: kind of the call; `nil` to infer it from the columns.
  ///   - kind: `nil` to follow the columns.
  ///   - hasScenario: `true` if a scenario states the capacities.
  /// - Throws: ``RecordingError`` for a file that cannot be read, is not CSV, lacks a column or a value, or has gaps.
  init(path: String, kind: Kind?, hasScenario: Bool = false) throws(RecordingError) {
    var table = try RecordingTable(path: path)
    let kind = kind ?? (table.has("substream") ? .simulcast : .oneToOne)
    self.kind = kind
    let time = try table.place(of: ["t"])
    let schedules = try kind.schedules(hasScenario: hasScenario).map { names throws(RecordingError) in
      try table.place(of: names)
    }
    let names = kind.measured + kind.optional.filter(table.has)
    let measured = try names.map { name throws(RecordingError) in try table.place(of: [name]) }
    var times: [Double] = []
    var scheduled = [[Double]](repeating: [], count: schedules.count)
    var columns: [String: [Double?]] = [:]
    while try table.next() {
      let now = try table.value(time)
      if let last = times.last, !(now > last && now <= last + Self.longestGap) {
        throw table.error("t: \(now) s after \(last) s: times must increase, by at most 2 s")
      }
      guard now >= 0, now < Double(Self.longest) else {
        throw table.error("t: \(now) is not between 0 and \(Self.longest) s")
      }
      times.append(now)
      for (place, column) in schedules.enumerated() { scheduled[place].append(try table.value(column)) }
      guard (0...10_000_000).contains(scheduled.first?[times.count - 1] ?? 0) else {
        throw table.error("the capacity is not between 0 and 10000000 kbps")
      }
      if kind == .simulcast, ![0, 1, 2].contains(scheduled[1][times.count - 1]) {
        throw table.error("substream must be 0, 1 or 2")
      }
      for (name, column) in zip(names, measured) {
        let value = try table.number(column)
        guard value.map(Self.measurable.contains) ?? true else {
          throw table.error("\(name) is not between 0 and 1e15")
        }
        columns[name, default: []].append(value)
      }
    }
    guard let first = times.first, let last = times.last, Int(last.rounded()) + 1 >= Self.shortest,
      first <= Self.longestGap
    else {
      throw table.error("a recording must start with the call and last at least \(Self.shortest) s")
    }
    for name in kind.measured where (columns[name] ?? []).count(where: { $0 != nil }) < 2 {
      throw RecordingError(path: path, line: 1, text: "column '\(name)' has no values")
    }
    self.times = times
    self.columns = columns
    capacities = scheduled.first ?? Array(repeating: 0, count: times.count)
    requests = kind == .simulcast ? scheduled[1].map { Int($0) } : []
  }

  /// Duration of the call [s]: each row stands for a second.
  var duration: Int { Int((times.last ?? 0).rounded()) + 1 }

  /// Returns a column; empty if the recording lacks it.
  func column(_ name: String) -> [Double?] { columns[name] ?? [] }

  func has(_ name: String) -> Bool { columns[name] != nil }

  /// Returns the mean rate of a byte counter between two times [kbps]; NaN without values.
  func rate(_ counter: String, _ from: Double, _ to: Double) -> Double {
    let values = column(counter)
    guard !values.isEmpty, let first = times.indices.first(where: { times[$0] >= from && values[$0] != nil }),
      let last = times.indices.last(where: { times[$0] <= to + 0.5 && values[$0] != nil }), first < last,
      let begin = values[first], let end = values[last]
    else { return .nan }
    return (end - begin) * 8 / 1000 / (times[last] - times[first])
  }

  /// Returns the values at the whole seconds of a part of the call; fewer if the call is shorter.
  func seconds(_ name: String, _ from: Int, _ to: Int) -> [Double] {
    let all = seconds(name)
    return from < min(to + 1, all.count) ? all[from..<min(to + 1, all.count)].compactMap { $0 } : []
  }

  /// Returns the values at whole seconds, each from the first row that is no more than 0.1 s earlier.
  func seconds(_ name: String) -> [Double?] {
    let values = column(name)
    guard !values.isEmpty else { return [] }
    var row = 0
    return (0..<duration).map { second in
      while row < times.count, times[row] < Double(second) - 0.1 { row += 1 }
      return row < times.count ? values[row] : nil
    }
  }
}
