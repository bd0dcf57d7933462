import Allocation
import CongestionControl
import Ladder
import Media
import Quantity
import SimulationKernel

/// What a publisher's uplink lets it send.
extension MeetingSimulation {
  /// Finds which encodings a publisher's uplink carries, lowest first, the screen share before the camera.
  ///
  /// An encoding may run at down to 60 % of its rate (our model; libwebrtc's minimum shares are 20 to 75 %). Lower
  /// encodings count as load only where viewers want them for their own sake.
  mutating func fitUplink(of number: Int, kernel: inout Kernel) {
    guard cameraOf[number] != nil || screenOf[number] != nil else { return }
    participants[number].actedUpEstimate = controllers.estimate(Path.up(number))
    let voice = plan.participants[number].publishesAudio ? OpusVoice.wireRate : .zero
    var left = videoBudget(of: Path.up(number), voices: voice, at: kernel.now)
    // A BlueJeans sender's total is at most 2400 kbps.
    if case .bluejeans = plan.policy { left = min(left, .kilobits(2400)) }
    for source in [screenOf[number], cameraOf[number]].compactMap({ $0 }) {
      let first = sources[source].firstEncoding
      let before = (0..<sources[source].encodings).map { encodings[first + $0].scale }
      let allocated = allocatedScales(of: source, within: left)
      for rung in 0..<sources[source].encodings {
        if let allocated {
          encodings[first + rung].scale = allocated[rung]
          left -= min(left, encodings[first + rung].target)
          continue
        }
        let full = encodings[first + rung].fullRate
        let share = Double(left.bitsPerSecond) / Double(full.bitsPerSecond)
        let scale = Self.scale(share, least: leastShare(of: first + rung))
        encodings[first + rung].scale = scale
        if scale > 0, isSettled(source: source, rung: rung) { left -= min(left, full.scaled(by: scale)) }
      }
      keepLowestOn(of: source, within: left)
      guard (0..<sources[source].encodings).contains(where: { encodings[first + $0].scale != before[$0] })
      else {
        continue
      }
      sources[source].offers = sources[source].ladder.compactMap { layer in
        let scale = encodings[first + layer.id.encoding].scale
        guard scale > 0 else { return nil }
        var layer = layer
        layer.bitrate = layer.bitrate.scaled(by: scale)
        return layer
      }
      refreshSending(source: source)
      markViewersDirty(kernel: &kernel)
    }
  }

  /// Where an estimate has to grow from what is sent, the lowest encoding that is wanted is sent whatever it says, at a
  /// tenth of its rate or more.
  private mutating func keepLowestOn(of source: Int, within left: BitRate) {
    guard usesFeedback else { return }
    let first = sources[source].firstEncoding
    let wanted = sources[source].wantedAtPublisher | desiredEncodings(of: source)
    let rungs = (0..<sources[source].encodings).filter { wanted >> UInt32($0) & 1 == 1 }
    guard let lowest = rungs.first, rungs.allSatisfy({ encodings[first + $0].scale == 0 }) else {
      return
    }
    let share = Double(left.bitsPerSecond) / Double(max(encodings[first + lowest].fullRate.bitsPerSecond, 1))
    encodings[first + lowest].scale = max(0.1, (share * 20).rounded(.down) / 20)
  }

  /// Scales by libwebrtc's allocator, for a ladder that says what its encodings may have; `nil` for another.
  private func allocatedScales(of source: Int, within total: BitRate) -> [Double]? {
    let ladder = sources[source].plan.ladder.encodings
    guard ladder.count > 1, ladder.allSatisfy({ $0.minimum != nil && $0.maximum != nil }) else { return nil }
    let first = sources[source].firstEncoding
    // What nobody wants is off and takes no part (W3C `active`).
    let isActive = ladder.indices.map { rung in
      (sources[source].wantedAtPublisher | desiredEncodings(of: source)) >> UInt32(rung) & 1 == 1
    }
    let active = ladder.indices.filter { isActive[$0] }
    let rates = SimulcastRateAllocator.rates(
      within: total,
      limits: active.map {
        .init(
          minimum: ladder[$0].minimum ?? .zero, target: ladder[$0].bitrate,
          maximum: ladder[$0].maximum ?? .zero)
      }, wereOn: active.map { encodings[first + $0].isSending && encodings[first + $0].scale > 0 })
    var scales = [Double](repeating: 0, count: ladder.count)
    for (place, rung) in active.enumerated() {
      scales[rung] = Double(rates[place].bitsPerSecond) / Double(max(ladder[rung].bitrate.bitsPerSecond, 1))
    }
    // Before anybody wants anything every encoding is on offer.
    if active.isEmpty { scales = [Double](repeating: 1, count: ladder.count) }
    return scales
  }

  /// The least share of its rate that an encoding runs at: a source's only one goes down to its encoder's minimum.
  private func leastShare(of number: Int) -> Double {
    let source = sources[encodings[number].source]
    guard source.encodings == 1 else { return 0.6 }
    return min(
      1, Double(source.plan.minimum.bitsPerSecond) / Double(max(encodings[number].fullRate.bitsPerSecond, 1)))
  }

  /// Steps of 5 % keep the offers of simulcast from changing with every breath of the uplink; a single encoding
  /// follows by the percent and never stops.
  private static func scale(_ share: Double, least: Double) -> Double {
    if share >= 1 { return 1 }
    if least == 0.6 { return share >= 0.6 ? (share * 20).rounded(.down) / 20 : 0 }
    return max(least, (share * 100).rounded(.down) / 100)
  }

  /// A controller has spoken: a fall counts at once, a rise with the next look at the estimates.
  mutating func followUplink(of number: Int, kernel: inout Kernel) {
    let estimate = controllers.estimate(Path.up(number))
    guard estimate < participants[number].actedUpEstimate.scaled(by: 0.95) else { return }
    fitUplink(of: number, kernel: &kernel)
  }

  /// Whether some viewer has this encoding for another reason than that the uplink carries nothing higher or that the
  /// stream is still ramping up.
  private func isSettled(source: Int, rung: Int) -> Bool {
    viewers.indices.contains { number in
      let track = trackNumber(viewer: number, source: source)
      guard let grant = grants[track], grant.layer?.id.encoding == rung else { return false }
      return grant.limitation != .senderUplink && grant.limitation != .switching
    } || sources[source].alwaysSent >> UInt32(rung) & 1 == 1
  }
}
