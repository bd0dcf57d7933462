import Allocation
import CongestionControl
package import Endpoint
import Ladder
import Media
import Plan
package import Quantity
import SimulationKernel
import Systems
import Transport

/// Selection of the encodings that a publisher's uplink carries, and of their rates.
extension Publishers {
  /// Fits a publisher's encodings to its uplink, lowest first.
  ///
  /// Lower encodings count as load where viewers want them for their own sake, or the SFU requests them anyway.
  ///
  /// - Returns: the sources whose offers have changed.
  package mutating func fitUplink(of number: Int, _ net: inout Connections, at now: SimTime) -> [Int] {
    guard streams.cameraOf[number] != nil || streams.screenOf[number] != nil else { return [] }
    let own = streams.screenFirst(of: number).filter { sources[$0].plan.recordedFrames == nil }
    let path = net.endpoints.sendingPath(of: number)
    states[number].actedEstimate = net.endpoints.estimate(path)
    let feedback = UplinkFeedback(on: path, net.endpoints, at: now)
    var budget = sendCap.confining(encoderBudget(of: number, &net, at: now))
    states[number].videoBudget = budget
    guard !own.isEmpty else { return [] }
    budget -= min(budget, recordedRate(of: number))
    let dropping = frameDropping(
      of: number, reduction: net.endpoints.controllers.congestionReduction(path), within: budget)
    states[number].frameDropping = dropping
    if let dropping { budget = dropping.reduced(budget) }
    let shares = uplinkShares(of: number, within: budget)
    return own.filter { source in
      // The only receiver's downlink is part of the path.
      let received = sources[source].plan.sendsOneEncoding ? .unlimited : sources[source].demand.bearable
      let bearable = min(received, sources[source].sender.settings.maximum)
      let share = bearable.confining(sources[source].isScreen ? shares.screen : shares.camera)
      let wasWithdrawn = sources[source].simulcast.withdrawal.rate != nil
      let hasChanged = sources[source].fit(&encoders, within: share, feedback, at: now)
      if hasChanged {
        sources[source].announce()
        sources[source].refreshSending(&encoders)
      }
      if !wasWithdrawn, sources[source].simulcast.withdrawal.rate != nil {
        net.endpoints.forget(sources[source].encodings.filter { encoders[$0].scale == 0 }, on: path, at: now)
      }
      return hasChanged
    }
  }

  /// Checks whether a controller's new target has to be followed at once: a decrease does, an increase waits for the
  /// next regular pass over the estimates.
  package func mustFollowUplink(of number: Int, _ endpoints: borrowing Endpoints) -> Bool {
    let path = endpoints.sendingPath(of: number)
    let acted = states[number].actedEstimate
    return endpoints.estimate(path) < acted.scaled(by: parameters.fallShare)
      || states[number].frameDropping != nil || endpoints.controllers.congestionReduction(path) > 0
  }

  /// Returns the rate of a publisher's voice within its estimate; an estimator that knows the capacity counts every
  /// voice.
  func voiceShare(of participant: Int, usesFeedback: Bool) -> BitRate {
    let isCounted = voicesHaveFeedback || !usesFeedback
    return plans[participant].publishesAudio && isCounted ? plans[participant].voice.wireRate : .zero
  }

  /// Returns the rate that a publisher's encoders may spend; where the estimate comes from feedback, headers are
  /// subtracted as in libwebrtc.
  private mutating func encoderBudget(of number: Int, _ net: inout Connections, at now: SimTime)
    -> BitRate
  {
    let path = net.endpoints.sendingPath(of: number)
    let voice = voiceShare(of: number, usesFeedback: net.endpoints.rules.usesFeedback(on: path))
    guard net.endpoints.rules.usesFeedback(on: path) else {
      let budget = net.endpoints.videoBudget(of: path, voices: voice, at: now)
      return budget.available.confining(net.endpoints.estimate(path))
    }
    let estimate = net.endpoints.estimate(path)
    guard estimate > voice else { return .zero }
    let packets = expectedPackets(of: number)
    let payload = UplinkShare.payload(of: estimate - voice, headers: packets.headers)
    strengthenProtection(of: number, payload: payload, net, at: now)
    return UplinkShare.frames(
      of: payload - net.endpoints.repairRate(on: path, within: payload, at: now),
      descriptors: packets.descriptors)
  }

  /// Returns the packets that a publisher is about to send.
  private func expectedPackets(of number: Int) -> ExpectedPackets {
    var expected = ExpectedPackets()
    for source in streams.screenFirst(of: number) where sources[source].capture.isOn {
      expected.add(sources[source], encoders, streams)
    }
    return expected
  }

  /// Splits an uplink's video rate between a screen share and a camera that are both on, as libwebrtc's bitrate
  /// allocator does by their priorities; a single source gets all of it.
  private func uplinkShares(of number: Int, within budget: BitRate) -> (screen: BitRate, camera: BitRate) {
    guard let screen = streams.screenOf[number], let camera = streams.cameraOf[number],
      sources[screen].capture.isOn, sources[camera].capture.isOn, sources[camera].pushedRate != 0,
      sources[camera].plan.recordedFrames == nil, !sources[screen].isInactive, !sources[camera].isInactive
    else { return (budget, budget) }
    var share = UplinkShare([
      .video(
        maximum: sources[screen].wantedRate(encoders),
        priority: sources[screen].sender.settings.priority.weight),
      .video(
        maximum: sources[camera].wantedRate(encoders),
        priority: sources[camera].sender.settings.priority.weight),
    ])
    share.split(budget)
    return (share[0], share[1])
  }

  /// Returns the frames that the congestion window of an uplink makes encoders drop.
  private func frameDropping(of number: Int, reduction: Double, within budget: BitRate) -> FrameDropping? {
    guard reduction > 0 else { return nil }
    let minimum = streams.cameraFirst(of: number)
      .reduce(BitRate.zero) { $0 + (sources[$1].capture.isOn ? sources[$1].plan.leastRate : .zero) }
    return FrameDropping(reduction: reduction, target: budget, minimum: minimum)
  }
}
