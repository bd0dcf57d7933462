import Ladder
import Media
import Quantity
import SimulationKernel
import Statistics
import Systems
import Transport

/// Everybody's video at its receiver: the clients, and what reaches them.
struct Viewers: ~Copyable {
  let streams: StreamNumbering
  /// By participant; `nil` for one that receives no video.
  var clients: [ViewerClient?]
  /// Whether each participant is a viewer, without a look at the client that would retain its lists.
  let isViewer: [Bool]
  /// By participant: whether it is in the meeting.
  private var isJoined: [Bool]
  /// By encoding: its source, and the length of its groups of frames.
  let encodings: Table<ReceivedEncoding>
  /// By track.
  var receptions: Table<Reception>
  var receivers: Table<VideoReceiver>
  var missing: Table<MissingPackets>
  /// By participant: pixels decoded over the current interval.
  var decodedPixels: Table<Int64>

  /// What a viewer knows of an encoding from its description.
  struct ReceivedEncoding: BitwiseCopyable {
    var source: Int32
    var groupLength: UInt8
  }

  init(_ plan: MeetingPlan, streams: StreamNumbering, seed: RunSeed) {
    var encodings = Table<ReceivedEncoding>()
    for number in streams.sources.indices {
      for encoding in plan.source(number, of: streams)?.ladder.encodings ?? [] {
        let pattern = TemporalPattern(layers: encoding.temporalLayers)
        encodings.append(ReceivedEncoding(source: Int32(number), groupLength: UInt8(pattern.groupLength)))
      }
    }
    self.streams = streams
    clients = plan.participants.indices.map { number in
      plan.client(of: number, streams: streams, seed: seed).map { ViewerClient($0) }
    }
    isViewer = plan.participants.map { $0.view != nil }
    isJoined = plan.participants.map { _ in false }
    self.encodings = encodings
    receptions = Table(repeating: Reception(), count: streams.trackCount)
    receivers = Table(repeating: VideoReceiver(), count: streams.trackCount)
    missing = Table(repeating: MissingPackets(), count: streams.trackCount)
    decodedPixels = Table(repeating: 0, count: streams.participantCount)
  }

  deinit {
    for track in 0..<missing.count { missing[track].deallocate() }
  }

  func isJoined(_ viewer: Int) -> Bool { isJoined[viewer] }

  mutating func setJoined(_ isJoined: Bool, _ viewer: Int) { self.isJoined[viewer] = isJoined }

  // MARK: Tracks

  /// A track begins that nothing was forwarded of.
  mutating func begin(_ track: Int, at now: SimTime) {
    receivers[track].begin(at: now)
    receptions[track].status = receivers[track].status
  }

  /// A track is no longer forwarded.
  mutating func stop(_ track: Int) {
    receivers[track].stop()
    receptions[track].stop()
    receptions[track].status = receivers[track].status
    missing[track].removeAll()
  }

  /// A track's source has stopped: the last picture stays on purpose, which is no freeze.
  mutating func noteStop(of track: Int) {
    if receptions[track].isExpected { receivers[track].freezes.restart() }
  }

  /// The picture that is decoded of a track now.
  func picture(of track: Int, _ sizes: PictureSizes) -> Resolution? {
    guard receptions[track].isExpected, receptions[track].status.isDecodable, receptions[track].size != .max
    else { return nil }
    return sizes[receptions[track].size]
  }

  /// The pixels that a viewer has decoded since the last call.
  mutating func takeDecodedPixels(of viewer: Int) -> Int64 {
    defer { decodedPixels[viewer] = 0 }
    return decodedPixels[viewer]
  }
}

extension MeetingPlan {
  /// A participant's client; `nil` for one that receives no video.
  fileprivate func client(of number: Int, streams: StreamNumbering, seed: RunSeed) -> (any Client)? {
    let own = participants[number]
    guard let view = own.view else { return nil }
    return system.client(
      ClientSetup(
        plan: view, viewer: number, ids: participants.map(\.id),
        receives720p: own.capabilities.receives720p, allowsCustomLayout: own.capabilities.customLayout,
        isLeftOut: leftOut(for: number, streams: streams, seed: seed), sourceCount: streams.sources.count))
  }

  /// Whom a viewer does not get because there are more senders than the system gives one viewer.
  private func leftOut(for viewer: Int, streams: StreamNumbering, seed: RunSeed) -> [Bool] {
    var left = [Bool](repeating: false, count: participants.count)
    let remotes = participants.indices.filter { $0 != viewer && streams.cameraOf[$0] != nil }
    var order = seed.stream("viewer/\(participants[viewer].id)/user-limit")
    let received = system.received(
      from: order.permutation(of: remotes.count).map { remotes[$0] },
      viewerSends: participants[viewer].publishesVideo)
    guard let received else { return left }
    for remote in remotes where !received.contains(remote) { left[remote] = true }
    return left
  }
}
