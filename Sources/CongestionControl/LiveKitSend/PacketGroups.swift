package import Quantity

/// Latest packet groups, and their evidence about the path.
package struct PacketGroups: Sendable {
  /// Verdict with the groups that led to it.
  package struct Region: Sendable {
    package enum Verdict: UInt8, BitwiseCopyable, Sendable { case undecided, good, bad }

    package var verdict = Verdict.undecided
    package var groups: Range<Int> = 0..<0

    package init() {}

    init(_ verdict: Verdict, _ groups: Range<Int>) {
      self.verdict = verdict
      self.groups = groups
    }
  }

  private let parameters: LiveKitSendParameters
  private var groups: [PacketGroup] = []

  package init(parameters: LiveKitSendParameters = .init()) { self.parameters = parameters }

  package var count: Int { groups.count }

  package subscript(index: Int) -> PacketGroup { groups[index] }

  package mutating func add(_ packet: ReportedPacket) {
    if groups.isEmpty { groups.append(PacketGroup(parameters.group)) }
    switch groups[groups.count - 1].add(packet) {
    case .added: return
    case .complete:
      var next = PacketGroup(parameters.group, inherited: groups[groups.count - 1].queuing)
      _ = next.add(packet)
      groups.append(next)
    case .old:
      var index = groups.count - 2
      while index >= 0 {
        if case .added = groups[index].add(packet) { return }
        index -= 1
      }
    }
  }

  /// Discards groups that began before a time.
  package mutating func removeAll(before time: SimTime) {
    var count = 0
    while count < groups.count, groups[count].traffic.began.map({ $0 < time }) ?? false { count += 1 }
    if count > 0 { groups.removeFirst(count) }
  }

  package mutating func removeAll() { groups.removeAll(keepingCapacity: true) }

  /// End of the range of complete groups: all but the last are.
  private var end: Int { groups.last?.isFinal ?? true ? groups.count : groups.count - 1 }

  /// Judges whether the latest groups had a growing queue, or hardly any.
  package func delayRegion(_ signal: LiveKitSignal) -> Region {
    var span = TrafficStatistics()
    var correlation = RankCorrelation()
    var good = 0
    var bad = 0
    var index = end - 1
    while index >= 0 {
      let queuing = groups[index].queuing
      span.merge(groups[index].traffic)
      for newer in index + 1..<end {
        correlation.add(older: Double(queuing.nanoseconds), newer: Double(groups[newer].queuing.nanoseconds))
      }
      if queuing < parameters.goodDelay {
        if bad > 0 { break }
        good += 1
        if signal.goodDelay.isReached(good, span.duration) { return Region(.good, index..<end) }
      } else if queuing > parameters.badDelay {
        if good > 0 { break }
        bad += 1
        let trend = index == end - 1 ? 1 : correlation.value ?? 0
        if signal.badDelay.isReached(bad, span.duration), trend > parameters.delayTrend {
          return Region(.bad, index..<end)
        }
      } else if good + bad > 0 {
        break
      }
      index -= 1
    }
    return Region()
  }

  /// Judges whether the latest groups lost much, or hardly anything.
  package func lossRegion(_ signal: LiveKitSignal) -> Region {
    var sum = TrafficStatistics()
    var isBadTested = false
    var isGoodTested = false
    var index = end - 1
    while index >= 0, !isBadTested || !isGoodTested {
      sum.merge(groups[index].traffic)
      if !isBadTested, signal.badLoss.isReached(end - index, sum.duration) {
        isBadTested = true
        if sum.weightedLoss(parameters.loss) > parameters.badLoss { return Region(.bad, index..<end) }
      }
      if !isGoodTested, signal.goodLoss.isReached(end - index, sum.duration) {
        isGoodTested = true
        if sum.weightedLoss(parameters.loss) < parameters.goodLoss { return Region(.good, index..<end) }
      }
      index -= 1
    }
    return Region()
  }

  /// Returns the traffic of a range of groups.
  package func traffic(of range: Range<Int>) -> TrafficStatistics {
    var sum = TrafficStatistics()
    for index in range { sum.merge(groups[index].traffic) }
    return sum
  }

  /// Returns the traffic of the latest complete groups that together span more than a time; `nil` if all groups do not.
  package func traffic(beyond window: SimDuration) -> TrafficStatistics? {
    var sum = TrafficStatistics()
    var index = end - 1
    while index >= 0 {
      sum.merge(groups[index].traffic)
      if sum.duration > window { return sum }
      index -= 1
    }
    return nil
  }
}
