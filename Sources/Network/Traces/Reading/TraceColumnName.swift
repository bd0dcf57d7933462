/// Meaning of a table's column, as its name states it.
enum TraceColumnName {
  /// Words of a column's name, in lower case: `DL_bitrateMbps` has `dl`, `bitrate` and `mbps`.
  static func words(of name: String) -> [String] {
    var words: [String] = []
    var isSmall = false
    for character in name {
      let isPart = character.isLetter || character.isNumber
      if !isPart || (character.isUppercase && isSmall) || words.isEmpty { words.append("") }
      if isPart { words[words.count - 1] += character.lowercased() }
      isSmall = character.isLowercase
    }
    return words.filter { !$0.isEmpty }
  }

  /// Ranks how clearly a column's name denotes rates, 0 for the clearest; `nil` if it does not.
  static func rank(ofRate name: String) -> Int? {
    let words = words(of: name)
    let letters = words.joined()
    if ["frame", "loss", "error", "sample", "rank"].contains(where: letters.contains) { return nil }
    if TraceRateUnit(inName: name) != nil { return 0 }
    let sizes: Set<String> = [
      "buffer", "queue", "backlog", "size", "length", "header", "limit", "burst", "window",
    ]
    if words.contains(where: sizes.contains) { return nil }
    let strong = ["throughput", "bandwidth", "bitrate", "capacity", "goodput", "datarate"]
    if strong.contains(where: letters.contains) || words.contains("bw") || words.contains("tput") { return 1 }
    let weak: Set<String> = [
      "rate", "speed", "value", "dl", "ul", "downlink", "uplink", "download", "upload", "down", "up",
    ]
    return TraceRateUnit(amountIn: name) != nil || words.contains { weak.contains($0) } ? 2 : nil
  }

  /// Ranks how clearly a column's name denotes times, 0 for the clearest; `nil` if it does not.
  static func rank(ofTime name: String) -> Int? {
    let words = words(of: name)
    let last = words.last ?? ""
    let hasUnit = TraceTimeUnit(word: last) != nil
    if TraceRateUnit(inName: name) != nil { return nil }
    let stamps: Set<String> = ["timestamp", "datetime", "epoch"]
    if words.contains(where: stamps.contains) { return words.count > 1 && hasUnit ? 0 : 1 }
    let durations: Set<String> = [
      "rtt", "ping", "rebuffer", "rebuffering", "stall", "delay", "latency", "duration", "response", "buffer",
      "jitter",
      "download",
    ]
    if words.contains(where: durations.contains) { return nil }
    let nouns: Set<String> = ["time", "t", "ts", "elapsed", "start", "since", "clock"]
    guard words.contains(where: nouns.contains) else {
      return words.count == 1 && hasUnit ? 6 : last == "date" ? 7 : nil
    }
    // Other words may make it the time of something else.
    let usual: Set<String> = ["interval", "begin", "utc", "local", "unix", "system", "date"]
    let isOther = !words.allSatisfy {
      nouns.contains($0) || usual.contains($0) || TraceTimeUnit(word: $0) != nil
    }
    return (isOther ? 4 : 2) + (words.count > 1 && hasUnit ? 0 : 1)
  }
}
