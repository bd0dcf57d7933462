import Endpoint
import Ladder
import Media
import Plan
import Quantity
import SimulationKernel
import Systems

/// The sizes and frame rates of a source's encodings: the ladder within its app's settings and its receivers' requests.
extension SourceState {
  /// Changes the sender's parameters; the encodings follow the uplink when they are next fitted to it.
  mutating func set(
    _ change: SendChange, _ encoders: inout Table<EncoderState>, _ sizes: inout PictureSizes, at now: SimTime
  ) {
    sender.settings.apply(change)
    sender.changedAt = now
    if let capture = change.capture { setCapture(capture.format) }
    let isOtherPreference = change.degradation.map { $0 != plan.degradation } ?? false
    if let degradation = change.degradation { plan.degradation = degradation }
    reconfigure(&encoders, &sizes, renewing: isOtherPreference)
    refreshSending(&encoders)
  }

  /// Restores the parameters with which the source is published, for a new call.
  private mutating func resetParameters(_ encoders: inout Table<EncoderState>, _ sizes: inout PictureSizes) {
    guard sender.settings.areSet else { return }
    sender.settings = SenderSettings()
    setCapture(sender.published.capture)
    plan.degradation = sender.published.degradation
    reconfigure(&encoders, &sizes, renewing: false)
  }

  private mutating func setCapture(_ format: VideoFormat) {
    plan.capture = format
    capture.period = SimDuration(milliFramesPerSecond: format.milliFramesPerSecond)
  }

  /// Applies the app's settings to the sizes, rates and states of the encodings.
  ///
  /// An encoding of another size or frame rate begins with a key frame: libwebrtc creates a new encoder for another
  /// size (`video_stream_encoder.cc`, RequiresEncoderReset); for another frame rate [our model].
  ///
  /// - Parameter isRenewed: `true` to replace the encoders whatever their formats.
  mutating func reconfigure(
    _ encoders: inout Table<EncoderState>, _ sizes: inout PictureSizes, renewing isRenewed: Bool
  ) {
    guard layering == nil else {
      setLayers(requestedLayers, &encoders, &sizes)
      return
    }
    let before = plan.ladder
    let isCustom = capture.kind == .custom
    let settings = sender.settings
    let capture = plan.capture
    let (ladder, off) = settings.confine(
      settings.ladder(of: sender.base, forOwnFrames: isCustom),
      to: capture.resolution, among: sender.base, leastShare: sender.parameters.leastShare)
    plan.ladder = ladder
    sender.off = off
    applyDemand()
    if ladder != before { simulcast.allocator = plan.allocator }
    guard !isCustom else {
      return setSizes(&encoders, &sizes, frame: custom.frame, isTurned: custom.isTurned)
    }
    for (index, encoding) in ladder.encodings.enumerated() {
      let number = encodings.lowerBound + index
      encoders[number].decimation = FrameDecimation(
        captured: capture.milliFramesPerSecond, limit: encoding.format.milliFramesPerSecond)
      let isOther = encoding.format != before.encodings[index].format
      guard isOther || isRenewed else {
        encoders[number].set(encoding, renewed: nil)
        continue
      }
      renew(&encoders[number], to: encoding, size: encoding.format.resolution, &sizes)
      encoders[number].keyFrames.isRequested = encoders[number].isSending
    }
    refreshLadder(&encoders)
  }

  /// Replaces the encoder of an encoding.
  ///
  /// - Parameter size: size of its pictures, turned if they are.
  func renew(
    _ encoder: inout EncoderState, to encoding: Encoding, size: Resolution, _ sizes: inout PictureSizes
  ) {
    encoder.set(encoding, renewed: (plan.model(of: encoding), sizes.number(of: size)))
  }

  // MARK: Layers of a scalable source

  /// Follows the greatest height that receivers request [px].
  ///
  /// - Returns: `true` if its layers have changed.
  mutating func followRequests(
    _ lines: Int?, _ encoders: inout Table<EncoderState>, _ sizes: inout PictureSizes
  ) -> Bool {
    guard let lines, plan.layersAtHeight != nil else { return false }
    sender.requestedLines = lines
    return setLayers(requestedLayers, &encoders, &sizes)
  }

  /// Layers of a scalable source for its capture, its app's settings and the height that receivers request.
  private var requestedLayers: Ladder {
    let settings = sender.settings
    let capture = settings.confined(plan.capture)
    var layers =
      sender.requestedLines.flatMap { plan.layersAtHeight?(capture, $0) }
      ?? plan.fit?(capture) ?? sender.base
    if let most = settings.maximum.rate { layers.limit(to: most) }
    return layers
  }

  /// Sets the layers of a scalable source, at most as many as it has. Layers above them keep their places, and are off.
  ///
  /// Layers of other sizes or another number restart the encoder with a key picture (libwebrtc's
  /// `video_stream_encoder.cc`, RequiresEncoderReset), and those of another frame rate too [our model]. The quality
  /// scaler stays off with one spatial layer too, although libwebrtc lets it shrink pictures of more than 320x180 then
  /// [our model].
  ///
  /// - Returns: `true` if they differ from the current ones.
  @discardableResult
  mutating func setLayers(
    _ layers: Ladder, _ encoders: inout Table<EncoderState>, _ sizes: inout PictureSizes
  ) -> Bool {
    let before = plan.ladder
    var whole = sender.base
    let count = layers.encodings.count
    let above = EncodingSet(first: encodings.count).subtracting(EncodingSet(first: count))
    let off = above.union(sender.settings.off(of: encodings.count))
    guard count <= whole.encodings.count, let split = layers.split else { return false }
    whole.encodings.replaceSubrange(..<count, with: layers.encodings)
    whole.split = split
    guard whole != before || off != sender.off else { return false }
    let isRenewed =
      split.layerCount != layering?.split.layerCount
      || zip(whole.encodings, before.encodings).contains { $0.format != $1.format }
    plan.ladder = whole
    sender.off = off
    applyDemand()
    layering?.split = split
    for (index, encoding) in layers.encodings.enumerated() {
      let number = encodings.lowerBound + index
      encoders[number].decimation = FrameDecimation(
        captured: plan.capture.milliFramesPerSecond,
        limit: encoding.format.milliFramesPerSecond)
      guard isRenewed else {
        encoders[number].set(encoding, renewed: nil)
        continue
      }
      renew(&encoders[number], to: encoding, size: encoding.format.resolution, &sizes)
      encoders[number].keyFrames.isRequested = encoders[number].isSending
    }
    for encoding in encodings.dropFirst(count) { encoders[encoding].scale = 0 }
    refreshSending(&encoders)
    refreshLadder(&encoders)
    return true
  }

  // MARK: Calls and connections

  /// Begins a new call with new encoders.
  mutating func restart(_ encoders: inout Table<EncoderState>, _ sizes: inout PictureSizes) {
    beginCall()
    plan.sendsOneEncoding = false
    resetParameters(&encoders, &sizes)
    if layering != nil { setLayers(sender.base, &encoders, &sizes) }
    capture.dueAt = nil
    simulcast = SimulcastState(plan)
    layering = LayeringState(plan)
    for (number, encoding) in zip(encodings, plan.ladder.encodings) {
      if capture.kind != .custom { encoders[number].model = plan.model(of: encoding) }
      encoders[number].output.hasRepaired = false
      if let recording = plan.recordedFrames { encoders[number].recordedRow = recording.start }
    }
  }

  /// Begins to send over another connection, with new encoders: to a peer as a single encoding, unless the stream is
  /// scalable.
  mutating func changeConnection(
    _ encoders: inout Table<EncoderState>, _ sizes: inout PictureSizes, isToPeer: Bool, at now: SimTime
  ) {
    plan.sendsOneEncoding = isToPeer && layering == nil
    simulcast = SimulcastState(plan)
    sender.connectedAt = now
    applyDemand()
    renewEncoders(&encoders, &sizes)
    refreshSending(&encoders)
  }

  /// Replaces the encoders, which begin with key frames.
  private mutating func renewEncoders(_ encoders: inout Table<EncoderState>, _ sizes: inout PictureSizes) {
    if custom.frame != nil {
      setSizes(&encoders, &sizes, frame: custom.frame, isTurned: custom.isTurned)
    } else {
      for (number, encoding) in zip(encodings, plan.ladder.encodings) {
        renew(&encoders[number], to: encoding, size: encoding.format.resolution, &sizes)
        encoders[number].rates.follow(encoding, source: pushedRate)
      }
    }
    for number in encodings {
      encoders[number].output.hasRepaired = false
      encoders[number].keyFrames.isRequested = true
    }
  }
}
