import Files
import Ladder
import Parameters
import Plan
import Quantity
import Systems
import Vendors
import YAML

/// Sources that list what they send: an encoder's recording, layers or levels.
extension SourceReader {
  /// Reports capture keys beside a list that replaces them.
  private func reportOthers(_ own: Entry<SourceSection>, but form: SourceSection.Form, _ reason: String) {
    for key in SourceSection.Form.captured.keys where !form.keys.contains(key) && own.states(key) {
      own.report(atKey: key, "\(key): \(reason): remove '\(key)', or '\(form.required)'")
    }
  }

  // MARK: Recordings

  /// Reads a camera's `frames`.
  func recordedCamera(_ camera: Entry<SourceSection>) -> VideoSourcePlan? {
    reportOthers(camera, but: .recorded, "recorded frames have their sizes and rates from their table")
    guard let own = camera.frames, let file = own.file, let table = frameTable(file), let fps = own.fps,
      let sizes = own.encodings, let columns = columns(of: sizes, in: table, file.text, own),
      let top = sizes.last
    else { return nil }
    guard own.start < table.count else {
      own.report(
        at: "start",
        "start: \(own.start) is beyond the table's last row: '\(file.text)' has \(table.count) frames, the first is 0"
      )
      return nil
    }
    let packet = own.packet.map { Int($0.bytes) } ?? RecordedFrames.usualPacketBytes
    let recording = RecordedFrames(table, columns: columns, start: own.start, packetBytes: packet)
    let milliFrames = Int((fps * 1000).rounded())
    var source = VideoSourcePlan(
      kind: .camera, capture: VideoFormat(top.size, milliFramesPerSecond: milliFrames),
      ladder: recording.ladder(sizes.map(\.size), milliFramesPerSecond: milliFrames),
      startsOn: camera.on ?? true)
    source.recordedFrames = recording
    return source
  }

  /// Reads the table in a file, once per file; an error is reported at its position in the table.
  private func frameTable(_ name: Name) -> FrameTable? {
    let path = name.text
    if let known = draft.files.frameTables[path] { return known }
    draft.files.frameTables[path] = .some(nil)
    let full = reading.path(of: path)
    do {
      let bytes = try FileReader.bytes(of: full, limit: FileReader.traceLimit)
      let table = try FrameTableReader.table(of: bytes)
      draft.files.add(bytes, at: path)
      draft.files.frameTables[path] = table
      return table
    } catch let error as FrameTableError {
      reading.report(FilePosition(file: full, line: error.line, column: error.column), error.message)
    } catch {
      name.report("\(error)")
    }
    return nil
  }

  /// Returns the columns of the encodings; `nil` unless encodings and columns correspond one to one.
  private func columns(
    of sizes: [NamedSize], in table: FrameTable, _ path: String, _ own: Entry<RecordingSection>
  ) -> [Int]? {
    let columns = sizes.map { table.encodings.firstIndex(of: $0.name) }
    for (size, column) in zip(sizes, columns) where column == nil {
      let known = table.encodings.joined(separator: ", ")
      reading.report(
        size.node, "encodings: '\(path)' has no column '\(size.name)_bytes': its encodings are \(known)")
    }
    for name in table.encodings where !sizes.contains(where: { $0.name == name }) {
      own.report(
        at: "encodings",
        "encodings: '\(path)' has a column '\(name)_bytes' too: add '\(name)' with its size, or remove the column"
      )
    }
    let found = columns.compactMap { $0 }
    return found.count == table.encodings.count && found.count == sizes.count ? found : nil
  }

  // MARK: Layers

  /// Reads a source's `layers`.
  func listedSource(_ own: Entry<SourceSection>, _ kind: VideoSourcePlan.Kind) -> VideoSourcePlan? {
    reportOthers(own, but: .listed, "listed layers have their own sizes and rates")
    guard let list = own.layers else { return nil }
    guard case .sequence(let nodes) = list.node, !nodes.isEmpty else {
      reading.report(
        list.node,
        "'layers' must be a list of entries such as '{encoding: 0, temporal: 0, size: 320x180, fps: 7.5, bitrate: "
          + "49500 bps}'")
      return nil
    }
    var layers: [Layer] = []
    var isScalable = false
    for node in nodes {
      guard let (layer, isSpatial) = self.layer(node) else { return nil }
      let name = isSpatial ? "spatial layer \(layer.id.encoding)" : "encoding \(layer.id.encoding)"
      if layers.contains(where: { $0.id == layer.id }) {
        let cure =
          isSpatial || Self.areNumbered(nodes)
          ? "keep one of them" : "number the encodings, from the smallest: 'encoding: 0', 'encoding: 1'"
        reading.report(node, "layers: \(name) has temporal layer \(layer.id.temporal) already: \(cure)")
        return nil
      }
      if let other = layers.first(where: { $0.id.encoding == layer.id.encoding }),
        other.format.resolution != layer.format.resolution
      {
        reading.report(
          node, "layers: \(name) has another size already: \(isSpatial ? "a layer" : "an encoding") has one")
        return nil
      }
      isScalable = isScalable || isSpatial
      layers.append(layer)
    }
    guard let mode = listedMode(own, layers, isScalable: isScalable) else { return nil }
    let listed = ListedLayers(layers, scalability: mode.spatialLayers > 1 ? mode : nil)
    let best = listed.layers.max { a, b in
      (a.format.resolution.pixels, a.format.milliFramesPerSecond)
        < (b.format.resolution.pixels, b.format.milliFramesPerSecond)
    }
    guard let best else { return nil }
    if let obstacle = listed.obstacle, draft.purpose != .decision {
      let text =
        "layers: \(obstacle): no encoder here sends such layers, so only 'meetsim allocate' takes them"
      if draft.purpose == .run { reading.report(list.node, text) } else { reading.warn(list.node, text) }
    }
    var plan = VideoSourcePlan(
      kind: kind, capture: best.format, ladder: listed.ladder, startsOn: own.on ?? true)
    plan.listedLayers = listed
    if let mode = listed.scalability {
      plan.codec = own.coding.codec ?? .vp9
      plan.ladder.split = ScalableRateSplit(codec: plan.codec, listed: plan.ladder.encodings, mode: mode)
      if kind == .screen, draft.purpose != .decision, let obstacle = mode.sharingObstacle(in: plan.codec) {
        reading.report(
          list.node, "layers: these are \(obstacle): list one temporal layer each, or add 'codec: av1'")
        return nil
      }
    }
    // The listed rate replaces libwebrtc's maximum for the size.
    if plan.hasOneEncoding { plan.maximum = plan.ladder.encodings[0].bitrate }
    return plan
  }

  /// Returns the mode of listed layers, one with a single spatial layer for encodings; `nil` if an error was reported.
  private func listedMode(
    _ own: Entry<SourceSection>, _ layers: [Layer], isScalable: Bool
  ) -> ScalabilityMode? {
    guard isScalable else {
      for key in ["codec", "scalability-mode"] where own.states(key) {
        own.report(atKey: key, "\(key): listed encodings are simulcast: remove it, or list spatial layers")
        return nil
      }
      return ScalabilityMode(spatial: 1, temporal: 1)
    }
    guard draft.faults.system || system.traits.forwarding.layerFilter != nil else {
      own.report(
        at: "layers",
        "layers: policy '\(system.name)' forwards no stream of several spatial layers: use one of the policies "
          + ScenarioSchema.scalablePolicies.joined(separator: ", "))
      return nil
    }
    if let codec = own.coding.codec, !codec.hasSpatialLayers {
      own.report(at: "codec", "codec: '\(codec.rawValue)' has no spatial layers: use 'vp9' or 'av1'")
      return nil
    }
    let spatial = 1 + (layers.map(\.id.encoding).max() ?? 0)
    let temporal = 1 + (layers.map(\.id.temporal).max() ?? 0)
    guard temporal <= 3 else {
      own.report(at: "layers", "layers: a scalable stream has at most three temporal layers")
      return nil
    }
    guard let mode = own.coding.mode else {
      return ScalabilityMode(spatial: spatial, temporal: temporal, prediction: .keyPictures)
    }
    guard mode.spatialLayers >= spatial, mode.temporalLayers >= temporal else {
      own.report(
        at: "scalability-mode",
        "scalability-mode: '\(mode.name)' has fewer layers than are listed, which are those of "
          + "'\(ScalabilityMode(spatial: spatial, temporal: temporal, prediction: mode.prediction).name)'")
      return nil
    }
    return mode
  }

  private func layer(_ node: Node) -> (layer: Layer, isSpatial: Bool)? {
    guard let own = Entry<LayerSection>(node, "layer", reading), let size = own.size, let rate = own.bitrate
    else { return nil }
    guard rate <= .megabits(1_000_000) else {
      own.report(at: "bitrate", "bitrate: \(rate) is too large: at most 1 Tbit/s")
      return nil
    }
    guard own.spatial == nil || own.encoding == 0 else {
      own.report(
        at: "encoding", "encoding: spatial layers are those of encoding 0, the only one of their stream")
      return nil
    }
    let layer = Layer(
      id: LayerID(encoding: own.spatial ?? own.encoding, temporal: own.temporal),
      format: VideoFormat(size, milliFramesPerSecond: Int(((own.fps ?? 0) * 1000).rounded())), bitrate: rate)
    return (layer, own.spatial != nil)
  }

  /// Checks whether any layer says to which encoding it belongs.
  private static func areNumbered(_ nodes: Node.Sequence) -> Bool {
    nodes.contains { node in
      guard case .mapping(let layer) = node else { return false }
      return layer["encoding"] != nil
    }
  }

  // MARK: Levels

  /// Reads a source's `levels`, which a controller chooses from.
  func levelledSource(_ own: Entry<SourceSection>, _ kind: VideoSourcePlan.Kind) -> VideoSourcePlan? {
    reportOthers(own, but: .levelled, "listed levels have their own sizes and rates")
    guard !draft.faults.system, let list = own.levels else { return nil }
    guard system.controller != nil else {
      let able = catalogue.systems.entries.filter { $0.system().controller != nil }.map { "'\($0.name)'" }
      own.report(
        atKey: "levels",
        "levels: policy '\(system.name)' orders no levels, only \(able.enumeration) does: write 'capture' "
          + "or 'layers'")
      return nil
    }
    let capture = self.capture(own, kind)
    guard case .sequence(let nodes) = list.node, !nodes.isEmpty else {
      reading.report(
        list.node,
        "'levels' must be a list of entries such as '{size: 1280x720, bitrate: 1.5 Mbps, qoe: 1200}'")
      return nil
    }
    var levels: [QualityLevel] = []
    for node in nodes {
      guard let level = self.level(node) else { return nil }
      if levels.contains(where: { $0.size == level.size && $0.bitrate == level.bitrate }) {
        reading.report(node, "levels: this size has a level of \(level.bitrate) already: keep one of them")
        return nil
      }
      levels.append(level)
    }
    let sizes = levels.sizes
    let limit = LayerSection.encodings.count
    guard let top = sizes.last, sizes.count <= limit else {
      reading.report(list.node, "levels: \(sizes.count) sizes: at most \(limit)")
      return nil
    }
    let rate = capture?.milliFramesPerSecond ?? 30_000
    var plan = VideoSourcePlan(
      kind: kind, capture: capture ?? VideoFormat(top, milliFramesPerSecond: rate),
      ladder: Ladder(levels: levels, milliFramesPerSecond: rate), startsOn: own.on ?? true)
    plan.levels = levels
    return plan
  }

  private func level(_ node: Node) -> QualityLevel? {
    guard let own = Entry<LevelSection>(node, "level", reading), let size = own.size, let rate = own.bitrate,
      let qoe = own.qoe
    else { return nil }
    guard rate > .zero, rate <= .megabits(1_000_000) else {
      own.report(at: "bitrate", "bitrate: \(rate) is out of range: above 0, at most 1 Tbit/s")
      return nil
    }
    return QualityLevel(size: size, bitrate: rate, qoe: qoe)
  }
}
