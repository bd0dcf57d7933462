package import Quantity

/// Rules by which a system's SFU forwards media, apart from its decisions.
package struct ForwardingRules: Hashable, Sendable {
  /// Key frames at which the forwarded encoding changes.
  package var switching = SwitchRule.target
  /// Filter for streams with several spatial layers; `nil` if the SFU forwards none.
  package var layerFilter: LayerFilterKind?
  /// Set if the rates of spatial layers are added up in every mode; otherwise, only where upper layers are predicted
  /// from lower ones in every picture.
  package var sumsSpatialLayers = false
  /// Layers forwarded while the SFU waits for a lower encoding.
  package var whileWaiting = WhileWaiting.baseLayer
  /// Rules for key frame requests to publishers.
  package var keyFrames = KeyFrameRequestRule()
  /// Replacement of an encoding that no longer arrives; `nil` for none.
  package var fallback: FallbackRule?
  /// Limit of new streams while they ramp up; `nil` for none.
  package var rampUp: RampUpRule?
  /// Retransmission of packets that viewers miss.
  package var repairs = Repairs.oncePerRoundTrip
  /// Time between two sender reports to a viewer, drawn uniformly; `nil` for libwebrtc's, which shrinks with the rate.
  package var senderReports: ClosedRange<SimDuration>?
  /// Number of a track's last packets that a probe repeats, for servers that send their own probes.
  package var probePackets = 0
  /// Set if the rate of repairs is subtracted from an estimate that a server shares out by a rule. Real servers have no
  /// such reserve; their estimators fall further on losses than ours do while a whole estimate plus repairs is sent
  /// [our model].
  package var reservesRepairs = true
  /// Set if the voices' reserve and headers are subtracted from the estimate as well.
  package var reservesVoices = false
  /// Sending of packets to a viewer.
  package var sending = Sending.paced
  /// Set if the viewers' feedback covers voices.
  package var reportsVoices = true
  /// Set if a server is notified of every estimate at once; otherwise it polls the estimate every 200 ms [our model].
  package var hearsEveryEstimate = false
  /// Rate up to which the SFU pads while a lack of bandwidth keeps a tile below its request.
  package var padding = PaddingGoal.nextLayer
  /// Rate up to which the SFU pads in that case if the receivers estimate (REMB); by default Jitsi's rule [our model].
  package var receiverPadding = PaddingGoal.estimate
  /// Estimate that the server uses regardless of its receivers' reports (REMB); `nil` if it follows them.
  package var constantReceiverEstimate: BitRate?
  /// Measurement of the received layers cycle by cycle; `nil` for none.
  package var layerMeasurement: LayerMeasurement?
  /// Measurement of the received layers over a sliding window; `nil` for none.
  package var layerWindow: LayerWindow?

  package init() {}

  /// `true` if the SFU measures the layers that it receives.
  package var measuresLayers: Bool { layerMeasurement != nil || layerWindow != nil }

  /// `true` if a key frame may change the forwarded encoding even if no track waits for it.
  package var switchesUnasked: Bool { switching != .target }

  package var hasKeyFrameGroups: Bool { if case .groups = switching { true } else { false } }

  /// Sending of packets to a viewer whose path has transport-wide feedback.
  package enum Sending: Hashable, Sendable {
    /// Through a pacer, which smooths bursts; probes consist of media and padding, and repairs have a budget.
    case paced
    /// At once, including any number of repairs. Probes consist of separate packets of these sizes [byte].
    case immediate(probes: ClosedRange<Int>)
    /// At once, including any number of repairs. Padding fills what that leaves; probes consist of padding: repeated
    /// media where one fits, otherwise small packets.
    case unpaced
  }

  package enum PaddingGoal: Hashable, Sendable {
    /// The rate including the next layer [our model].
    case nextLayer
    /// The estimate; beyond it, the estimator itself probes.
    case estimate
    /// No padding: the server sends its own probes.
    case nothing
    /// No padding: the estimator probes while the streams leave the estimate unused, and while nothing is sent.
    case probing
  }

  package enum SwitchRule: Hashable, Sendable {
    /// Only the target's; until then the previous temporal layers continue.
    case target
    /// Any between the current encoding and the target, whose temporal layer applies from the decision on.
    case stepwise
    /// Any between the current encoding and the target, except that a track starts with a key frame of any encoding.
    case stepwiseFromAny
    /// Key frames that arrive within this time of the first one form a group. The first is used if it is not above the
    /// target, even if it is below the forwarded encoding, since it may be the only one; after that, those that lead
    /// toward the target. While the SFU waits for a higher encoding, all temporal layers continue.
    case groups(SimDuration)
  }

  /// Replacement of an encoding whose packets no longer arrive by a lower one.
  package struct FallbackRule: Hashable, Sendable {
    /// Time without a forwarded packet after which a packet of a lower encoding lowers the target by one.
    package var after: SimDuration
    /// Time without a forwarded packet after which a packet of another encoding makes the SFU request a key frame.
    package var keyFrameTimeout: SimDuration

    package init(after: SimDuration, keyFrameTimeout: SimDuration) {
      self.after = after
      self.keyFrameTimeout = keyFrameTimeout
    }
  }

  /// Limit on a stream that is new, or that a new request from the app raises above the limit.
  package struct RampUpRule: Hashable, Sendable {
    package var time: SimDuration
    /// Maximum number of picture lines until then.
    package var lines: Int

    package init(time: SimDuration, lines: Int) {
      self.time = time
      self.lines = lines
    }
  }

  package enum WhileWaiting: Hashable, Sendable {
    /// The base layer of the current encoding, which relieves the downlink before the key frame.
    case baseLayer
    /// The layers that were forwarded before.
    case everything
    /// The lower encoding at once, although it cannot be decoded before its key frame.
    case target
  }

  package enum Repairs: Hashable, Sendable {
    /// Once per round trip of the viewer's path, and none of an encoding before the current one [our model, after
    /// libwebrtc's `rtp_packet_history.cc`].
    case oncePerRoundTrip
    /// Up to a number of times, separated by the spacing or two round trips, whichever is shorter; none while the
    /// viewer waits for a key frame that it has requested.
    case limited(count: Int, spacing: SimDuration)
    /// Once per round trip that the viewer has reported for the stream itself, or per `unknown` before its first
    /// report, while the packet is no older than `age`; of any encoding.
    case oncePerReportedRoundTrip(unknown: SimDuration, age: SimDuration)
    /// Once a percentage of the viewer's round trip, or all of it but a margin if that is less, has passed since the
    /// packet was last sent, for the first time too; at each request before a round trip is known. Of any encoding.
    case afterRoundTrip(percent: Int64, margin: SimDuration)
  }

  /// Measurement of rates over a window that slides in steps.
  package struct LayerWindow: Hashable, Sendable, BitwiseCopyable {
    package var length: SimDuration
    package var step: SimDuration
    /// Time without a packet after which an encoding no longer counts as arriving, until its next packet.
    package var silence: SimDuration
    /// Set if an encoding that has just started is averaged over the whole window too, which makes it look cheap at
    /// first; otherwise over the time since its start [our model].
    package var isAlwaysWhole = false
    /// Time from the start of an encoding in which it counts at the rates that its publisher announces.
    package var announcedTime = SimDuration.zero

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
    /// Number of packets in a cycle from which the lowest encoding counts as arriving.
    package var packets: Int
    /// Number of packets in a cycle from which any other encoding counts as arriving.
    package var upperPackets: Int
    /// Number of consecutive cycles after which the lowest encoding, having stopped, counts as arriving again.
    package var cycles: Int
    /// Number of consecutive cycles after which any other encoding, having stopped, counts as arriving again.
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
