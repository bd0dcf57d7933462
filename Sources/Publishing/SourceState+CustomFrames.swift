import Endpoint
import Ladder
import Media
import Plan
import Quantity
import SimulationKernel
import Systems

/// The encodings of frames that an app produces itself.
extension SourceState {
  /// Changes between camera and custom frames.
  mutating func change(
    to kind: VideoSourcePlan.Kind, _ encoders: inout Table<EncoderState>, _ sizes: inout PictureSizes
  ) {
    capture.kind = kind
    custom.milliFramesPerSecond = 0
    custom.refuse()
    let pushed = sender.custom
    let own = sender.base
    setLadder(plan.otherLadder ?? pushed)
    if plan.otherLadder != nil { plan.otherLadder = kind == .camera ? pushed : own }
    setSizes(&encoders, &sizes, frame: kind == .camera ? plan.firstFrame : nil, isTurned: false)
    if sender.settings.areSet { reconfigure(&encoders, &sizes, renewing: true) }
  }

  /// Limits the offer to the rate at which frames are pushed now.
  ///
  /// - Returns: `true` if the rate has changed.
  mutating func followPushedRate(_ encoders: inout Table<EncoderState>, at now: SimTime) -> Bool {
    guard custom.followRate(at: now), capture.kind == .custom else {
      return false
    }
    refreshLadder(&encoders)
    return true
  }

  /// Sets the encodings, without its app's settings.
  private mutating func setLadder(_ ladder: Ladder) {
    guard sender.base != ladder else { return }
    sender.base = ladder
    plan.ladder = ladder
    simulcast.allocator = plan.allocator
  }

  /// Sets the encodings for pushed frames of another size or orientation.
  mutating func carry(
    _ frame: Resolution, isTurned: Bool, _ encoders: inout Table<EncoderState>, _ sizes: inout PictureSizes
  ) {
    let own = plan.pushedLadders.first { $0.frame == frame }?.ladder
    setLadder(own ?? sender.custom)
    setSizes(&encoders, &sizes, frame: frame, isTurned: isTurned)
    if sender.settings.areSet { reconfigure(&encoders, &sizes, renewing: false) }
  }

  /// Sets the encodings to the sizes at which they carry pushed frames, or to their own (`nil`).
  ///
  /// Their limits stay, since a sender's limits are set per encoding. Offers keep the sizes before any turn: a request
  /// for 720p means the frame's shorter side whichever way the device is held.
  mutating func setSizes(
    _ encoders: inout Table<EncoderState>, _ sizes: inout PictureSizes, frame: Resolution?, isTurned: Bool
  ) {
    custom.frame = frame
    custom.isTurned = isTurned
    applyDemand()
    for (index, size) in encodingSizes.enumerated() {
      // An encoding that is not produced continues as the frame itself until nobody receives it.
      guard let size = size ?? frame else { continue }
      let number = encodings.lowerBound + index
      var encoding = plan.ladder.encodings[index]
      encoding.format.resolution = size
      renew(&encoders[number], to: encoding, size: isTurned ? size.rotated : size, &sizes)
      encoders[number].keyFrames.isRequested = true
    }
    refreshLadder(&encoders)
    refreshSending(&encoders)
  }

  /// Offers the encodings at the current sizes and rates of the source.
  mutating func refreshLadder(_ encoders: inout Table<EncoderState>) {
    refreshLadder()
    for (number, encoding) in zip(encodings, plan.ladder.encodings) {
      encoders[number].rates.follow(encoding, source: pushedRate)
    }
    refreshOffers(&encoders)
    announce()
  }

  /// Frame rate that the encodings follow [1/1000 Hz]; `nil` where they already match the camera's.
  package var pushedRate: Int? {
    if capture.kind == .custom { return custom.milliFramesPerSecond }
    return plan.kind == .custom ? plan.capture.milliFramesPerSecond : nil
  }

  /// Size of each encoding before any turn; `nil` for one that is not produced.
  var encodingSizes: [Resolution?] {
    let sizes: [Resolution?] =
      custom.frame.map(plan.ladder.sizes(carrying:)) ?? plan.ladder.encodings.map(\.format.resolution)
    guard !sender.off.isEmpty else { return sizes }
    return sizes.enumerated().map { sender.off.contains($0) ? nil : $1 }
  }

  /// Encodings that only larger frames fill, without those that viewers still receive.
  var unfilled: EncodingSet {
    guard let frame = custom.frame else { return [] }
    var unfilled: EncodingSet = []
    for (index, size) in plan.ladder.sizes(carrying: frame).enumerated() where size == nil {
      unfilled.insert(EncodingSet(index))
    }
    return unfilled.subtracting(sender.requested.used)
  }

  /// Sets ``ladder`` to the current encodings.
  mutating func refreshLadder() {
    let running = pushedRate.map(plan.ladder.running(at:)) ?? plan.ladder
    ladder = running.layers(carrying: custom.frame, without: sender.off)
  }
}
