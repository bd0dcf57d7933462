#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A recorded call: a value each second by column, `nil` where the browser had none yet.
struct RecordedCall {
  private var columns: [String: [Double?]] = [:]

  /// Reads a CSV; `nil` when it is not there.
  init?(path: String) {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(whereSeparator: \.isNewline)
    guard let header = lines.first?.split(separator: ",", omittingEmptySubsequences: false) else {
      return nil
    }
    for line in lines.dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      for (name, field) in zip(header, fields) { columns[String(name), default: []].append(Double(field)) }
    }
  }

  func column(_ name: String) -> [Double?] { columns[name] ?? [] }

  /// Mean growth of a counter of bytes between two times [kbps].
  func rate(_ counter: String, _ from: Double, _ to: Double) -> Double {
    let times = column("t")
    let values = column(counter)
    guard let first = times.firstIndex(where: { ($0 ?? 0) >= from }),
      let last = times.lastIndex(where: { ($0 ?? .infinity) <= to + 0.5 }), first < last,
      let begin = values[first], let end = values[last], let start = times[first], let stop = times[last]
    else { return .nan }
    return (end - begin) * 8 / 1000 / (stop - start)
  }

  /// The values at whole seconds of a part of the call; fewer where it is shorter.
  func seconds(_ name: String, _ from: Int, _ to: Int) -> [Double] {
    let all = seconds(name)
    return from < min(to + 1, all.count) ? all[from..<min(to + 1, all.count)].compactMap { $0 } : []
  }

  /// Values at whole seconds: the sample that lies nearest after each.
  func seconds(_ name: String) -> [Double?] {
    let times = column("t")
    let values = column(name)
    return (0..<times.count).map { second in
      guard let place = times.firstIndex(where: { ($0 ?? 0) >= Double(second) - 0.1 }) else { return nil }
      return values[place]
    }
  }
}
