package import Quantity

/// How a system's SFU forwards, apart from what it decides.
package struct ForwardingRules: Hashable, Sendable {
  /// Whether a switch takes any key frame between the current encoding and the target, and keeps what is forwarded until
  /// then, at the target's temporal layer. Otherwise it waits for the target's, on the way down with the base layer only.
  package var switchesStepwise = false
  /// Least time between two requests for key frames of an encoding, from the lowest encoding up, the last for all above;
  /// empty for ``RateParameters/keyFrameSpacing``.
  package var keyFrameSpacings: [SimDuration] = []
  /// When a key frame that has not come is looked for again; `nil` for the same.
  package var keyFrameRetry: SimDuration?
  /// How often a packet is sent again at most, and the least time between; `nil` for once a round trip.
  package var repairs: RepairLimit?
  /// Whether the SFU measures the layers that it receives.
  package var layerMeasurement: LayerMeasurement?

  package init() {}

  package struct RepairLimit: Hashable, Sendable {
    package var count: Int
    package var spacing: SimDuration

    package init(count: Int, spacing: SimDuration) {
      self.count = count
      self.spacing = spacing
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
