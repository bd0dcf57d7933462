package import Quantity

/// Track that shares an uplink's estimate.
package struct UplinkTrack: Hashable, Sendable, BitwiseCopyable {
  /// Minimum rate, including packet headers.
  package var minimum: BitRate
  /// Maximum rate, including packet headers.
  package var maximum: BitRate
  /// Set if the track is sent at its minimum even if the estimate does not allow it; otherwise it pauses.
  package var isMinimumEnforced: Bool
  /// Weight of its share above the minimum; above 0.
  package var priority: Double

  package init(
    minimum: BitRate, maximum: BitRate, isMinimumEnforced: Bool = true, priority: Double = 1
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.isMinimumEnforced = isMinimumEnforced
    self.priority = priority
  }

  /// Creates an audio track with a constant rate on the wire.
  package static func voice(wireRate: BitRate) -> UplinkTrack {
    UplinkTrack(minimum: wireRate, maximum: wireRate)
  }

  /// Creates a video track from libwebrtc's minimum rate, 30 kbps, to the total that its encodings can use.
  package static func video(
    maximum: BitRate, isMinimumEnforced: Bool = true, priority: Double = 1
  ) -> UplinkTrack {
    UplinkTrack(
      minimum: min(SinglecastLimits.least, maximum), maximum: maximum, isMinimumEnforced: isMinimumEnforced,
      priority: priority)
  }
}

/// Allocation of an uplink's estimate to its tracks as in libwebrtc's `call/bitrate_allocator.cc`: minimums first,
/// then by priority up to each maximum, then evenly up to twice the maximum (headroom for retransmissions).
///
/// If the minimums do not all fit, enforced ones are served first, then active tracks, then paused ones; a paused
/// track needs 10 % or 20 kbps more than its minimum, whichever is more.
package struct UplinkShare: BitwiseCopyable, Sendable {
  /// Maximum number of tracks of an uplink.
  package static let capacity = 8

  private var tracks: InlineArray<8, UplinkTrack>
  /// Last allocation of each track [bit/s].
  private var last: InlineArray<8, Int64>
  private let count: Int

  /// - Precondition: 1 to ``capacity`` tracks.
  package init(_ tracks: [UplinkTrack]) {
    precondition((1...Self.capacity).contains(tracks.count), "1 to 8 tracks, not \(tracks.count)")
    self.tracks = InlineArray(repeating: tracks[0])
    last = InlineArray(repeating: 0)
    for index in tracks.indices {
      self.tracks[index] = tracks[index]
      // A track without an allocation yet does not count as paused.
      last[index] = tracks[index].minimum.bitsPerSecond
    }
    count = tracks.count
  }

  /// Last allocation of a track, including packet headers.
  package subscript(track: Int) -> BitRate {
    precondition((0..<count).contains(track), "track \(track) of \(count)")
    return BitRate(bitsPerSecond: last[track])
  }

  /// Allocates an estimate; zero pauses all tracks.
  package mutating func split(_ estimate: BitRate) {
    var shares = InlineArray<8, Int64>(repeating: 0)
    let rate = estimate.bitsPerSecond
    if rate > 0 {
      var minimums: Int64 = 0
      var maximums: Int64 = 0
      for track in 0..<count {
        minimums += tracks[track].minimum.bitsPerSecond
        maximums += tracks[track].maximum.bitsPerSecond
      }
      if !isEnough(rate, minimums: minimums) {
        shareLow(rate, into: &shares)
      } else if rate <= maximums {
        for track in 0..<count { shares[track] = tracks[track].minimum.bitsPerSecond }
        shareByPriority(rate - minimums, into: &shares)
      } else {
        for track in 0..<count { shares[track] = tracks[track].maximum.bitsPerSecond }
        shareEvenly(rate - maximums, upTo: 2, includingPaused: true, into: &shares)
      }
    }
    last = shares
  }

  /// Returns the rate needed to send a track: more than its minimum after a pause.
  private func needed(_ track: Int) -> Int64 {
    let minimum = tracks[track].minimum.bitsPerSecond
    return last[track] == 0 ? minimum + max(minimum / 10, 20_000) : minimum
  }

  private func isEnough(_ rate: Int64, minimums: Int64) -> Bool {
    guard rate >= minimums else { return false }
    let extra = (rate - minimums) / Int64(count)
    for track in 0..<count where tracks[track].minimum.bitsPerSecond + extra < needed(track) { return false }
    return true
  }

  private func shareLow(_ rate: Int64, into shares: inout InlineArray<8, Int64>) {
    var left = rate
    for track in 0..<count where tracks[track].isMinimumEnforced {
      shares[track] = tracks[track].minimum.bitsPerSecond
      left -= shares[track]
    }
    for wasPaused in [false, true] {
      for track in 0..<count where (last[track] == 0) == wasPaused && shares[track] == 0 {
        let needed = needed(track)
        guard left > 0, left >= needed else { continue }
        shares[track] = needed
        left -= needed
      }
    }
    if left > 0 { shareEvenly(left, upTo: 1, includingPaused: false, into: &shares) }
  }

  /// Fills the track with the smallest room per priority first; the others share the remainder by priority.
  private func shareByPriority(_ rate: Int64, into shares: inout InlineArray<8, Int64>) {
    var left = Double(rate)
    var open: UInt8 = (1 << UInt8(count)) &- 1
    var weights = 0.0
    for track in 0..<count { weights += tracks[track].priority }
    func room(_ track: Int) -> Double {
      Double(tracks[track].maximum.bitsPerSecond - tracks[track].minimum.bitsPerSecond)
    }
    while let tightest = (0..<count).filter({ open & 1 << UInt8($0) != 0 })
      .min(by: { room($0) / tracks[$0].priority < room($1) / tracks[$1].priority })
    {
      let priority = tracks[tightest].priority
      let part = min(priority / weights * left, room(tightest))
      shares[tightest] += Int64(part)
      left -= part
      weights -= priority
      open &= ~(1 << UInt8(tightest))
    }
  }

  /// Shares evenly, lowest maximum first, passing on the rate that a track cannot use.
  private func shareEvenly(
    _ rate: Int64, upTo multiple: Int64, includingPaused: Bool, into shares: inout InlineArray<8, Int64>
  ) {
    var left = rate
    var takers = (0..<count).filter { includingPaused || shares[$0] != 0 }
      .sorted { (tracks[$0].maximum, $0) < (tracks[$1].maximum, $1) }
    while let track = takers.first {
      let most = multiple * tracks[track].maximum.bitsPerSecond
      let part = max(0, min(left / Int64(takers.count), most - shares[track]))
      shares[track] += part
      left -= part
      takers.removeFirst()
    }
  }

  /// Returns a video track's allocation minus packet headers (`call/rtp_video_sender.cc`, CalculateOverheadRate).
  ///
  /// Assumes full packets and rounds up their number per second; the extra overhead of smaller packets is not
  /// included.
  ///
  /// - Parameters:
  ///   - share: allocation on the wire.
  ///   - headers: expected RTP header size of a packet [byte].
  package static func payload(of share: BitRate, headers: Int) -> BitRate {
    let around = PacketOverhead.aroundRTP
    let packetBits = Int64(PacketOverhead.largestRTPPacket + around) * 8
    let packets = (share.bitsPerSecond + packetBits - 1) / packetBits
    return share - BitRate(bitsPerSecond: min(packets * Int64(headers + around) * 8, share.bitsPerSecond))
  }

  /// Returns a payload rate minus packetization overhead of frames, at most half of it (`call/rtp_video_sender.cc`,
  /// GetPostEncodeOverhead).
  package static func frames(of payload: BitRate, descriptors: BitRate) -> BitRate {
    payload - min(descriptors, BitRate(bitsPerSecond: payload.bitsPerSecond / 2))
  }
}
