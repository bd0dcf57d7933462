import Endpoint
import Ladder
import Media
package import Plan
package import Quantity
import SimulationKernel
import Systems

/// Parameters that an app sets on its senders.
extension Publishers {
  /// Changes the parameters of a source's sender; its encodings follow the uplink at the next ``fitUplink(of:_:at:)``.
  package mutating func set(_ change: SendChange, of source: Int, at now: SimTime) {
    sources[source].sender.settings.apply(change)
    sources[source].sender.changedAt = now
    if let capture = change.capture { setCapture(capture.format, of: source) }
    let isOtherPreference = change.degradation.map { $0 != sources[source].plan.degradation } ?? false
    if let degradation = change.degradation { sources[source].plan.degradation = degradation }
    reconfigure(source, renewing: isOtherPreference)
    refreshSending(source)
  }

  /// Restores the parameters with which a source is published, for a new call.
  mutating func resetParameters(of source: Int) {
    guard sources[source].sender.settings.areSet else { return }
    sources[source].sender.settings = SenderSettings()
    setCapture(sources[source].sender.published.capture, of: source)
    sources[source].plan.degradation = sources[source].sender.published.degradation
    reconfigure(source, renewing: false)
  }

  private mutating func setCapture(_ format: VideoFormat, of source: Int) {
    sources[source].plan.capture = format
    sources[source].capture.period = SimDuration(
      milliFramesPerSecond: format.milliFramesPerSecond)
  }

  /// Applies the app's settings to the sizes, rates and states of a source's encodings.
  ///
  /// An encoding of another size or frame rate begins with a key frame: libwebrtc creates a new encoder for another
  /// size (`video_stream_encoder.cc`, RequiresEncoderReset); for another frame rate [our model].
  ///
  /// - Parameter isRenewed: `true` to replace the encoders whatever their formats.
  mutating func reconfigure(_ source: Int, renewing isRenewed: Bool) {
    guard sources[source].layering == nil else {
      setLayers(layers(of: source), of: source)
      return
    }
    let before = sources[source].plan.ladder
    let isCustom = sources[source].capture.kind == .custom
    let settings = sources[source].sender.settings
    let capture = sources[source].plan.capture
    let (ladder, off) = settings.confine(
      isCustom ? sources[source].sender.base : settings.capture?.ladder ?? sources[source].sender.base,
      to: capture.resolution, among: sources[source].sender.base, leastShare: parameters.leastShare)
    sources[source].plan.ladder = ladder
    sources[source].sender.off = off
    sources[source].applyDemand()
    if ladder != before { sources[source].allocator = sources[source].plan.allocator }
    guard !isCustom else {
      return setSizes(
        of: source, frame: sources[source].custom.frame, isTurned: sources[source].custom.isTurned)
    }
    for (index, encoding) in ladder.encodings.enumerated() {
      let number = sources[source].encodings.lowerBound + index
      encoders[number].decimation = FrameDecimation(
        captured: capture.milliFramesPerSecond, limit: encoding.format.milliFramesPerSecond)
      let isOther = encoding.format != before.encodings[index].format
      guard isOther || isRenewed else {
        encoders[number].set(encoding, renewed: nil)
        continue
      }
      renew(number, to: encoding, size: encoding.format.resolution)
      encoders[number].keyFrames.isRequested = encoders[number].isSending
    }
    refreshLadder(of: source)
  }

  /// Replaces the encoder of an encoding.
  ///
  /// - Parameter size: size of its pictures, turned if they are.
  mutating func renew(_ number: Int, to encoding: Encoding, size: Resolution) {
    let model = sources[encoders[number].source].plan.model(of: encoding)
    encoders[number].set(encoding, renewed: (model, sizes.number(of: size)))
  }
}
