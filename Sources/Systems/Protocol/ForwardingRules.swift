package import Quantity

/// Forwarding by a system's SFU, apart from its decisions.
package struct ForwardingRules: Hashable, Sendable {
  /// Key frames at which the forwarded encoding changes.
  package var switching = SwitchRule.target
  /// Filter of streams with several spatial layers; `nil` where the SFU forwards none.
  package var layerFilter: LayerFilterKind?
  /// Set if the rates of spatial layers are added up in every mode; otherwise where upper ones predict from lower ones in
  /// every picture.
  package var sumsSpatialLayers = false
  /// Layers forwarded while the SFU waits for a lower encoding.
  package var whileWaiting = WhileWaiting.baseLayer
  /// Rules for key frame requests to publishers.
  package var keyFrames = KeyFrameRequestRule()
  /// Replacement of an encoding that no longer arrives; `nil` for none.
  package var fallback: FallbackRule?
  /// Limit of new streams while they ramp up; `nil` for none.
  package var rampUp: RampUpRule?
  /// Repairs of the packets that viewers miss.
  package var repairs = Repairs.oncePerRoundTrip
  /// Time between two sender reports to a viewer, drawn evenly; `nil` for libwebrtc's, which shortens it with the rate.
  package var senderReports: ClosedRange<SimDuration>?
  /// Number of a track's last packets that a probe repeats, where a server sends probes of its own.
  package var probePackets = 0
  /// Set if the rate of repairs is subtracted from the estimate where a server shares it out by a rule. Servers have no
  /// such reserve; their estimators fall further on losses than ours do while all of an estimate and its repairs are
  /// sent [our model].
  package var reservesRepairs = true
  /// Set if the voices' reserve and headers are subtracted from the estimate as well.
  package var reservesVoices = false
  /// Order in which packets leave for a viewer.
  package var sending = Sending.paced
  /// Set if the viewers' feedback covers voices.
  package var reportsVoices = true
  /// Set if a server hears of every estimate at once; otherwise it looks at it every 200 ms [our model].
  package var hearsEveryEstimate = false
  /// Rate up to which the SFU pads while bandwidth keeps a tile below its request.
  package var padding = PaddingGoal.nextLayer
  /// The same where the receivers estimate (REMB); by default Jitsi's rule [our model].
  package var receiverPadding = PaddingGoal.estimate
  /// Estimate that the server keeps to whatever its receivers report (REMB); `nil` where it follows them.
  package var constantReceiverEstimate: BitRate?
  /// Measurement of the received layers cycle by cycle; `nil` for none.
  package var layerMeasurement: LayerMeasurement?
  /// Measurement of the received layers over a sliding window; `nil` for none.
  package var layerWindow: LayerWindow?

  package init() {}

  /// `true` if the SFU measures the layers that it receives.
  package var measuresLayers: Bool { layerMeasurement != nil || layerWindow != nil }

  /// `true` if a key frame may change the forwarded encoding although no track waits for it.
  package var switchesUnasked: Bool { switching != .target }

  package var hasKeyFrameGroups: Bool { if case .groups = switching { true } else { false } }

  /// Sending of packets to a viewer whose path has transport-wide feedback.
  package enum Sending: Hashable, Sendable {
    /// Through a pacer, which spreads bursts; probes consist of media and padding, and repairs have a budget.
    case paced
    /// At once, repairs too, however many. Probes have packets of their own, of these sizes [byte].
    case immediate(probes: ClosedRange<Int>)
  }

  package enum PaddingGoal: Hashable, Sendable {
    /// Rate with the next layer [our model].
    case nextLayer
    /// The estimate; the estimator probes by itself beyond that.
    case estimate
    /// No padding: the server sends probes of its own.
    case nothing
    /// No padding: the estimator probes while the streams leave it unused, and while nothing is sent.
    case probing
  }

  package enum SwitchRule: Hashable, Sendable {
    /// Only the target's; until then the previous temporal layers continue.
    case target
    /// Any between the current encoding and the target, whose temporal layer counts from the decision on.
    case stepwise
    /// Any between the current encoding and the target, except that a track begins with a key frame of any encoding.
    case stepwiseFromAny
    /// Key frames that arrive within a time of the first form a group. The first is taken if it is not above the
    /// target, even below the forwarded encoding, since it may be the only one; then those that lead towards the
    /// target. While the SFU waits for a higher encoding, all temporal layers continue.
    case groups(SimDuration)
  }

  /// Replacement of an encoding of which no packet arrives by a lower one.
  package struct FallbackRule: Hashable, Sendable {
    /// Time after the last forwarded packet beyond which a packet of a lower encoding lowers the target by one.
    package var after: SimDuration
    /// Time without a forwarded packet after which a packet of another encoding makes the SFU request a key frame.
    package var keyFrameTimeout: SimDuration

    package init(after: SimDuration, keyFrameTimeout: SimDuration) {
      self.after = after
      self.keyFrameTimeout = keyFrameTimeout
    }
  }

  /// Limit of a stream that is new, or that a new request of the app raises above the limit.
  package struct RampUpRule: Hashable, Sendable {
    package var time: SimDuration
    /// Most lines of the picture until then.
    package var lines: Int

    package init(time: SimDuration, lines: Int) {
      self.time = time
      self.lines = lines
    }
  }

  package enum WhileWaiting: Hashable, Sendable {
    /// The base layer of the current encoding, so that the downlink is relieved before the key frame.
    case baseLayer
    /// The layers that were forwarded before.
    case everything
    /// The lower encoding at once, although it cannot be decoded before its key frame.
    case target
  }

  package enum Repairs: Hashable, Sendable {
    /// Once per round trip of the viewer's path, and none of an encoding before the present one [our model, after
    /// libwebrtc's `rtp_packet_history.cc`].
    case oncePerRoundTrip
    /// Up to a number of times, apart by the spacing or two round trips if those are shorter; none while the viewer
    /// waits for a key frame that it has requested.
    case limited(count: Int, spacing: SimDuration)
    /// Once per round trip that the viewer has reported of the stream itself, or per `unknown` before its first report,
    /// while the packet is not older than `age`; of any encoding.
    case oncePerReportedRoundTrip(unknown: SimDuration, age: SimDuration)
  }

  /// Measurement of rates over a window that slides in steps.
  package struct LayerWindow: Hashable, Sendable, BitwiseCopyable {
    package var length: SimDuration
    package var step: SimDuration
    /// Time without a packet after which an encoding no longer arrives; its next packet makes it arrive again.
    package var silence: SimDuration
    /// Set if an encoding that has just begun is averaged over the whole window as well, so that it looks cheap at
    /// first; otherwise over its own time [our model].
    package var isAlwaysWhole = false

    package init(length: SimDuration, step: SimDuration, silence: SimDuration) {
      self.length = length
      self.step = step
      self.silence = silence
    }

    /// Creates a window of fifty steps of whole milliseconds.
    package init(length: SimDuration, silence: SimDuration) {
      self.init(
        length: length, step: .milliseconds(max(1, length.nanoseconds / 50_000_000)), silence: silence)
    }
  }

  /// Cyclic measurement of arriving layers and their rates.
  package struct LayerMeasurement: Hashable, Sendable {
    /// Interval at which a layer is checked.
    package var cycle: SimDuration
    /// Number of packets in a cycle that show that the lowest encoding arrives.
    package var packets: Int
    /// Number of packets in a cycle that show that another encoding arrives.
    package var upperPackets: Int
    /// Number of consecutive cycles after which the lowest encoding, having stopped, counts as arriving again.
    package var cycles: Int
    /// Number of consecutive cycles after which another encoding, having stopped, counts as arriving again.
    package var upperCycles: Int
    /// Number of cycles over which a rate is measured.
    package var cyclesPerRate: Int

    package init(
      cycle: SimDuration, packets: Int, upperPackets: Int, cycles: Int, upperCycles: Int, cyclesPerRate: Int
    ) {
      self.cycle = cycle
      self.packets = packets
      self.upperPackets = upperPackets
      self.cycles = cycles
      self.upperCycles = upperCycles
      self.cyclesPerRate = cyclesPerRate
    }
  }
}
