package import Endpoint
package import Ladder
import Media
package import Network
import Plan
package import Quantity
package import SimulationKernel
import Systems
package import Transport

/// The video that reaches the viewers, by track.
package struct VideoReceptions: ~Copyable {
  let streams: StreamNumbering
  /// Encodings as described to viewers: the source, and the length of frame groups.
  package let encodings: Table<ReceivedEncoding>
  var tracks: Table<Reception>
  /// Receivers, by track.
  package var receivers: VideoReceivers
  /// Missing packets, by track.
  package var missing: Table<MissingPackets>
  /// State common to the tracks of a viewer, by viewer.
  package var viewers: Table<Viewer>
  /// Streams whose pictures have started, changed size or ended, and whose clients have yet to be notified.
  package private(set) var streamChanges: [StreamChange] = []
  /// Set if missing packets are requested while waiting for a key frame.
  let keepsMissingPackets: Bool
  /// Modes of scalable sources as described to viewers; `nil` for any other source.
  let modes: [ScalabilityMode?]

  /// Tracks of one viewer.
  package struct Viewer: BitwiseCopyable {
    package var isJoined = false
    /// Participant whose media it receives without the server; `nil` for none.
    package var peer: UInt16?
    /// Set while track changes are not yet part of the client's knowledge.
    var hasNews = true
    /// Time before which none of its tracks needs attention.
    var attendedAt = Deadline.never
    /// Number of pixels decoded in the current interval.
    var decodedPixels: Int64 = 0
    /// RTP bytes of padding received so far.
    package var paddingBytes: Int64 = 0
  }

  /// The start, change of size or end of a stream's picture, by the number of the size; `.max` for no stream.
  package struct StreamChange: BitwiseCopyable {
    package var viewer: Int
    package var source: Int
    package var from: UInt16
    package var to: UInt16
  }

  /// A viewer's knowledge of an encoding from its description.
  package struct ReceivedEncoding: BitwiseCopyable {
    package var source: Int32
    package var groupLength: UInt8
    /// Spatial layer in a scalable stream; -1 for an encoding in a separate stream.
    package var spatial: Int8 = -1
  }

  init(_ plan: MeetingPlan, streams: StreamNumbering) {
    var encodings = Table<ReceivedEncoding>()
    for number in streams.sources.indices {
      let ladder = plan.source(number, of: streams)?.ladder
      for (index, encoding) in (ladder?.encodings ?? []).enumerated() {
        let pattern = TemporalPattern(layers: encoding.temporalLayers)
        var received = ReceivedEncoding(source: Int32(number), groupLength: UInt8(pattern.groupLength))
        if ladder?.isLayered == true { received.spatial = Int8(index) }
        encodings.append(received)
      }
    }
    self.streams = streams
    self.encodings = encodings
    tracks = Table(repeating: Reception(), count: streams.trackCount)
    receivers = VideoReceivers(tracks: streams.trackCount, hasAssemblies: streams.hasScalableSources)
    missing = Table(repeating: MissingPackets(), count: streams.trackCount)
    viewers = Table(repeating: Viewer(), count: streams.participantCount)
    keepsMissingPackets = plan.system.traits.keepsMissingPackets
    modes = streams.sources.indices.map { plan.source($0, of: streams)?.layeredMode }
  }

  deinit {
    for track in 0..<missing.count { missing[track].deallocate() }
  }

  /// Reception of a track.
  package subscript(track: Int) -> Reception {
    @inline(__always) unsafeAddress { UnsafePointer(tracks.address(of: track)) }
    @inline(__always) unsafeMutableAddress { tracks.address(of: track) }
  }

  /// Notes received padding, which belongs to no track.
  @inline(__always)
  package mutating func notePadding(_ packet: Packet) {
    viewers[Int(packet.destination)].paddingBytes += packet.rtpBytes
  }

  /// Sets whether the SFU forwards a source to a viewer.
  package mutating func expect(_ isGiven: Bool, source: Int, by viewer: Int, at now: SimTime) {
    let track = streams.track(viewer: viewer, source: source)
    guard isGiven != tracks[track].isExpected else { return }
    tracks[track].isExpected = isGiven
    if isGiven {
      if let mode = modes[source] { receivers.beginAssembly(of: track, mode) }
      receivers[track].begin(at: now)
    } else {
      receivers[track].stop()
      tracks[track].stop()
      missing[track].removeAll()
      noteSize(.max, of: track)
    }
    viewers[viewer].hasNews = true
    followStatus(of: track, viewer, at: now)
  }

  /// Updates the status reported by a track's receiver.
  @inline(__always)
  mutating func followStatus(of track: Int, _ viewer: Int, at now: SimTime) {
    let status = receivers[track].status
    if status.isDecodable != tracks[track].status.isDecodable {
      viewers[viewer].hasNews = true
      if status.isDecodable { tracks[track].decodableSince = now }
    }
    tracks[track].status = status
    viewers[viewer].attendedAt = min(viewers[viewer].attendedAt, status.keyFrameDueAt)
  }

  /// Notes the size of a track's picture from now on.
  @inline(__always)
  mutating func noteSize(_ size: UInt16, of track: Int) {
    let told = tracks[track].toldSize
    guard size != told else { return }
    tracks[track].toldSize = size
    viewers[track / streams.sourceCount].hasNews = true
    streamChanges.append(
      StreamChange(
        viewer: track / streams.sourceCount, source: track % streams.sourceCount, from: told, to: size))
  }

  package mutating func takeStreamChanges() -> [StreamChange] {
    defer { streamChanges.removeAll(keepingCapacity: true) }
    return streamChanges
  }

  /// Notes that a track's source has stopped: the last picture stays deliberately, which does not count as a freeze.
  package mutating func noteStop(of source: Int, to viewer: Int) {
    let track = streams.track(viewer: viewer, source: source)
    if tracks[track].isExpected { receivers[track].freezes.restart() }
  }

  /// Checks whether a viewer's receiver still requests key frames of a source.
  package func asksForKeyFrames(of source: Int, _ viewer: Int, at now: SimTime) -> Bool {
    let track = streams.track(viewer: viewer, source: source)
    return tracks[track].isExpected && receivers[track].isAttentive(at: now)
  }

  /// Begins a track's counts of an interval.
  package mutating func beginInterval(of track: Int) { tracks[track].beginInterval(receivers[track]) }

  /// Checks whether a viewer's tracks have changed since the last call, for what its client knows.
  mutating func takeNews(of viewer: Int) -> Bool {
    defer { viewers[viewer].hasNews = false }
    return viewers[viewer].hasNews
  }

  /// Returns the size of a track's currently decoded picture.
  package func picture(of track: Int, _ sizes: PictureSizes) -> Resolution? {
    guard tracks[track].isExpected, tracks[track].status.isDecodable, let size = tracks[track].shownSize
    else { return nil }
    return sizes[size]
  }

  /// Returns the number of pixels that a viewer has decoded since the last call.
  package mutating func takeDecodedPixels(of viewer: Int) -> Int64 {
    defer { viewers[viewer].decodedPixels = 0 }
    return viewers[viewer].decodedPixels
  }
}
