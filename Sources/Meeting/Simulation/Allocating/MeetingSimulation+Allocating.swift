import Allocation
import CongestionControl
import Ladder
import Media
import Metrics
import Network
import Quantity
import SimulationKernel
import Systems
import Transport

/// From wishes and a budget to what the SFU forwards.
extension MeetingSimulation {
  // MARK: When

  /// Something that may concern every viewer has changed.
  mutating func markViewersDirty(kernel: inout Kernel) {
    for viewer in viewers.indices where isViewer[viewer] { markDirty(viewer, kernel: &kernel) }
  }

  /// Somebody began to speak, which concerns the viewers whose slots depend on it.
  mutating func markSlotsDirty(kernel: inout Kernel) {
    let members = members(at: kernel.now)
    let sources = rosterSources
    for viewer in viewers.indices where isViewer[viewer] && viewers[viewer]?.pendingAllocation == nil {
      let roster = roster(for: viewer, members: members, sources: sources, at: kernel.now)
      guard viewers[viewer]?.client.dependsOnSpeakers(roster) == true else { continue }
      markDirty(viewer, kernel: &kernel)
    }
  }

  /// A viewer's streams are allocated anew after its client's reaction time, once for all that happens meanwhile.
  mutating func markDirty(_ viewer: Int, kernel: inout Kernel) {
    guard isViewer[viewer], let delay = viewers[viewer]?.client.reactionDelay else { return }
    allocate(viewer, after: delay, kernel: &kernel)
  }

  func isAllocationPending(_ viewer: Int) -> Bool { viewers[viewer]?.pendingAllocation != nil }

  mutating func allocate(_ viewer: Int, after delay: SimDuration, kernel: inout Kernel) {
    guard isViewer[viewer], !isAllocationPending(viewer) else { return }
    viewers[viewer]?.pendingAllocation = kernel.schedule(
      after: delay, tag: MeetingEvent(.allocate, viewer).tag)
  }

  /// As ``allocate(_:after:kernel:)``; a later call takes the place of an earlier one.
  mutating func debounce(_ viewer: Int, by delay: SimDuration, kernel: inout Kernel) {
    if let pending = viewers[viewer]?.pendingAllocation { kernel.cancel(pending) }
    viewers[viewer]?.pendingAllocation = kernel.schedule(
      after: delay, tag: MeetingEvent(.allocate, viewer).tag)
  }

  mutating func allocateDue(viewer number: Int, kernel: inout Kernel) {
    guard isViewer[number] else { return }
    viewers[number]?.pendingAllocation = nil
    let roster = roster(for: number, at: kernel.now)
    viewers[number]?.client.applyScreen(roster)
    allocate(viewer: number, roster, kernel: &kernel)
  }

  /// Estimators look at their paths; what changed enough is acted on.
  mutating func estimate(kernel: inout Kernel) {
    let now = kernel.now
    kernel.schedule(after: Self.estimatePeriod, tag: MeetingEvent(.estimate).tag)
    rankVoices(at: now)
    for number in participants.indices where participants[number].isJoined {
      observeCapacity(of: number, at: now)
      fitUplink(of: number, kernel: &kernel)
      updateUplinkDemand(of: number, at: now)
      guard isViewer[number] else { continue }
      let voices = voiceReserve(for: number)
      updateDownlinkDemand(of: number, voices: voices, at: now)
      let carried = videoBudget(of: Path.down(number), voices: voices, at: now)
      let budget = holdStreams(of: number, within: carried, voices: voices, at: now)
      viewers[number]?.budget = budget
      followBudget(of: number, budget: carried, kernel: &kernel)
      if viewers[number]?.takesUp(budget, by: reallocation, at: now) == true {
        allocate(viewer: number, kernel: &kernel)
      }
    }
  }

  /// Tells controllers without feedback what the paths carry.
  private mutating func observeCapacity(of number: Int, at now: SimTime) {
    guard !usesFeedback else { return }
    controllers.observe(Path.up(number), capacity: pathCapacity(participants[number].up, now), at: now)
    controllers.observe(Path.down(number), capacity: pathCapacity(participants[number].down, now), at: now)
  }

  /// The narrowest link of a path, as full packets find it; of a link that several participants share, each counts on an
  /// equal part.
  private mutating func pathCapacity(_ path: [UInt16], _ now: SimTime) -> BitRate {
    var narrowest = BitRate.unlimited
    for link in path {
      var capacity = capacities[Int(link)].capacity(at: now)
      let overhead = plan.links[Int(link)].parameters.overhead.bytes
      if overhead > 0 {
        let full = Double(PacketOverhead.largestRTPPacket + PacketOverhead.aroundRTP)
        capacity = capacity.scaled(by: full / (full + Double(overhead)))
      }
      let users = Int64(max(1, sharers[Int(link)]))
      narrowest = min(narrowest, BitRate(bitsPerSecond: capacity.bitsPerSecond / users))
    }
    return narrowest
  }

  /// Voices come before any video: what they may take on a viewer's way down.
  private func voiceReserve(for number: Int) -> BitRate {
    var others = 0
    for other in participants.indices where other != number && participants[other].isJoined {
      if plan.participants[other].publishesAudio, !participants[other].isAudioMuted { others += 1 }
    }
    let voices: Int =
      switch plan.audioForwarding {
      case .loudest(let limit): min(limit, others)
      case .all: others
      case .mixed: min(1, others)
      }
    return BitRate(bitsPerSecond: OpusVoice.wireRate.bitsPerSecond * Int64(voices))
  }

  // MARK: What

  /// Asks the policy and lets its decision take effect.
  mutating func allocate(viewer number: Int, kernel: inout Kernel) {
    allocate(viewer: number, roster(for: number, at: kernel.now), kernel: &kernel)
  }

  private mutating func allocate(viewer number: Int, _ roster: Roster, kernel: inout Kernel) {
    guard viewers[number] != nil else { return }
    let now = kernel.now
    let estimate = viewers[number]?.budget
    let carried = estimate ?? .unlimited
    let cap = min(plan.participants[number].capabilities.receiveCap ?? .unlimited, plan.system.receiveCap)
    let budget = min(carried, cap)
    viewers[number]?.actedBudget = estimate
    viewers[number]?.allowance = budget
    viewers[number]?.actedAt = now
    carryOut(viewers[number]?.client.arrange(roster) ?? [], of: number, kernel: &kernel)
    var wanted = viewers[number]?.client.wishes(roster) ?? []
    if askForLowStreams(wanted, by: number, kernel: &kernel) {
      wanted = viewers[number]?.client.wishes(self.roster(for: number, at: now)) ?? []
    }
    let given = policy.allocate(budget: carried, cap: cap, wishes: wanted)
    viewers[number]?.given = given.reduce(.zero) { $0 + ($1.layer?.bitrate ?? .zero) }
    noteDesires(wanted, viewer: number)
    var isWished = [Bool](repeating: false, count: sources.count)
    for (place, (wish, grant)) in zip(wanted, given).enumerated() {
      isWished[wish.source] = true
      apply(grant, wish: wish, rank: place + 1, viewer: number, budget: budget, kernel: &kernel)
    }
    for source in sources.indices where !isWished[source] {
      let track = trackNumber(viewer: number, source: source)
      guard wishes[track] != nil else { continue }
      wishes[track] = nil
      grants[track] = nil
      tracks[track].desiredEncoding = -1
      tracks[track].desiredRate = .zero
      viewers[number]?.client.drop(source: source)
      if tracks[track].target != .none {
        recorder.record(
          DecisionRow(
            viewer: number, source: source, rank: nil, rule: clientRule(of: number), budget: budget,
            wanted: "none", given: "none", previous: name(of: tracks[track].target, source: source),
            reason: "policy", missing: .zero),
          at: now)
      }
      retarget(viewer: number, source: source, to: .none, kernel: &kernel)
    }
  }

  /// The name of the type that decides for a viewer's client, as `decisions.csv` has it.
  private func clientRule(of number: Int) -> String {
    viewers[number].map { String(describing: type(of: $0.client)) } ?? ""
  }

  private mutating func apply(
    _ decided: Grant, wish: Wish, rank: Int, viewer number: Int, budget: BitRate, kernel: inout Kernel
  ) {
    let source = wish.source
    var grant = decided
    if let again = viewers[number]?.client.hold(&grant, of: wish, at: kernel.now),
      !isAllocationPending(number)
    {
      debounce(number, by: again - kernel.now, kernel: &kernel)
    }
    let track = trackNumber(viewer: number, source: source)
    let layer = grant.layer.map {
      CompactLayer(encoding: Int8($0.id.encoding), temporal: Int8($0.id.temporal))
    }
    let previous = grants[track]
    wishes[track] = wish
    grants[track] = grant
    if previous?.layer?.id != grant.layer?.id || previous?.limitation != grant.limitation || previous == nil {
      recorder.record(
        DecisionRow(
          viewer: number, source: source, rank: rank,
          rule: grant == decided ? policyRule : clientRule(of: number), budget: budget,
          wanted: wish.requested.description,
          given: grant.layer?.format.description ?? "none",
          previous: previous?.layer?.format.description ?? "none", reason: grant.limitation.rawValue,
          missing: grant.missing), at: kernel.now)
    }
    if layer != nil, tracks[track].wantedSince < 0 { tracks[track].wantedSince = kernel.now.nanoseconds }
    retarget(viewer: number, source: source, to: layer ?? .none, kernel: &kernel)
  }

  // MARK: Effect

  /// Changes what a viewer is to get of a source. Temporal layers change at once; another encoding begins with its
  /// next key frame, and until then the old one goes on.
  mutating func retarget(viewer: Int, source: Int, to layer: CompactLayer, kernel: inout Kernel) {
    let track = trackNumber(viewer: viewer, source: source)
    let old = tracks[track].target
    guard layer != old else { return }
    let first = sources[source].firstEncoding
    if tracks[track].isWaiting {
      tracks[track].isWaiting = false
      encodings[first + Int(old.encoding)].waiting -= 1
    }
    tracks[track].target = layer
    let current = tracks[track].current
    if layer == .none {
      if current.encoding >= 0 { stopForwarding(encoding: first + Int(current.encoding), to: viewer) }
      tracks[track].current = .none
      receivers[track].stop()
      tracks[track].stopReceiving()
      tracks[track].status = receivers[track].status
      repairs.missingOfTrack[track].removeAll()
    } else if layer.encoding == current.encoding {
      tracks[track].current.temporal = layer.temporal
    } else {
      if current == .none {
        receivers[track].begin(at: kernel.now)
        tracks[track].status = receivers[track].status
      }
      tracks[track].isWaiting = true
      encodings[first + Int(layer.encoding)].waiting += 1
      // On the way down only the base layer goes on, so that the downlink is relieved before the key frame.
      if current.encoding > layer.encoding { tracks[track].current.temporal = 0 }
      requestKeyFrame(of: first + Int(layer.encoding), kernel: &kernel)
    }
    updateWanted(source: source, kernel: &kernel)
  }

  private func name(of layer: CompactLayer, source: Int) -> String {
    sources[source].ladder.first {
      $0.id.encoding == Int(layer.encoding) && $0.id.temporal == Int(layer.temporal)
    }?.format.description ?? "none"
  }
}
