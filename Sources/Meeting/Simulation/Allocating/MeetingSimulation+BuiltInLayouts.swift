import Allocation
import Ladder
import Media
import Metrics
import Quantity
import SimulationKernel

/// BlueJeans' built-in layouts: who sits where, and who is on the main stage.
extension MeetingSimulation {
  /// What a built-in layout asks for with the present number of others.
  func builtInRequest(_ layout: BuiltInLayout, of number: Int) -> [StreamRequest] {
    layout.request(
      remoteParticipants: remotesWithCamera(of: number).count,
      receives720p: plan.participants[number].capabilities.receives720p)
  }

  func remotesWithCamera(of number: Int) -> [Int] {
    participants.indices.filter { $0 != number && participants[$0].isJoined && cameraOf[$0] != nil }
  }

  /// Seats people anew in a viewer's built-in layout, if it has one.
  mutating func reseat(viewer number: Int, kernel: inout Kernel) {
    let layout = participants[number].isJoined ? viewers[number]?.builtIn : nil
    if screens[number].layout != layout {
      screens[number].layout = layout
      screens[number].seats = []
      screens[number].stage = nil
    }
    guard let layout else { return }
    screens[number].seats = LayoutSeats.reseat(
      screens[number].seats, order: seatOrder(of: number, kernel.now),
      capacity: builtInRequest(layout, of: number).count, hasMainStage: layout.hasMainStage)
    if layout.hasMainStage { updateStage(of: number, kernel: &kernel) }
  }

  /// Pinned people by the time of their pin, then the order of speakers.
  private func seatOrder(of number: Int, _ now: SimTime) -> [Int] {
    let remotes = remotesWithCamera(of: number).filter { isCapturing($0) }
    let pinned = screens[number].pins.filter(remotes.contains)
    let rest = remotes.filter { !pinned.contains($0) }
    return pinned + slotOrder(of: rest, now) { picture(of: $0, at: number) != nil }
  }

  /// The picture that a viewer receives of somebody's camera now.
  private func picture(of participant: Int, at viewer: Int) -> Resolution? {
    guard let source = cameraOf[participant] else { return nil }
    let track = trackNumber(viewer: viewer, source: source)
    guard tracks[track].target != .none, tracks[track].status.isDecodable, tracks[track].format != .max
    else { return nil }
    return formats[Int(tracks[track].format)]
  }

  // MARK: Main stage

  mutating func checkStage(of number: Int, kernel: inout Kernel) {
    screens[number].hasStageCheck = false
    guard screens[number].layout?.hasMainStage == true else { return }
    updateStage(of: number, kernel: &kernel)
  }

  /// Looks whether the most important person may come on the stage, and looks again later if not yet.
  private mutating func updateStage(of number: Int, kernel: inout Kernel) {
    guard case .bluejeans(let parameters) = plan.policy else { return }
    let screen = screens[number]
    let wanted = screen.seats.first ?? nil
    let stage = MainStage.next(
      present: screen.stage.flatMap { screen.seats.contains($0) ? $0 : nil },
      wanted: wanted.map {
        MainStage.Candidate(
          participant: $0, picture: picture(of: $0, at: number), isPinned: screen.pins.contains($0))
      })
    if stage != screen.stage, let layout = screen.layout {
      screens[number].stage = stage
      let request = builtInRequest(layout, of: number)
      if let stage {
        recorder.record(
          EventRow(
            participant: number, event: "main-stage", detail: plan.participants[stage].id,
            result: "ok"), at: kernel.now)
      }
      for case let (seat, person?) in screen.seats.enumerated() {
        guard let source = cameraOf[person] else { continue }
        let tile = seatTile(of: number, seat: seat, request)
        wishes[trackNumber(viewer: number, source: source)]?.tile = tile
      }
    }
    guard stage != wanted, !screens[number].hasStageCheck else { return }
    screens[number].hasStageCheck = true
    kernel.schedule(after: parameters.mainStagePoll, tag: MeetingEvent(.stageCheck, number).tag)
  }

  /// The size of a seat's tile: on a main stage the person there has the large one, elsewhere it is the quality's.
  func seatTile(of number: Int, seat: Int, _ request: [StreamRequest]) -> Resolution? {
    let screen = screens[number]
    guard screen.layout?.hasMainStage == true else { return request[seat].quality?.resolution }
    let isLarge = screen.stage.map { screen.seats[seat] == $0 } ?? (seat == 0)
    return isLarge ? request.first?.quality?.resolution : .p90
  }
}
