import Meeting
import Network
import Quantity
import Yams

extension PlanBuilder {
  func readLinks(_ fields: Fields) {
    guard let node = fields.take("links") else { return }
    guard case .mapping(let mapping) = node else {
      fields.report(node, "'links' must be a mapping from names to profiles")
      return
    }
    for (key, value) in mapping {
      let name = key.string ?? ""
      guard PlanBuilder.isIdentifier(name) else {
        fields.report(key, "link '\(name)': a name has letters, digits and '_', '-', '.' only, 64 at most")
        continue
      }
      if let profile = profile(value, "link '\(name)'") { profiles.append((name, profile)) }
    }
  }

  /// Links that several participants share: a household's or an office's way out.
  func readSharedLinks(_ fields: Fields) {
    guard let node = fields.take("shared-links") else { return }
    guard case .mapping(let mapping) = node else {
      fields.report(node, "'shared-links' must be a mapping from names to {up: PROFILE, down: PROFILE}")
      return
    }
    for (key, value) in mapping {
      let name = key.string ?? ""
      guard PlanBuilder.isIdentifier(name) else {
        fields.report(
          key, "shared link '\(name)': a name has letters, digits and '_', '-', '.' only, 64 at most")
        continue
      }
      guard let own = Fields(value, "shared link '\(name)'", reading) else { continue }
      let up = profile(of: "up", own)?.up
      let down = profile(of: "down", own)?.down
      own.finish()
      guard let up, let down else { continue }
      shared.append((name: name, up: links.count, down: links.count + 1))
      links.append(LinkPlan(name: "\(name)/up", parameters: up))
      links.append(LinkPlan(name: "\(name)/down", parameters: down))
    }
  }

  /// The profile that a key names or states; ample when the key is absent.
  func profile(of key: String, _ fields: Fields) -> LinkProfile? {
    guard let node = fields.take(key) else { return LinkPreset.all[0].profile }
    guard case .scalar = node else { return profile(node, "\(key) of \(fields.subject)") }
    guard let name = fields.text(of: node, key) else { return nil }
    if let own = profiles.first(where: { $0.name == name }) { return own.profile }
    if let preset = LinkPreset.all.first(where: { $0.name == name }) { return preset.profile }
    let known = profiles.map(\.name) + LinkPreset.all.map(\.name)
    var hint = Suggestion.text(for: name, among: known)
    if hint.hasPrefix("known here") {
      let own = ["ample"] + profiles.map(\.name)
      hint = "known here: \(own.joined(separator: ", ")) and the presets that 'meetsim list links' shows"
    }
    fields.report(node, "\(key): there is no link '\(name)': \(hint)")
    return nil
  }

  private func profile(_ node: Node, _ subject: String) -> LinkProfile? {
    guard let fields = Fields(node, subject, reading) else { return nil }
    defer { fields.finish() }
    let capacity = capacity(fields)
    var parameters = LinkParameters(capacity: capacity ?? .constant(.zero))
    if let delay = fields.duration("delay", atMost: .seconds(60)) { parameters.propagationDelay = delay }
    readLoss(fields, into: &parameters)
    if let node = fields.take("bucket"), let text = fields.text(of: node, "bucket") {
      parameters.bucket = fields.parse(node, "bucket", text, ByteCount.init(text:))
    }
    if let jitter = fields.duration("jitter", atMost: .seconds(10)) { parameters.jitter = jitter }
    readQueue(fields, into: &parameters)
    return capacity == nil ? nil : LinkProfile(parameters)
  }

  /// Reads `2 %`, or a mapping: `{mean: 2 %, burst: 3}`, or netem's `{p: 1 %, r: 30 %, 1-h: 100 %, 1-k: 0 %}`.
  private func readLoss(_ fields: Fields, into parameters: inout LinkParameters) {
    guard let node = fields.take("loss") else { return }
    guard case .mapping = node else {
      if let text = fields.text(of: node, "loss"),
        let loss = fields.parse(node, "loss", text, Fraction.init(text:))
      {
        parameters.loss = loss
      }
      return
    }
    guard let own = Fields(node, "loss of \(fields.subject)", reading) else { return }
    defer { own.finish() }
    if let mean = own.share("mean") {
      let burst = own.number("burst", in: 1...10_000) ?? 1
      parameters.burstLoss = GilbertElliott(mean: mean, burst: burst)
      if parameters.burstLoss == nil { own.report(nil, "loss: a mean of 100 % leaves nothing: state less") }
      return
    }
    guard own.require("p", such: "1 %") != nil, let toBad = own.share("p") else { return }
    let certain = Fraction(1) ?? .zero
    let toGood = own.share("r") ?? Fraction(1 - toBad.value) ?? certain
    parameters.burstLoss = GilbertElliott(
      toBad: toBad, toGood: toGood, lossWhenBad: own.share("1-h") ?? certain,
      lossWhenGood: own.share("1-k") ?? .zero)
  }

  /// Reads a limit, or `{discipline: codel, limit: 300 ms}`.
  private func readQueue(_ fields: Fields, into parameters: inout LinkParameters) {
    guard let node = fields.take("queue") else { return }
    guard case .mapping = node else {
      if let limit = queueLimit(node, fields) { parameters.queueLimit = limit }
      return
    }
    guard let own = Fields(node, "queue of \(fields.subject)", reading) else { return }
    defer { own.finish() }
    if let discipline = own.choice("discipline", QueueDiscipline.Name.self) {
      parameters.discipline = QueueDiscipline(discipline)
    }
    if let limit = own.take("limit").flatMap({ queueLimit($0, own) }) { parameters.queueLimit = limit }
    if parameters.discipline != .dropTail, parameters.bucket != nil {
      own.report(nil, "queue: a link with a bucket drops at the tail: leave out 'bucket' or 'discipline'")
    }
  }

  private func queueLimit(_ node: Node, _ fields: Fields) -> QueueLimit? {
    guard let text = fields.text(of: node, "queue") else { return nil }
    let parts = text.split(separator: " ")
    if parts.count == 2, parts[1] == "packets" || parts[1] == "packet" {
      guard let count = Int(parts[0]), (1...1_000_000).contains(count) else {
        fields.report(node, "queue: '\(text)' is not a number of packets from 1 to 1000000")
        return nil
      }
      return .packets(count)
    }
    if let duration = try? SimDuration(text: text), duration <= .seconds(60) { return .duration(duration) }
    if let size = try? ByteCount(text: text) { return .bytes(size) }
    fields.report(node, "queue: '\(text)' is neither a time up to 60 s, a size nor packets: write '300 ms'")
    return nil
  }

  private func capacity(_ fields: Fields) -> CapacityProfile? {
    let node = fields.take("capacity")
    let trace = fields.take("trace")
    let format = fields.choice("format", CapacityTraceFormat.self)
    let continuation = fields.choice("after-end", CapacityTrace.Continuation.self)
    guard let trace else {
      guard let node else {
        fields.report(nil, "\(fields.subject) needs 'capacity', such as 'capacity: 2400 kbps', or 'trace'")
        return nil
      }
      if case .sequence(let steps) = node { return capacitySteps(Array(steps), fields) }
      guard let text = fields.text(of: node, "capacity"),
        let rate = fields.parse(node, "capacity", text, BitRate.init(text:))
      else { return nil }
      return .constant(rate)
    }
    if let node { fields.report(node, "\(fields.subject) has both 'capacity' and 'trace': keep one") }
    guard let path = fields.text(of: trace, "trace") else { return nil }
    return self.trace(path, trace, format, continuation ?? .loop, fields)
  }

  private func trace(
    _ path: String, _ node: Node, _ format: CapacityTraceFormat?, _ continuation: CapacityTrace.Continuation,
    _ fields: Fields
  ) -> CapacityProfile? {
    let full = path.hasPrefix("/") ? path : reading.directory + path
    do {
      let bytes = try FileReader.bytes(of: full, limit: FileReader.traceLimit)
      // Without a name the format is what the content looks like, or our own, whose reader then says what is wrong.
      let found = format ?? CapacityTraceFormat(lookingAt: bytes) ?? .rateCSV
      let trace = try CapacityTrace(bytes: bytes, format: found, continuation: continuation)
      if !traces.contains(where: { $0.path == path }) { traces.append((path, bytes)) }
      return CapacityProfile(.trace(trace))
    } catch let error as CapacityTraceError {
      fields.report(node, "trace '\(path)', line \(error.line): \(error)")
    } catch {
      fields.report(node, "trace: \(error)")
    }
    return nil
  }

  private func capacitySteps(_ nodes: [Node], _ fields: Fields) -> CapacityProfile? {
    var steps: [CapacityStep] = []
    for node in nodes {
      guard let entry = Fields(node, "capacity step", reading) else { return nil }
      let at = entry.require("at", such: "10s") == nil ? nil : entry.duration("at")
      let rate = entry.require("to", such: "600 kbps") == nil ? nil : entry.rate("to")
      entry.finish()
      guard let at, let rate else { return nil }
      let time = SimTime.zero + at
      if let last = steps.last, time <= last.at {
        entry.report(nil, "capacity steps must rise in time: \(at) does not come after \(last.at - .zero)")
        return nil
      }
      steps.append(CapacityStep(at: time, rate: rate))
    }
    guard let first = steps.first, first.at == .zero else {
      fields.report(nil, "the capacity steps of \(fields.subject) must begin with 'at: 0s'")
      return nil
    }
    return CapacityProfile(.steps(steps))
  }
}
