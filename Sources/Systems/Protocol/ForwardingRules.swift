package import Quantity

/// How a system's SFU forwards, apart from what it decides.
package struct ForwardingRules: Hashable, Sendable {
  /// Which key frames change the encoding that is forwarded.
  package var switching = SwitchRule.target
  /// What is forwarded while a lower encoding is waited for.
  package var whileWaiting = WhileWaiting.baseLayer
  /// When publishers are asked for key frames.
  package var keyFrames = KeyFrameRequestRule()
  /// What stands in for an encoding that no longer arrives; `nil` for nothing.
  package var fallback: FallbackRule?
  /// How often a packet is sent again at most, and the least time between; `nil` for once a round trip.
  package var repairs: RepairLimit?
  /// How many of a track's last packets a probe repeats, where a server sends probes of its own.
  package var probePackets = 0
  /// Whether what repairs take comes off the estimate, where a server shares it out by a rule. Servers do not know of it;
  /// their estimators fall by losses further than ours do while all of an estimate and its repairs are sent [our model].
  package var reservesRepairs = true
  /// Whether the voices' reserve and headers come off the estimate as well.
  package var reservesVoices = false
  /// What the SFU pads up to while bandwidth keeps a tile below its request.
  package var padding = PaddingGoal.nextLayer
  /// How the SFU measures the layers that it receives, if it does: cycle by cycle, or over a window that slides.
  package var layerMeasurement: LayerMeasurement?
  package var layerWindow: LayerWindow?

  package init() {}

  /// Whether the SFU measures the layers that it receives.
  package var measuresLayers: Bool { layerMeasurement != nil || layerWindow != nil }

  /// Whether a key frame may change what is forwarded though nobody waits for it.
  package var switchesUnasked: Bool { switching != .target }

  package var hasKeyFrameGroups: Bool { if case .groups = switching { true } else { false } }

  package enum PaddingGoal: Hashable, Sendable {
    /// What it would send with the next layer [our model].
    case nextLayer
    /// What the estimate carries; the estimator probes by itself beyond that.
    case estimate
    /// The layers with any budget, times a factor; the estimator probes by itself.
    case desired(factor: Double)
    /// Nothing: the server sends probes of its own.
    case nothing
  }

  package enum SwitchRule: Hashable, Sendable {
    /// The target's alone; until then the temporal layers go on that were forwarded before.
    case target
    /// Any between the current encoding and the target, whose temporal layer counts from the decision on.
    case stepwise
    /// The same, but a track begins with a key frame of whatever encoding.
    case stepwiseFromAny
    /// Key frames that come within a time of the first are a group. The first is taken if it is not above the target, even
    /// below what is forwarded, since it may be the only one; then those that lead towards the target. While a higher
    /// encoding is waited for, all temporal layers go on.
    case groups(SimDuration)
  }

  /// When a lower encoding stands in for one of which no packet arrives.
  package struct FallbackRule: Hashable, Sendable {
    /// A packet of a lower encoding that comes more than this after the last that was forwarded lowers the target by one.
    package var after: SimDuration
    /// The least time without a forwarded packet after which one of another encoding makes the SFU ask for a key frame.
    package var keyFrameTimeout: SimDuration

    package init(after: SimDuration, keyFrameTimeout: SimDuration) {
      self.after = after
      self.keyFrameTimeout = keyFrameTimeout
    }
  }

  package enum WhileWaiting: Hashable, Sendable {
    /// The base layer of the current encoding, so that the downlink is relieved before the key frame.
    case baseLayer
    /// What was forwarded before.
    case everything
    /// The lower encoding at once, although nothing of it can be decoded before its key frame.
    case target
  }

  package struct RepairLimit: Hashable, Sendable {
    package var count: Int
    package var spacing: SimDuration

    package init(count: Int, spacing: SimDuration) {
      self.count = count
      self.spacing = spacing
    }
  }

  /// Rates over a window that slides in steps.
  package struct LayerWindow: Hashable, Sendable, BitwiseCopyable {
    package var length: SimDuration
    package var step: SimDuration
    /// An encoding without a packet for this long no longer arrives; with the next one it does.
    package var silence: SimDuration

    package init(length: SimDuration, step: SimDuration, silence: SimDuration) {
      self.length = length
      self.step = step
      self.silence = silence
    }

    /// In fifty steps of whole milliseconds.
    package init(length: SimDuration, silence: SimDuration) {
      self.init(
        length: length, step: .milliseconds(max(1, length.nanoseconds / 50_000_000)), silence: silence)
    }
  }

  /// When a layer counts as arriving, and how its rate is measured.
  package struct LayerMeasurement: Hashable, Sendable {
    /// A layer is looked at once a cycle.
    package var cycle: SimDuration
    /// Packets in a cycle that show that a layer arrives: the lowest encoding's, and others'.
    package var packets: Int
    package var upperPackets: Int
    /// Cycles in a row after which a layer that had stopped counts again.
    package var cycles: Int
    package var upperCycles: Int
    /// A rate is measured over this many cycles.
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
