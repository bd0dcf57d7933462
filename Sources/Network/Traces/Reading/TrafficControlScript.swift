import Quantity

/// A shell script that shapes a device with `tc`.
struct TrafficControlScript {
  private let lines: TraceLines
  private let device: String?

  init(_ lines: TraceLines, device: String?) {
    self.lines = lines
    self.device = device
  }

  /// Returns the format of a text with commands or outputs of `tc` among its first lines; `nil` for others.
  static func format(of lines: TraceLines) -> CapacityTraceFormat? {
    var isLog = false
    for line in lines.prefix(400) where line.bytes.contains(where: { $0 == UInt8(ascii: "c") }) {
      let words = line.words.map(\.text)
      if words.first == "qdisc" || words.first == "class" { isLog = true }
      if line.isComment { continue }
      if let tc = words.firstIndex(where: isTrafficControl),
        !Set(words[tc...]).isDisjoint(with: ["add", "change", "replace"])
      {
        return .tcScript
      }
    }
    return isLog ? .tcLog : nil
  }

  private static func isTrafficControl(_ word: String) -> Bool { word == "tc" || word.hasSuffix("/tc") }

  /// Words before a command that name no host, container or namespace.
  private static let wrappers: Set<String> = [
    "sudo", "docker", "podman", "exec", "ip", "netns", "ssh", "nsenter", "time",
  ]

  /// Returns a device's name qualified by its host, container or namespace, since names repeat between these.
  private static func name(of device: String, at words: ArraySlice<String>) -> String {
    (words.filter { !wrappers.contains($0) && !$0.hasPrefix("-") } + [device]).joined(separator: ":")
  }

  private static let control: Set<String> = ["for", "while", "until", "if", "case", "function", "select"]

  func read() throws(CapacityTraceError) -> (samples: RateSamples, notes: [String]) {
    var rates = DeviceRates()
    /// Rates in force at each place in a device's tree of queues.
    var shapers: [(device: String, place: String, rate: Double)] = []
    /// Kind of queue at each place, such as `tbf`.
    var kinds: [String: String] = [:]
    /// Commands that left a device without any rate, with their times.
    var removals: [String: (time: Double, line: TraceLine)] = [:]
    var time = 0.0
    var statesMore = false
    var variables: [String: String] = [:]
    for line in lines.rows {
      for written in Self.commands(line.text) {
        let command = Self.filled(written, variables)
        guard command.count <= Self.longestCommand else { throw failure(line, "the command is too long") }
        let words = command.split { $0 == " " || $0 == "\t" }.map(String.init)
        guard let first = words.first else { continue }
        if words.count == 1, let equals = first.firstIndex(of: "="), equals != first.startIndex {
          variables[String(first[..<equals])] = String(first[first.index(after: equals)...])
          continue
        }
        if Self.control.contains(first) || first.hasSuffix("()") || words.dropFirst().first == "()" {
          throw failure(
            line,
            "'\(first)' cannot be read: only 'tc' and 'sleep' one after the other, without loops, conditions and functions"
          )
        }
        if first == "sleep" {
          time += try seconds(words.dropFirst(), line)
          guard time <= RateSamples.longest else { throw failure(line, "the script takes more than a year") }
        }
        guard let tc = words.firstIndex(where: Self.isTrafficControl) else { continue }
        let arguments = Array(words[(tc + 1)...])
        guard let dev = arguments.firstIndex(of: "dev"), dev + 1 < arguments.count else { continue }
        let device = Self.name(of: arguments[dev + 1], at: words[..<tc])
        let place = Self.place(arguments)
        statesMore = statesMore || arguments.contains("delay") || arguments.contains("loss")
        let kind = Self.kind(arguments)
        let isRemoval = arguments.contains("del") || arguments.contains("delete")
        // Another kind of queue takes the place of the one before, and of all below it.
        let isOther = arguments.contains("replace") && kind != nil && kinds["\(device) \(place)"] != kind
        kinds["\(device) \(place)"] = isRemoval ? nil : kind ?? kinds["\(device) \(place)"]
        if isRemoval || isOther {
          let count = shapers.count
          shapers.removeAll { $0.device == device && (arguments.contains("root") || $0.place == place) }
          if shapers.count < count, !shapers.contains(where: { $0.device == device }) {
            rates.end(device, at: time)
            removals[device] = (time, line)
          }
        }
        if isRemoval { continue }
        if let text = TrafficControlRate.word(arguments) {
          guard let rate = TrafficControlRate.parse(text), rate <= RateSamples.greatestRate else {
            throw failure(
              line,
              "'\(text.prefix(40))' is no rate of tc: write a number with a unit, such as '2mbit', in place of variables"
            )
          }
          shapers.removeAll { $0.device == device && $0.place == place }
          shapers.append((device, place, rate))
          guard shapers.count <= 1000 else { throw failure(line, "more than 1000 rates are in force here") }
        } else if arguments.contains("add") {
          shapers.removeAll { $0.device == device && $0.place == place }
        }
        if let least = shapers.filter({ $0.device == device }).map(\.rate).min() {
          if let removal = removals.removeValue(forKey: device), removal.time < time {
            throw failure(
              removal.line,
              "no rate is in force from here to line \(line.number), \(Self.shown(removal.time)) to \(Self.shown(time)) s: "
                + "set one, or make two traces of it")
          }
          try rates.add(device, time, least, line.number)
        }
      }
    }
    for device in Set(shapers.map(\.device)).sorted() { rates.end(device, at: time) }
    let samples = try rates.samples(of: device, line: lines.first?.number ?? 1)
    var notes = statesMore ? [TraceChoice.delayAndLoss] : []
    if samples.samples.count == 1, let rate = samples.last?.rate {
      notes.append("a single rate: 'capacity: \(Int64(rate / 1000)) kbps' says the same")
    }
    return (samples, notes)
  }

  private static func shown(_ seconds: Double) -> String {
    TraceText.seconds(SimDuration(nanoseconds: Int64(seconds * 1e9)))
  }

  private func failure(_ line: TraceLine, _ text: String) -> CapacityTraceError {
    CapacityTraceError(line: line.number, cause: .command(text))
  }

  /// Returns the commands of a line, without a trailing comment.
  private static func commands(_ text: String) -> [Substring] {
    let code = text.split(separator: " #", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
    return code.split { $0 == ";" || $0 == "&" || $0 == "|" }
  }

  private static let longestCommand = 4000

  /// Returns a command without quotation marks and with the values of variables set before.
  private static func filled(_ command: Substring, _ variables: [String: String]) -> String {
    var text = ""
    var rest = command[...]
    while let character = rest.first, text.utf8.count <= longestCommand {
      rest.removeFirst()
      if character == "\"" || character == "'" { continue }
      guard character == "$" else {
        text.append(character)
        continue
      }
      let isBraced = rest.first == "{"
      let name = (isBraced ? rest.dropFirst() : rest).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      let end = rest[name.endIndex...]
      if let value = variables[String(name)], !isBraced || end.first == "}" {
        text += value
        rest = isBraced ? end.dropFirst() : end
      } else {
        text.append(character)
      }
    }
    return text
  }

  /// Returns the kind of a command's queue, such as `tbf`: the first word that states neither action nor place.
  private static func kind(_ arguments: [String]) -> String? {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "qdisc", "class", "filter", "add", "change", "replace", "root": continue
      case "dev", "parent", "handle", "classid": rest = rest.dropFirst()
      default: if !word.hasPrefix("-") { return word }
      }
    }
    return nil
  }

  /// Returns the place of a command in the tree of queues.
  private static func place(_ arguments: [String]) -> String {
    let kind = arguments.first { ["qdisc", "class", "filter"].contains($0) } ?? ""
    for key in kind == "class" ? ["classid", "parent"] : ["parent"] {
      if let place = arguments.firstIndex(of: key), place + 1 < arguments.count {
        return "\(kind) \(arguments[place + 1])"
      }
    }
    return "\(kind) root"
  }

  private func seconds(_ words: ArraySlice<String>, _ line: TraceLine) throws(CapacityTraceError) -> Double {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    var sum = 0.0
    for word in words {
      let unit = word.last.flatMap { units[$0] }
      guard let number = Double(unit == nil ? word : String(word.dropLast())), number.isFinite, number >= 0
      else {
        throw failure(
          line,
          "'sleep \(word.prefix(40))' is no time: write a number, such as 'sleep 10', in place of variables")
      }
      sum += number * (unit ?? 1)
    }
    return sum
  }
}
