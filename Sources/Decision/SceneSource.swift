import Ladder
import Plan
import Quantity
import Systems

/// A source at a moment of the timeline, as its publisher offers it on an ample uplink.
///
/// An app's frames are accepted and refused as in a run.
struct SceneSource {
  private let source: StreamNumbering.Source
  private let plan: VideoSourcePlan?
  private let rules: CustomSourceRules
  private let leastShare: Double
  /// Set if the camera stays on while the app is in the background.
  private let filmsInBackground: Bool
  /// Set while the app has the source on: a camera is not muted, a screen is shared.
  var isOn: Bool
  /// Set while its participant's app is in the background.
  var isInBackground = false
  private var isJoined = false
  private var kind: VideoSourcePlan.Kind
  private var change: (kind: VideoSourcePlan.Kind, completesAt: SimTime)?
  private var settings = SenderSettings()
  /// Encodings without its app's settings.
  private var base: Ladder
  /// Size of its pictures; `nil` for the encodings' own.
  private var frame: Resolution?
  private var series: Series?
  /// Times of the single frames accepted over the last second.
  private var singles: [SimTime] = []

  private struct Series {
    var frames: CustomFrames
    var start: SimTime
    /// Set if the source's plan states it.
    var isStated = false

    func lasts(at now: SimTime) -> Bool { frames.count.map { now < start + frames.offset(of: $0) } ?? true }
  }

  init(_ plan: MeetingPlan, _ streams: StreamNumbering, number: Int) {
    let own = plan.source(number, of: streams)
    source = streams.sources[number]
    self.plan = own
    rules = plan.system.traits.customSource
    leastShare = plan.rates.leastShare
    filmsInBackground = plan.participants[source.participant].capabilities.multitaskingCamera
    kind = own?.kind ?? .camera
    isOn = own.map { $0.startsOn || $0.kind == .custom } ?? false
    base = own?.ladder ?? Ladder(encodings: [])
    frame = own?.firstFrame
  }

  // MARK: Changes

  /// Begins its participant's call.
  mutating func begin(at now: SimTime) {
    isJoined = true
    if source.isScreen { isOn = plan?.startsOn ?? false }
    guard let plan, let frames = plan.customFrames, plan.startsOn, kind == .custom, series == nil else {
      return
    }
    series = Series(frames: frames, start: now, isStated: true)
    advance(to: now)
  }

  mutating func end() {
    isJoined = false
    settings = SenderSettings()
    change = nil
    singles = []
    if series?.isStated ?? false { series = nil }
  }

  mutating func set(_ own: SendChange) { settings.apply(own) }

  mutating func beginChange(to next: VideoSourcePlan.Kind, at now: SimTime) {
    guard next != change?.kind ?? kind else { return }
    change = (next, now + rules.changeTime)
  }

  mutating func push(_ frames: CustomFrames, at now: SimTime) {
    if !frames.isSingle {
      series = Series(frames: frames, start: now)
      advance(to: now)
    } else if accepts(frames) {
      singles.append(now)
      carry(frames)
    }
  }

  mutating func stopPushing() { series = nil }

  mutating func advance(to now: SimTime) {
    if let change, change.completesAt <= now {
      self.change = nil
      if change.kind != kind { use(change.kind) }
    }
    singles.removeAll { now - $0 >= .seconds(1) }
    if let series, series.lasts(at: now), accepts(series.frames) { carry(series.frames) }
  }

  private mutating func use(_ next: VideoSourcePlan.Kind) {
    kind = next
    singles = []
    guard let plan else { return }
    base =
      next == .custom
      ? customLadder(plan) : plan.kind == .custom ? plan.otherLadder ?? plan.ladder : plan.ladder
    frame = next == .camera ? plan.firstFrame : nil
  }

  private func customLadder(_ plan: VideoSourcePlan) -> Ladder {
    plan.kind == .custom ? plan.ladder : plan.otherLadder ?? plan.ladder
  }

  private mutating func carry(_ frames: CustomFrames) {
    guard let plan, frame != frames.size else { return }
    base = plan.pushedLadders.first { $0.frame == frames.size }?.ladder ?? customLadder(plan)
    frame = frames.size
  }

  private func accepts(_ frames: CustomFrames) -> Bool {
    isJoined && kind == .custom && change == nil && isOn && frames.size.pixels <= rules.framePixels
      && FrameAspectRatio(of: frames.size) != nil
  }

  // MARK: Offer

  /// Returns the source as its publisher announces it.
  func announcement(_ publisher: any Publisher, at now: SimTime) -> Roster.Source {
    let isStopped = isInBackground && !filmsInBackground && kind == .camera
    let isCapturing = isOn && !isStopped
    var capture = settings.capture?.format ?? plan?.capture ?? VideoFormat(.p720, framesPerSecond: 30)
    if kind == .custom { capture.milliFramesPerSecond = pushedRate(at: now) }
    let layers = layers(of: capture, isConfined: settings.areSet)
    return Roster.Source(
      participant: source.participant, isScreen: source.isScreen, isCapturing: isCapturing, capture: capture,
      ladder: layers, published: settings.areSet ? self.layers(of: capture, isConfined: false) : nil,
      offers: isCapturing ? publisher.offers(of: layers.filter { $0.bitrate > .zero }) : [],
      sendsLow: publisher.sendsLow)
  }

  /// Returns the rate of the frames that are pushed and accepted now [1/1000 Hz].
  private func pushedRate(at now: SimTime) -> Int {
    let isTaken = series.map { $0.lasts(at: now) && accepts($0.frames) } ?? false
    let looped = isTaken ? series?.frames.milliFramesPerSecond ?? 0 : 0
    return min(looped + singles.count * 1000, plan.map { rules.mostMilliFrames(into: customLadder($0)) } ?? 0)
  }

  /// Returns the layers that its app's pictures and, if confined, settings leave on.
  private func layers(of capture: VideoFormat, isConfined: Bool) -> [Layer] {
    if let listed = plan?.listedLayers, !settings.areSet, kind == plan?.kind { return listed.layers }
    var ladder = settings.ladder(of: base, forOwnFrames: kind == .custom)
    var off: EncodingSet = []
    if isConfined {
      (ladder, off) = settings.confine(
        ladder, to: capture.resolution, among: base, leastShare: leastShare)
    }
    if kind == .custom {
      ladder = ladder.running(at: capture.milliFramesPerSecond)
    } else if let plan, plan.kind == .custom {
      ladder = ladder.running(at: plan.capture.milliFramesPerSecond)
    }
    return ladder.layers(carrying: frame, without: off)
  }
}
