import Files
import Network
import Plan
import Quantity
import YAML

/// Turns links into parameters.
struct LinkReader: PlanReader {
  let draft: MeetingDraft

  /// Maximum number of shared links, which have 16-bit numbers.
  private static let sharedLimit = 10_000

  /// Stand-in for a profile with an error, so that references to it cause no further errors.
  static var ample: LinkProfile { LinkPreset.all[0].profile }

  /// Reads `links`.
  func readProfiles(_ node: Node?) {
    guard let node else { return }
    guard case .mapping(let mapping) = node else {
      reading.report(
        node, "'links' must be a mapping from names to profiles, such as 'home: {capacity: 2400 kbps}'")
      draft.faults.links = true
      return
    }
    for (key, value) in mapping {
      let name = key.string ?? ""
      if let problem = Identifier.problem(of: name) {
        reading.report(key, "link '\(name)': \(problem)")
        draft.links.add(profile: Self.ample, named: name)
        continue
      }
      draft.links.defined.append((name, key))
      let section = Entry<LinkSection>(value, "link '\(name)'", reading)
      draft.links.add(profile: section.flatMap { profile($0) } ?? Self.ample, named: name)
    }
  }

  /// Reads links shared by several participants, such as a household's or an office's access link.
  func readShared(_ node: Node?) {
    guard let node else { return }
    guard case .mapping(let mapping) = node else {
      reading.report(node, "'shared-links' must be a mapping from names to {up: PROFILE, down: PROFILE}")
      return
    }
    for (key, value) in mapping {
      let name = key.string ?? ""
      if let problem = Identifier.problem(of: name) {
        reading.report(key, "shared link '\(name)': \(problem)")
        draft.faults.note(name)
        continue
      }
      let own = Entry<SharedLinkSection>(value, "shared link '\(name)'", reading)
      let up = profile(own?.up).up
      let down = profile(own?.down).down
      guard draft.links.shared.count < Self.sharedLimit else {
        return reading.report(key, "there are more than \(Self.sharedLimit) shared links")
      }
      draft.links.addShared(name, key, up: up, down: down)
    }
  }

  /// Returns the profile that a participant or a shared link refers to; an ample one if it refers to none.
  func profile(_ reference: LinkReference?) -> LinkProfile {
    switch reference {
    case .name(let name): profile(named: name) ?? Self.ample
    case .profile(let section): profile(section) ?? Self.ample
    case nil: Self.ample
    }
  }

  private func profile(named name: Name) -> LinkProfile? {
    let links = draft.links
    if let own = links.profileNumbers[name.text] {
      draft.links.used.insert(name.text)
      return links.profiles[own].profile
    }
    if let preset = LinkPreset.all.first(where: { $0.name == name.text }) { return preset.profile }
    if draft.faults.links { return nil }
    if name.text.first?.isNumber == true, (try? BitRate(text: name.text)) != nil {
      name.report("'\(name.text)' is a rate and no link: write '{capacity: \(name.text)}'")
      return nil
    }
    let names = links.profiles.prefix(Suggestion.limit).map(\.name)
    // Presets have a folder before their names: `lte` means `nlc/lte`.
    let preset = LinkPreset.all.first { $0.name.hasSuffix("/\(name.text.lowercased())") }?.name
    let nearest = preset ?? Suggestion.nearest(to: name.text, among: names + LinkPreset.all.map(\.name))
    let own = (["ample"] + names).joined(separator: ", ")
    let hint =
      nearest.map { "did you mean '\($0)'?" }
      ?? "expected one of \(own) or another preset of 'meetsim list links'"
    name.report("there is no link '\(name.text)': \(hint)")
    return nil
  }

  private func profile(_ own: Entry<LinkSection>) -> LinkProfile? {
    let capacity = capacity(own)
    var parameters = own.parameters
    if let capacity { parameters.capacity = capacity }
    switch own.loss {
    case .independent(let share): parameters.loss = share
    case .bursts(let model): parameters.burstLoss = model
    case nil: break
    }
    if let limit = own.queue?.limit { parameters.queueLimit = limit }
    if let discipline = own.queue?.discipline { parameters.discipline = discipline }
    if parameters.bucket != nil, !parameters.discipline.isDropTail {
      own.queue?.fields?.report(
        nil, "queue: a link with a bucket drops at the tail only: remove 'bucket' or 'discipline'")
    }
    return capacity == nil ? nil : LinkProfile(parameters)
  }

  private func capacity(_ own: Entry<LinkSection>) -> CapacityProfile? {
    guard own.states("trace") else {
      if !own.states("capacity"), !own.fields.reportsOther(for: "capacity") {
        let subject = own.fields.subject
        own.report("\(subject) needs 'capacity', such as 'capacity: 2400 kbps', or 'trace'")
      }
      return own.capacity
    }
    if own.states("capacity") {
      own.report(at: "capacity", "\(own.fields.subject) has both 'capacity' and 'trace': keep one")
    }
    guard let name = own.trace else { return nil }
    let path = name.text
    do {
      let bytes = try FileReader.expandedBytes(of: reading.path(of: path), limit: FileReader.traceLimit)
      let columns = own.columns?.values.columns ?? TraceColumns()
      let file = try TraceFile(bytes: bytes, format: own.format, columns: columns, continuation: own.afterEnd)
      draft.files.add(bytes, at: path)
      for doubt in file.doubts { reading.warn(name.field.node, "trace '\(path)': \(doubt)") }
      return CapacityProfile(.trace(file.trace))
    } catch let error as CapacityTraceError {
      reading.report(name.field.node, "trace '\(path)', line \(error.line): \(error)")
    } catch {
      name.report("\(error)")
    }
    return nil
  }
}
