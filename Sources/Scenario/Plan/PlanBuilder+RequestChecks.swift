import Ladder
import Plan
import Systems
import YAML

/// Errors and likely mistakes in stream requests.
extension PlanBuilder {
  /// Reports a request that names its own viewer, or the moderator in two ways.
  ///
  /// - Parameter viewers: all participants with this view.
  func checkSubjects(
    of entries: [StreamRequest], at node: Node, _ viewers: Range<Int>, _ fields: Fields
  ) {
    var ids: Set<String> = []
    for entry in entries {
      if case .participant(let id) = entry.subject { ids.insert(id) }
    }
    for viewer in viewers where ids.contains(participants[viewer].id) {
      let id = participants[viewer].id
      fields.report(
        node,
        "request: '\(id)' cannot request itself: "
          + (viewers.count > 1
            ? "give '\(id)' an entry with a view of its own" : "name another participant"))
      return
    }
    let effect =
      has(.layouts)
      ? "the request fails with '\(CallResult.noParticipantsWithIds.rawValue)', and nothing of it is shown"
      : "the entry stays empty"
    if let silent = participants.first(where: { ids.contains($0.id) && $0.camera == nil }) {
      reading.warn(node, "request: '\(silent.id)' has no camera: \(effect); name another participant")
    }
    guard entries.contains(where: { $0.subject == .moderator }) else { return }
    let moderators = participants.filter(\.isModerator).sorted { $0.joinsAt < $1.joinsAt }.map(\.id)
    if let only = moderators.first, moderators.count == 1, ids.contains(only) {
      fields.report(
        node, "request: '\(only)' is requested twice: it is the moderator, whom '@moderator' means too")
    }
    if let first = moderators.first, let viewer = viewers.first(where: { participants[$0].id == first }) {
      reading.warn(
        node,
        "request: '@moderator' means the moderator who is there first, who is '\(participants[viewer].id)' itself: "
          + "\(effect); name another participant")
    }
  }

  /// Checks whether the system's requests can ask for a format; if not, reports an error in a view, or warns
  /// that a call will fail.
  func checkQuality(
    _ format: VideoFormat, at node: Node, _ text: String, _ entry: Fields, isCall: Bool
  ) -> Bool {
    let known = faults.system ? [] : type(of: system).description.qualities
    guard !known.isEmpty, !known.contains(format) else { return true }
    let message =
      "quality: policy '\(system.name)' has no '\(text)', only \(known.map(\.description).enumeration)"
    if isCall {
      reading.warn(node, message + ": the call fails with '\(CallResult.invalidStreamQuality.rawValue)'")
    } else {
      entry.report(node, message)
    }
    return false
  }

  /// Notes a view or a call that requests more than 360p.
  func noteLargeRequest(_ sizes: [Resolution], at node: Node, of viewers: Range<Int>) {
    guard sizes.contains(where: { $0.lines > Resolution.p360.lines }) else { return }
    largeRequests.append((node, viewers))
  }

  /// Warns of decoder limits of participants that watch nothing.
  func checkDecoderLimits() {
    var last = ""
    for (participant, declaration) in zip(participants, declarations)
    where participant.capabilities.decode != nil && participant.view == nil && declaration.name != last {
      last = declaration.name
      reading.warn(
        declaration.node, "'\(participant.id)' has no view: 'decode' has no effect; add a view, or remove it")
    }
  }

  /// Warns of requests above 360p by viewers whose 720p gate never opens.
  func checkGates() {
    var isOpen = participants.map { $0.capabilities.receives720p ?? system.traits.receives720p }
    for entry in timeline {
      if let viewer = entry.participant, case .client(.receive720p(true)) = entry.action {
        isOpen[viewer] = true
      }
    }
    for request in largeRequests {
      guard let viewer = request.viewers.first(where: { !isOpen[$0] }), let gate = gate(of: viewer) else {
        continue
      }
      reading.warn(
        request.node,
        "'\(participants[viewer].id)' requests more than 360p behind a closed 720p gate, which limits it to "
          + "\(gate.lines)p: add 'capabilities: {receive-720p: true}', or open the gate in the timeline")
    }
  }

  /// Returns the smallest picture to which a closed gate limits a camera that a viewer may see; `nil` if it limits
  /// none.
  func gate(of viewer: Int) -> Resolution? {
    guard let smallest = gates.first(where: { $0.publisher != viewer }) else { return .p360 }
    return smallest.size
  }

  /// Returns each camera's limit behind a closed gate, smallest first; `nil` for a camera that is not limited.
  func gatesOfCameras() -> [(publisher: Int, size: Resolution?)] {
    let gates = participants.indices.compactMap { publisher -> (publisher: Int, size: Resolution?)? in
      guard let camera = participants[publisher].camera else { return nil }
      let sizes = camera.ladder.encodings.map(\.format.resolution)
      let gate = system.gate(of: sizes.first)
      return (publisher, gate == .p360 || sizes.contains { $0.lines > gate.lines } ? gate : nil)
    }
    return gates.sorted { ($0.size?.lines ?? .max, $0.publisher) < ($1.size?.lines ?? .max, $1.publisher) }
  }
}

extension [StreamRequest] {
  /// Requested sizes.
  var sizes: [Resolution] { compactMap { $0.quality?.resolution } }
}
