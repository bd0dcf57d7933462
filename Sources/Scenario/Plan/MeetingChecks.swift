import Ladder
import Layout
import Plan
import Quantity
import Systems
import YAML

/// Checks that need the whole meeting.
struct MeetingChecks: PlanReader {
  let draft: MeetingDraft

  func run() {
    checkSpeech()
    checkGates()
    checkPins()
    checkContainers()
    checkDecoderLimits()
  }

  /// Reports participants who speak before they join, and warns of those who publish no audio.
  private func checkSpeech() {
    for entry in draft.timeline {
      guard let number = entry.participant, case .speaks = entry.action else { continue }
      let participant = participants[number]
      if !participant.publishesAudio {
        reading.warn(
          draft.people.declarations[number].node,
          "'\(participant.id)' publishes no audio: 'speaks' has no effect; remove it, or publish audio")
      }
      guard entry.at < participant.joinsAt else { continue }
      reading.report(
        draft.people.declarations[number].node,
        "'\(participant.id)' speaks at \(entry.at.sinceStart) but joins at \(participant.joinsAt.sinceStart): change "
          + "one of the times")
    }
  }

  /// Warns of requests above 360p by viewers whose 720p gate never opens.
  private func checkGates() {
    var isOpen = participants.map { $0.capabilities.receives720p ?? system.traits.receives720p }
    for entry in draft.timeline {
      if let viewer = entry.participant, case .client(.receive720p(true)) = entry.action {
        isOpen[viewer] = true
      }
    }
    for request in draft.statements.largeRequests {
      guard let viewer = request.viewers.first(where: { !isOpen[$0] }), let gate = gate(of: viewer) else {
        continue
      }
      reading.warn(
        request.node,
        "'\(participants[viewer].id)' requests more than 360p behind a closed 720p gate, which limits it to "
          + "\(gate.lines)p: add 'capabilities: {receive-720p: true}', or open the gate in the timeline")
    }
  }

  /// Warns of decode limits of participants that watch nothing.
  private func checkDecoderLimits() {
    var last = ""
    for (participant, declaration) in zip(participants, draft.people.declarations)
    where participant.capabilities.decode != nil && participant.view == nil && declaration.name != last {
      last = declaration.name
      reading.warn(
        declaration.node, "'\(participant.id)' has no view: 'decode' has no effect; add a view, or remove it")
    }
  }

  // MARK: Containers

  /// Warns of containers whose tiles are requested although they are initially off the screen.
  private func checkContainers() {
    guard !draft.faults.system else { return }
    // Viewers that share a view are identical.
    for (node, viewers) in draft.statements.containers
    where viewers.first.map({ ignores(.scrolling, participants[$0].view) && hasTilesOffScreen($0) }) ?? false
    {
      reading.warn(
        node,
        "container: policy '\(system.name)' takes no notice of scrolling: tiles off the screen are asked for all the same"
      )
    }
  }

  private func hasTilesOffScreen(_ viewer: Int) -> Bool {
    guard let view = participants[viewer].view, case .container(let container) = view.arrangement else {
      return false
    }
    let others = participants.indices.filter { $0 != viewer && participants[$0].camera != nil }
    let members = (container.hasOwnTile ? [viewer] : []) + others
    let sizes = members.map { member in
      view.ownSizes.first { $0.participant == participants[member].id }?.size ?? container.tile
    }
    let tiles = container.tiles(sizes.map { (Double($0.width), Double($0.height)) })
    return zip(members, tiles).contains { member, tile in
      member != viewer && (tile.x >= view.screen.width || tile.y >= view.screen.height)
    }
  }

  // MARK: Pins

  /// Warns of pins without effect, once for each view and once for each viewer's actions. A participant on the stage
  /// needs no pin.
  private func checkPins() {
    var told: Set<Int> = []
    for stated in draft.statements.pins {
      guard let viewer = stated.viewers.first(where: { !told.contains($0) && ignoresPins($0) }),
        let view = participants[viewer].view
      else { continue }
      let ids = stated.pinned.map { participants[$0].id }.filter { $0 != view.stage?.participant }
      guard !ids.isEmpty else { continue }
      told.formUnion(stated.viewers)
      if case .signals = view.arrangement {
        reading.warn(stated.node, "pin: has no effect beside 'signals', which say what is asked for")
        continue
      }
      let pins = has(call: "layout") ? "has pins in built-in layouts only" : "has no pins"
      let names = ids.map { "'\($0)'" }.enumeration
      reading.warn(
        stated.node,
        "pin: policy '\(system.name)' \(pins): \(names) \(ids.count == 1 ? "is" : "are") asked for like any tile"
      )
    }
  }

  /// Checks whether a viewer's pins never count; they do in a built-in layout, to which an app without custom layouts
  /// falls back.
  private func ignoresPins(_ viewer: Int) -> Bool {
    guard !draft.faults.system, let view = participants[viewer].view else { return false }
    switch view.arrangement {
    case .signals: return true
    case .layout: return false
    case .request, .grid, .tiles, .everybody, .container: break
    }
    guard system.traits.ignoredNotions.contains(.pins), participants[viewer].capabilities.customLayout else {
      return false
    }
    return !draft.timeline.contains { entry in
      guard entry.participant == viewer, case .client(.layout(.some)) = entry.action else { return false }
      return true
    }
  }
}
