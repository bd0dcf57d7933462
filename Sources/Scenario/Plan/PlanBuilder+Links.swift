import Files
import Network
import Plan
import Quantity
import YAML

extension PlanBuilder {
  func readLinks(_ fields: Fields) {
    guard let node = fields.take("links") else { return }
    guard case .mapping(let mapping) = node else {
      fields.report(
        node, "'links' must be a mapping from names to profiles, such as 'home: {capacity: 2400 kbps}'")
      faults.links = true
      return
    }
    for (key, value) in mapping {
      let name = key.string ?? ""
      guard PlanBuilder.isIdentifier(name) else {
        fields.report(key, "link '\(name)': \(PlanBuilder.identifierRule)")
        add(Self.ample, name)
        continue
      }
      definedProfiles.append((name, key))
      add(profile(value, "link '\(name)'") ?? Self.ample, name)
    }
  }

  /// Stand-in for a profile with an error, so that references to it cause no further errors.
  static var ample: LinkProfile { LinkPreset.all[0].profile }

  private func add(_ profile: LinkProfile, _ name: String) {
    profileNumbers[name] = profiles.count
    profiles.append((name, profile))
  }

  /// Reads links shared by several participants, such as a household's or an office's access link.
  func readSharedLinks(_ fields: Fields) {
    guard let node = fields.take("shared-links") else { return }
    guard case .mapping(let mapping) = node else {
      fields.report(node, "'shared-links' must be a mapping from names to {up: PROFILE, down: PROFILE}")
      return
    }
    for (key, value) in mapping {
      let name = key.string ?? ""
      guard PlanBuilder.isIdentifier(name) else {
        fields.report(key, "shared link '\(name)': \(PlanBuilder.identifierRule)")
        faults.note(name)
        continue
      }
      let own = Fields(value, "shared link '\(name)'", reading)
      let up = own.flatMap { profile(of: "up", $0)?.up } ?? Self.ample.up
      let down = own.flatMap { profile(of: "down", $0)?.down } ?? Self.ample.down
      own?.finish()
      guard shared.count < Self.sharedLinkLimit else {
        return fields.report(key, "there are more than \(Self.sharedLinkLimit) shared links")
      }
      sharedNumbers[name] = shared.count
      sharedKeys.append(key)
      shared.append((name: name, up: addLink("\(name)/up", up), down: addLink("\(name)/down", down)))
    }
  }

  /// Returns the index of the link that a `link` key names; `nil`, with an error reported, if there is none.
  func linkNumber(_ node: Node, _ fields: Fields) -> Int? {
    guard let name = fields.text(of: node, "link") else { return nil }
    if let link = linkNumbers[name] { return link }
    if faults.explain(name) { return nil }
    let known = links.prefix(60).map(\.name)
    if profileNumbers[String(name.prefix { $0 != "/" })] != nil, let first = participants.first {
      fields.report(
        node,
        "link: there is no link '\(name)', which is a profile that several may have: name a participant's link, such as "
          + "'\(first.id)/down'")
      return nil
    }
    fields.report(node, "link: there is no link '\(name)': \(Suggestion.text(for: name, among: known))")
    return nil
  }

  /// Reads the profile that a key names or defines in place; `ample` if the key is absent.
  func profile(of key: String, _ fields: Fields) -> LinkProfile? {
    guard let node = fields.take(key) else { return LinkPreset.all[0].profile }
    guard case .scalar = node else { return profile(node, "\(key) of \(fields.subject)") }
    guard let name = fields.text(of: node, key) else { return nil }
    if let own = profileNumbers[name] {
      usedProfiles.insert(name)
      return profiles[own].profile
    }
    if let preset = LinkPreset.all.first(where: { $0.name == name }) { return preset.profile }
    if faults.links { return nil }
    if name.first?.isNumber == true, (try? BitRate(text: name)) != nil {
      fields.report(node, "\(key): '\(name)' is a rate and no link: write '{capacity: \(name)}'")
      return nil
    }
    let names = profiles.prefix(Suggestion.limit).map(\.name)
    let known = names + LinkPreset.all.map(\.name)
    let own = (["ample"] + names).joined(separator: ", ")
    let hint =
      Suggestion.nearest(to: name, among: known).map { "did you mean '\($0)'?" }
      ?? "expected one of \(own) or another preset of 'meetsim list links'"
    fields.report(node, "\(key): there is no link '\(name)': \(hint)")
    return nil
  }

  private func profile(_ node: Node, _ subject: String) -> LinkProfile? {
    guard let fields = Fields(node, subject, reading) else { return nil }
    defer { fields.finish() }
    let capacity = capacity(fields)
    var parameters = LinkParameters(capacity: capacity ?? .constant(.zero))
    if let delay = fields.duration("delay", atMost: .seconds(60)) { parameters.propagationDelay = delay }
    switch readLoss(fields) {
    case .independent(let share): parameters.loss = share
    case .bursts(let model): parameters.burstLoss = model
    case nil: break
    }
    readBucket(fields, into: &parameters)
    readOverhead(fields, into: &parameters)
    if let jitter = fields.duration("jitter", atMost: .seconds(10)) { parameters.jitter = jitter }
    parameters.reorders = fields.flag("reordering") ?? false
    readQueue(fields, into: &parameters)
    return capacity == nil ? nil : LinkProfile(parameters)
  }

  private func capacity(_ fields: Fields) -> CapacityProfile? {
    let node = fields.take("capacity")
    let trace = fields.take("trace")
    let format = fields.choice("format", CapacityTraceFormat.self)
    let continuation = fields.choice("after-end", CapacityTrace.Continuation.self)
    guard let trace else {
      guard let node else {
        if fields.reportsOther(for: "capacity") { return nil }
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
      // If the format is neither given nor detected, the rate-csv reader reports the error.
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
      let at = entry.require("at", example: "10s") == nil ? nil : entry.duration("at")
      let rate = entry.require("to", example: "600 kbps") == nil ? nil : entry.rate("to")
      entry.finish()
      guard let at, let rate else { return nil }
      let time = SimTime.zero + at
      if let last = steps.last, time <= last.at {
        entry.report(nil, "capacity steps must be in order of time: \(at) is not after \(last.at.sinceStart)")
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
