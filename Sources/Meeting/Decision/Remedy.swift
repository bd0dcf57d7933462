import Allocation
package import CongestionControl
import CrossTraffic
package import Ladder
import Network
package import Plan
package import Quantity
package import Systems

/// A change to a meeting that may improve a tile.
package enum Remedy: Sendable {
  /// Adds `rate` to a link, given by its index, for the whole meeting.
  case capacity(BitRate, link: Int)
  /// Removes random loss and jitter from a link, given by its index.
  case lossless(link: Int)
  /// Removes the outages of links, given by their indices.
  case uninterrupted(links: [Int])
  /// Removes the cross traffic of a link, given by its index.
  case quiet(link: Int)
  /// Lifts the viewer's cap on what it receives.
  case noReceiveCap
  /// Opens the viewer's 720p gate.
  case open720p
  /// Removes the decode limit of the viewer's device.
  case unlimitedDecoder
  /// Limits the SFU to forwarding one voice.
  case oneVoice
  /// Lowers the priority of the viewer's request for a participant, given by its id.
  case lowPriority(String)
  /// Resizes the viewer's tile of a source, given by its name, or all its tiles if they have one size [pt].
  case tile(String, Resolution)
  /// Shows the given number of tiles at a time, starting with the first page.
  case pages(of: Int)
  /// Shows the stage without any tile beside it.
  case onlyStage
  /// Changes a setting of the system.
  case setting(SystemRelief)
  /// Changes the capture format of a source, given by its index, and the system's ladder for it.
  case capture(VideoFormat, source: Int)
  /// Replaces the estimator of all downlinks, or of all uplinks.
  case estimator(EstimatorConfiguration, isOfDownlinks: Bool)
  /// Makes several changes, of which at least two change something.
  case together([Remedy])

  /// Set for a change that shows fewer tiles at a time.
  package var hidesTiles: Bool {
    switch self {
    case .pages, .onlyStage: true
    default: false
    }
  }

  /// Returns the changed meeting; `nil` if there is nothing to change.
  package func applied(to plan: MeetingPlan, viewer: Int) -> MeetingPlan? {
    var changed = plan
    switch self {
    case .capacity(let rate, let link):
      guard let raised = plan.links[link].parameters.capacity.raised(by: rate) else { return nil }
      changed.links[link].parameters.capacity = raised
    case .lossless(let link):
      guard let lossless = plan.links[link].parameters.lossless else { return nil }
      changed.links[link].parameters = lossless
    case .uninterrupted(let links):
      let mended = links.compactMap { link in
        plan.links[link].parameters.uninterrupted.map { (link: link, parameters: $0) }
      }
      guard !mended.isEmpty else { return nil }
      for (link, parameters) in mended { changed.links[link].parameters = parameters }
    case .quiet(let link):
      changed.crossTraffic.removeAll { $0.link == link }
      guard changed.crossTraffic.count < plan.crossTraffic.count else { return nil }
    case .noReceiveCap:
      guard plan.participants[viewer].capabilities.receiveCap != nil else { return nil }
      changed.participants[viewer].capabilities.receiveCap = .unlimited
    case .open720p:
      guard !(plan.participants[viewer].capabilities.receives720p ?? plan.system.traits.receives720p) else {
        return nil
      }
      changed.participants[viewer].capabilities.receives720p = true
    case .unlimitedDecoder:
      guard plan.participants[viewer].capabilities.decode != nil else { return nil }
      changed.participants[viewer].capabilities.decode = nil
    case .oneVoice:
      guard case .loudest(let count) = plan.audioForwarding, count > 1 else { return nil }
      changed.audioForwarding = .loudest(1)
    case .lowPriority(let id):
      guard let view = changed.participants[viewer].view?.loweringPriority(of: id, in: plan) else {
        return nil
      }
      changed.participants[viewer].view = view
    case .tile(let name, let size):
      guard let view = plan.participants[viewer].view?.resizing(name, to: size) else { return nil }
      changed.participants[viewer].view = view
    case .pages(let count):
      guard let view = plan.participants[viewer].view?.paged(by: count) else { return nil }
      changed.participants[viewer].view = view
    case .onlyStage:
      guard let view = plan.participants[viewer].view?.onlyStage else { return nil }
      changed.participants[viewer].view = view
    case .setting(let relief):
      guard let system = relief.apply(plan.system) else { return nil }
      changed.system = system
    case .capture(let format, let source):
      guard changed.recapture(source, format) else { return nil }
    case .estimator(let estimator, let isOfDownlinks):
      guard estimator.name != (isOfDownlinks ? plan.downEstimator : plan.estimator).name else { return nil }
      if isOfDownlinks { changed.downEstimator = estimator } else { changed.estimator = estimator }
    case .together(let remedies):
      var count = 0
      for remedy in remedies {
        guard let next = remedy.applied(to: changed, viewer: viewer) else { continue }
        changed = next
        count += 1
      }
      guard count > 1 else { return nil }
    }
    return changed
  }
}

extension MeetingPlan {
  /// Returns the capture format of a source; `nil` if it is not a camera's or a screen's own, or the source's layers
  /// are listed explicitly.
  package func capture(of source: Int) -> VideoFormat? {
    guard let own = self.source(source, of: StreamNumbering(self)), own.kind != .custom,
      own.recordedFrames == nil, own.listedLayers == nil, own.levels == nil
    else { return nil }
    return own.capture
  }

  /// Returns the rate of a source's encodings, or layers, of at most so many lines, at least of the lowest.
  package func bitrate(of source: Int, upTo lines: Int) -> BitRate {
    let encodings = self.source(source, of: StreamNumbering(self))?.ladder.encodings ?? []
    let count = max(encodings.count { $0.format.resolution.lines <= lines }, 1)
    return encodings.prefix(count).reduce(.zero) { $0 + $1.bitrate }
  }

  /// Changes the capture format of a source.
  ///
  /// - Returns: `true` if anything changes.
  fileprivate mutating func recapture(_ source: Int, _ format: VideoFormat) -> Bool {
    let streams = StreamNumbering(self)
    guard capture(of: source) != nil, var own = self.source(source, of: streams) else { return false }
    let scalable =
      own.ladder.scalability == nil
      ? nil : own.layersAtHeight?(format, format.resolution.lines) ?? own.fit?(format)
    let ladder =
      scalable
      ?? system.ladder(
        of: own.kind == .screen ? .screen : .camera, capture: format, clients: participants.count)
    guard format != own.capture || ladder != own.ladder else { return false }
    own.capture = format
    own.ladder = ladder
    own.otherLadder = nil
    own.pushedLadders = []
    own.firstFrame = nil
    let stream = streams.sources[source]
    if stream.isScreen {
      participants[stream.participant].screen = own
    } else {
      participants[stream.participant].camera = own
    }
    return true
  }
}

extension ViewPlan {
  /// Returns the size of a source's tile, given the source's name, or of all tiles if they have one size [pt]; `nil` if
  /// the view does not state it.
  package func tileSize(of name: String) -> Resolution? {
    if let stage, stage.source == name { return stage.size }
    switch arrangement {
    case .tiles(let tiles): return tiles.first { $0.source == name }?.size
    case .everybody(let size): return size
    case .request, .layout, .grid, .container, .signals: return nil
    }
  }

  /// Returns the view split into pages of `count` tiles; `nil` if it already has pages or has no tiles.
  fileprivate func paged(by count: Int) -> ViewPlan? {
    guard tilesPerPage == nil else { return nil }
    switch arrangement {
    case .tiles, .everybody: break
    case .request, .layout, .grid, .container, .signals: return nil
    }
    var view = self
    view.tilesPerPage = count
    return view
  }

  /// Checks whether a source, by its name, is on the stage.
  package func isStage(_ name: String) -> Bool { stage?.source == name }

  /// The view with its stage alone; `nil` for one without a stage, or with nothing beside it.
  fileprivate var onlyStage: ViewPlan? {
    guard stage != nil else { return nil }
    switch arrangement {
    case .tiles(let tiles) where tiles.isEmpty: return nil
    case .tiles, .everybody: break
    case .request, .layout, .grid, .container, .signals: return nil
    }
    var view = self
    view.arrangement = .tiles([])
    return view
  }

  /// Indicates whether all tiles have the same size.
  package var hasOneSize: Bool { if case .everybody = arrangement { true } else { false } }

  /// Returns the view with a tile resized; `nil` if that changes nothing.
  fileprivate func resizing(_ name: String, to size: Resolution) -> ViewPlan? {
    guard let before = tileSize(of: name), before != size else { return nil }
    var view = self
    if isStage(name) {
      view.stage?.size = size
      return view
    }
    switch arrangement {
    case .tiles(var tiles):
      for place in tiles.indices where tiles[place].source == name { tiles[place].size = size }
      view.arrangement = .tiles(tiles)
    case .everybody: view.arrangement = .everybody(size)
    case .request, .layout, .grid, .container, .signals: return nil
    }
    return view
  }
}

extension ViewPlan.TileSize {
  /// Name of the source shown.
  fileprivate var source: String {
    SourceName(owner: participant, isScreen: isScreenShare).description
  }
}

extension ViewPlan {
  /// Returns the view with the first request for a participant at low priority; `nil` if no request for it has a higher
  /// priority.
  fileprivate func loweringPriority(of id: String, in plan: MeetingPlan) -> ViewPlan? {
    guard case .request(var requests) = arrangement else { return nil }
    let moderator = plan.participants.first { $0.isModerator }?.id
    let place = requests.firstIndex { request in
      switch request.subject {
      case .participant(let subject): subject == id
      case .moderator: moderator == id
      case .slot: false
      }
    }
    guard let place, let priority = requests[place].priority, priority != .low else { return nil }
    requests[place].priority = .low
    var view = self
    view.arrangement = .request(requests)
    return view
  }
}
