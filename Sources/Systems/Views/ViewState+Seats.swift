import Allocation
import Ladder
package import Quantity

/// Seats of a stream request or a built-in layout, and what the view requests for them.
extension ViewState {
  /// Returns the subscriptions of the built-in layout or, if none is selected, of the current stream request.
  ///
  /// - Parameter window: ``ClientTraits/recentSpeakerWindow``.
  func seatWishes(_ roster: Roster, recentSpeakers window: SimDuration) -> [Subscription] {
    layoutWishes(roster) ?? requestWishes(roster, recentSpeakers: window)
  }

  /// Returns the subscriptions of the built-in layout; `nil` if none is selected.
  private func layoutWishes(_ roster: Roster) -> [Subscription]? {
    guard let layout = builtIn.layout else { return nil }
    let request = layout.request(roster, receives720p: receives720p)
    let seats = builtIn.seating.seats
    var seated = wishes(for: request, seats, roster) { builtIn.seating.tile(ofSeat: $0, request) }
    noteGate(&seated, layout, roster)
    // A pinned participant is requested by name even when muted, but without video there is no seat to take.
    let others = roster.othersWithCamera
    let muted = pins.filter {
      others.contains($0) && !roster.isCapturing($0) && !seats.contains($0)
    }
    guard let first = request.first, !muted.isEmpty else { return seated }
    return seated + wishes(for: muted.map { _ in first }, muted, roster) { _ in nil }
  }

  /// Records the gate in subscriptions for which a layout requests less because the 720p gate is closed.
  private func noteGate(_ wishes: inout [Subscription], _ layout: BuiltInLayout, _ roster: Roster) {
    guard !receives720p else { return }
    let most = layout.request(roster, receives720p: true).compactMap(\.quality?.resolution.lines).max() ?? 0
    for place in wishes.indices {
      let lines = wishes[place].requested.resolution.lines
      if lines == stated.gate.size(of: nil).lines, most > lines {
        wishes[place].lower(by: "ReceiveGate", to: lines)
      }
    }
  }

  /// Returns the subscriptions of the current stream request.
  private func requestWishes(_ roster: Roster, recentSpeakers window: SimDuration) -> [Subscription] {
    let request = requests.sent
    let assigned = RequestAssignment.participants(
      for: request, roster, slots: requests.slots, recentSpeakers: window)
    return wishes(for: request, assigned, roster) { request[$0].quality?.resolution }
  }

  /// Returns one subscription per assigned entry; entries of a layout that has no seats yet get none.
  private func wishes(
    for request: [StreamRequest], _ assigned: [Int?], _ roster: Roster, tile: (Int) -> Resolution?
  ) -> [Subscription] {
    request.indices.compactMap { place -> Subscription? in
      guard place < assigned.count, let participant = assigned[place],
        let source = roster.members[participant].camera,
        let quality = request[place].quality
      else { return nil }
      var wish = roster.wish(
        for: source, quality, priority: request[place].priority, tile: tile(place))
      wish.minimum = request[place].minimum
      return wish
    }
  }

  /// Limits a subscription by the 720p gate, which applies to every picture except those of screen shares.
  func gated(_ wish: Subscription, _ roster: Roster) -> Subscription {
    guard !receives720p, !roster.sources[wish.source].isScreen else { return wish }
    var wish = wish
    wish.gate(at: stated.gate.size(of: wish.ladder.first?.format.resolution))
    return wish
  }

  /// Checks whether the view depends on the order of speakers.
  package func dependsOnSpeakers(_ roster: Roster) -> Bool {
    if windowFollowsSpeakers { return true }
    if let layout = builtIn.layout {
      return layout.hasMainStage
        || roster.members.count > layout.maximumSeats + 1
          && roster.othersWithCamera.count
            > layout.request(roster, receives720p: receives720p).count
    }
    guard case .request = arrangement else { return false }
    return requestDependsOnSpeakers(roster)
  }

  /// Checks whether the speaker order matters: it does not if all slots are equal, everybody has one, and no tile is
  /// limited.
  private func requestDependsOnSpeakers(_ roster: Roster) -> Bool {
    let request = requests.sent
    guard request.allSatisfy({ $0.subject != .slot || $0 == request.last }) else { return true }
    return roster.sources.indices.contains { number in
      let source = roster.sources[number]
      return source.participant != roster.viewer && source.isCapturing
        && roster.receptions[number].limitation != Limitation.none
    }
  }

  // MARK: Requests

  /// Returns the reason why a call with a request fails; `nil` if it succeeds.
  package func refusal(of entries: [StreamRequest], _ roster: Roster) -> StreamRequestFailure? {
    StreamRequestCheck.failure(
      of: entries.resolved(roster) ?? entries, isInMeeting: roster.isJoined,
      usesCustomLayout: builtIn.layout == nil && stated.allowsCustomLayout,
      hasVideoConnection: { id in
        roster.othersWithCamera.contains { roster.members[$0].id == id }
      })
  }

  /// Sends the app's request, if it has one and it is not refused, which replaces any other view. A request that names
  /// the moderator is not sent while there is none: the screen stays unchanged.
  private mutating func sendRequest(_ roster: Roster) {
    guard let resolved = requests.wanted.resolved(roster), builtIn.layout == nil else { return }
    if resolved != requests.taken {
      guard requests.refusal == nil else { return }
      requests.take(requests.wanted, resolved: resolved)
    }
    requests.send()
    plan.arrangement = .request(requests.wanted)
  }

  /// Sends the request, and reassigns the seats of the built-in layout, if any: pinned participants in pinning order,
  /// then by speaker order.
  ///
  /// - Parameter window: ``ClientTraits/recentSpeakerWindow``.
  package mutating func reseat(_ roster: Roster, recentSpeakers window: SimDuration) {
    let isJoined = roster.isJoined
    if isJoined {
      sendRequest(roster)
      requests.slots.update(for: requests.sent, roster, recentSpeakers: window)
    }
    let layout = isJoined ? builtIn.layout : nil
    builtIn.seating.choose(layout)
    guard let layout else { return }
    let remotes = roster.othersWithCamera.filter { roster.isCapturing($0) }
    let pinned = pins.filter(remotes.contains)
    let rest = SpeakerOrder.sorted(remotes.filter { !pinned.contains($0) }, roster, window: window) {
      roster.picture(of: $0) != nil
    }
    builtIn.seating.reseat(
      pinned + rest, capacity: layout.request(roster, receives720p: receives720p).count)
  }

  /// Makes the tiles' settings known to the SFU, and keeps the scroll within the content.
  package mutating func applyTiles(_ roster: Roster) {
    appliedTiles = tiles
    guard roster.isJoined, let end = maximumScroll(roster) else { return }
    scroll.course.clamp(to: end, at: roster.now)
  }
}
