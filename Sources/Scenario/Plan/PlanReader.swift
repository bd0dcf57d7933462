import Ladder
import Parameters
import Plan
import Systems
import Vendors
import YAML

/// A reader of one part of a scenario, which resolves names in the meeting read so far.
protocol PlanReader {
  var draft: MeetingDraft { get }
}

extension PlanReader {
  var reading: Reading { draft.reading }
  var catalogue: Catalogue { draft.reading.catalogue }
  var system: any System { draft.system }
  var participants: [ParticipantPlan] { draft.people.plans }

  /// Returns the index of a participant; `nil`, with an error reported, if there is none.
  func participant(_ name: Name?) -> Int? {
    guard let name else { return nil }
    let people = draft.people
    if let index = people.numbers[name.text] { return index }
    if draft.faults.explain(name.text) { return nil }
    let isGroup = people.declarations.contains { $0.name == name.text }
    let source = SourceName(name.text)
    let hint =
      if isGroup {
        "it is a group: name a member, such as '\(name.text)-1'"
      } else if source.isScreen, people.numbers[source.owner] != nil {
        "write '\(source.owner)': a screen share takes the stage by itself while it lasts"
      } else {
        Suggestion.nearest(to: name.text, among: Array(people.plans.prefix(40).map(\.id)))
          .map { "did you mean '\($0)'?" } ?? Suggestion.text(for: "", among: namesOfPeople)
      }
    name.report("there is no participant '\(name.text)': \(hint)")
    return nil
  }

  /// Ids of the participants; if there are many, groups appear as one name.
  private var namesOfPeople: [String] {
    let people = draft.people
    guard people.plans.count > 12 else { return people.plans.map(\.id) }
    var groups: [(name: String, ids: [String])] = []
    for (plan, declaration) in zip(people.plans, people.declarations) {
      if groups.last?.name == declaration.name {
        groups[groups.count - 1].ids.append(plan.id)
      } else {
        groups.append((declaration.name, [plan.id]))
      }
    }
    return groups.map { $0.ids.count > 1 ? "\($0.ids[0])…\($0.ids.count)" : $0.ids[0] }
  }

  /// Returns the id of a participant; `nil`, with an error reported, if there is none.
  func id(_ name: Name?) -> String? { participant(name).map { participants[$0].id } }

  /// Returns the source given by a name, `ID` or `ID/screen`; `nil`, with an error reported, if there is none.
  func source(_ name: Name?) -> SignalledSource? {
    guard let name else { return nil }
    let named = SourceName(name.text)
    guard named.isScreen, let owner = draft.people.numbers[named.owner]
    else { return participant(name).map { SignalledSource(participant: $0) } }
    guard participants[owner].screen != nil else {
      if draft.faults.sources.contains(owner) { return nil }
      name.report("'\(participants[owner].id)' has no screen share: add 'screen' to its 'publish'")
      return nil
    }
    return SignalledSource(participant: owner, isScreen: true)
  }

  /// Returns the index of a link; `nil`, with an error reported, if there is none.
  func link(_ name: Name?) -> Int? {
    guard let name else { return nil }
    let links = draft.links
    if let link = links.numbers[name.text] { return link }
    if draft.faults.explain(name.text) { return nil }
    let owner = String(name.text.prefix { $0 != "/" })
    if let number = links.profileNumbers[owner], let first = participants.first {
      let profile = links.profiles[number].profile
      let user =
        links.plans.first { $0.parameters == profile.down && $0.name.hasSuffix("/down") }
        ?? links.plans.first { $0.parameters == profile.down || $0.parameters == profile.up }
      name.report(
        "there is no link '\(name.text)', which is a profile that several may have: name a participant's link, such as "
          + "'\(user?.name ?? "\(first.id)/down")'")
      return nil
    }
    // For a participant's name, only the links on its own paths are listed.
    let own = draft.people.numbers[owner].map { participants[$0].up + participants[$0].down } ?? []
    let known = own.isEmpty ? links.plans.prefix(60).map(\.name) : own.map { links.plans[$0].name }
    name.report("there is no link '\(name.text)': \(Suggestion.text(for: name.text, among: known))")
    return nil
  }

  /// Checks whether the clients of the meeting's system declare a call; always `true` for an unknown system.
  func has(call name: String) -> Bool { draft.faults.system || type(of: system).description.has(call: name) }

  /// Returns the systems that declare a call, in quotes.
  func systems(calling name: String) -> [String] {
    catalogue.systems.names(calling: name).map { "'\($0)'" }
  }

  /// Returns the smallest picture to which a closed gate limits any camera that a viewer may see; `nil` if none is
  /// limited.
  func gate(of viewer: Int) -> Resolution? {
    guard let smallest = draft.gates.first(where: { $0.publisher != viewer }) else { return .p360 }
    return smallest.size
  }

  /// Reads `NAME` or `{name: NAME, …}`, in which the other keys are parameters of the named model.
  ///
  /// - Parameter namesOthers: `true` to say of a parameter that the model lacks which other models have it.
  func model<Model: RegistryEntry>(
    _ field: Field, among known: Registry<Model>, namesOthers: Bool = false
  ) -> (model: Model, settings: [ParameterSetting])? {
    var own: Fields?
    var name: Field? = field
    if case .mapping = field.node {
      own = Fields(field.node, "the \(field.key)", reading)
      name = own?.require("name", example: known.names.first ?? "").map { field.at($0.node) }
    }
    guard let name = name?.name else { return nil }
    guard let model = known[name.text] else {
      name.report("there is no '\(name.text)': \(Suggestion.text(for: name.text, among: known.names))")
      return nil
    }
    let settings = own?.settings(of: model.parameters) ?? []
    if namesOthers, let own { reportOthers(own, model, among: known) }
    own?.finish()
    return (model, settings)
  }
}

extension PlanReader {
  /// Reports parameters that a model lacks and others have.
  private func reportOthers<Model: RegistryEntry>(_ own: Fields, _ model: Model, among known: Registry<Model>)
  {
    for name in own.keys where name != "name" && !model.parameters.contains(where: { $0.key == name }) {
      let others = known.entries.filter { $0.parameters.contains { $0.key == name } }.map { "'\($0.name)'" }
      guard !others.isEmpty else { continue }
      let verb = others.count == 1 ? "has" : "have"
      own.know([name])
      own.report(own.key(name), "'\(model.name)' has no '\(name)', only \(others.enumeration) \(verb)")
    }
  }
}
