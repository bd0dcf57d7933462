public import Network
import Quantity
public import SimulationKernel

/// TCP connections of the participants whose media uses them: one for each direction of their path.
///
/// Setting up and tearing down takes no time, as for all connections [our model]. Acknowledgements are packets of their
/// own on the opposite path, where they can be lost.
struct MediaStreams: ~Copyable {
  /// Place of each path's connection; -1 for one without.
  private let places: [Int32]
  private var streams: Table<MediaStream>
  /// Set for the participants that are present.
  private var isOpen: [Bool]
  /// Packets that the full send buffers dropped since the beginning, by the connections' places.
  private var dropped: [Int64]

  init(_ usesStreams: [Bool]) {
    var places: [Int32] = []
    var streams = Table<MediaStream>()
    for isUsed in usesStreams {
      for _ in 0..<2 {
        places.append(isUsed ? Int32(streams.count) : -1)
        if isUsed { streams.append(MediaStream(at: .zero)) }
      }
    }
    self.places = places
    dropped = Array(repeating: 0, count: streams.count)
    self.streams = streams
    isOpen = Array(repeating: false, count: usesStreams.count)
  }

  deinit {
    for place in 0..<streams.count { streams[place].deallocate() }
  }

  var isEmpty: Bool { streams.count == 0 }

  func carries(_ path: Int) -> Bool { places[path] >= 0 }

  /// Returns the place of a path's connection; `nil` where it has none, or its participant is away.
  func place(of path: Int) -> Int? {
    let place = Int(places[path])
    return place >= 0 && isOpen[Path.participant(of: path)] ? place : nil
  }

  subscript(place: Int) -> MediaStream {
    _read { yield streams[place] }
    _modify { yield &streams[place] }
  }

  /// Replaces both connections of a participant, if it has any; nothing sent on the earlier ones arrives any more.
  mutating func open(_ participant: Int, at now: SimTime) {
    isOpen[participant] = true
    for path in [Path.up(participant), Path.down(participant)] where carries(path) {
      streams[Int(places[path])].deallocate()
      streams[Int(places[path])] = MediaStream(at: now)
    }
  }

  mutating func close(_ participant: Int) { isOpen[participant] = false }

  /// Notes a packet that a connection's full send buffer drops.
  mutating func noteDropped(at place: Int) { dropped[place] += 1 }

  /// Returns the packets that the send buffers of a path's connections dropped; 0 for a path without one.
  func droppedPackets(on path: Int) -> Int64 { carries(path) ? dropped[Int(places[path])] : 0 }
}

extension PathLinks {
  /// Checks whether a packet that is sent on a path now is taken: the full send buffer of a TCP connection drops it.
  @inlinable @inline(__always)
  public mutating func takesPacket(on path: Int) -> Bool { !hasStreams || streamTakesPacket(on: path) }

  @usableFromInline
  mutating func streamTakesPacket(on path: Int) -> Bool {
    guard let place = streams.place(of: path), !streams[place].hasRoom else { return true }
    streams.noteDropped(at: place)
    return false
  }

  /// Checks whether a path's packets use a TCP connection.
  package func isStreamed(_ path: Int) -> Bool { streams.carries(path) }

  /// Returns the packets that full send buffers dropped on a path since the beginning.
  package func packetsDroppedBySender(on path: Int) -> Int64 { streams.droppedPackets(on: path) }

  /// Returns the rest of a path's capacity while its connection drains, within a second, what waits for the window
  /// beyond 100 ms of the capacity; at least a tenth [our model: whoever knows the capacity knows what the connection
  /// carries].
  func drainingStream(of path: Int, _ capacity: BitRate) -> BitRate {
    guard let place = streams.place(of: path) else { return capacity }
    let tenth = capacity.bitsPerSecond / 10
    let excess = max(0, Int64(streams[place].waitingBytes) * 8 - tenth)
    return BitRate(bitsPerSecond: max(tenth, capacity.bitsPerSecond - excess))
  }

  /// Writes a packet to the TCP connection of its path, if it has one.
  ///
  /// - Returns: `false` if it has none.
  @usableFromInline
  mutating func sendInStream(_ packet: Packet, on path: Int, kernel: inout Kernel) -> Bool {
    guard streams.carries(path) else { return false }
    if let place = streams.place(of: path) {
      if streamTakesPacket(on: path) { streams[place].append(packet) }
      pump(place, on: path, kernel: &kernel)
    }
    return true
  }

  /// Sends the segments that a connection's window allows, and sets its timer.
  private mutating func pump(_ place: Int, on path: Int, kernel: inout Kernel) {
    while let segment = streams[place].next(to: Path.participant(of: path), at: kernel.now) {
      sendDatagram(segment, on: path, kernel: &kernel)
    }
    setTimer(place, on: path, kernel: &kernel)
  }

  /// Schedules a connection's timer, unless an earlier event is pending, which will reschedule it.
  private mutating func setTimer(_ place: Int, on path: Int, kernel: inout Kernel) {
    let deadline = streams[place].deadline
    guard let time = deadline.time, deadline < streams[place].timerAt else { return }
    streams[place].timerAt = deadline
    kernel.schedule(at: time, tag: MeetingEvent(.connectionTimer, path | MeetingEvent.mediaConnection).tag)
  }

  /// Handles the event of a connection's timer.
  package mutating func streamTimerFired(on path: Int, kernel: inout Kernel) {
    guard let place = streams.place(of: path), streams[place].timerAt == Deadline(kernel.now) else { return }
    streams[place].timerAt = .never
    let participant = Path.participant(of: path)
    if let answer = streams[place].delayedAcknowledgement(to: participant, at: kernel.now) {
      acknowledge(with: answer, on: path, kernel: &kernel)
    }
    streams[place].timeOut(at: kernel.now)
    pump(place, on: path, kernel: &kernel)
  }

  /// Handles a segment at the end of its path; what has arrived with it is then given by ``takeArrived(on:)``.
  package mutating func receiveSegment(_ packet: Packet, on path: Int, kernel: inout Kernel) {
    guard let place = streams.place(of: path) else { return }
    if let answer = streams[place].receive(packet, at: kernel.now) {
      acknowledge(with: answer, on: path, kernel: &kernel)
    }
    setTimer(place, on: path, kernel: &kernel)
  }

  private mutating func acknowledge(with answer: Packet, on path: Int, kernel: inout Kernel) {
    let reverse = Path.reverse(of: path)
    guard exists(reverse) else { return receiveAcknowledgement(answer, on: path, kernel: &kernel) }
    sendDatagram(answer, on: reverse, kernel: &kernel)
  }

  /// Handles an acknowledgement that has returned to the beginning of a path.
  package mutating func receiveAcknowledgement(_ packet: Packet, on path: Int, kernel: inout Kernel) {
    guard let place = streams.place(of: path) else { return }
    streams[place].acknowledge(packet, at: kernel.now)
    pump(place, on: path, kernel: &kernel)
  }

  /// Returns the next packet that has arrived over a path's connection, in order.
  package mutating func takeArrived(on path: Int) -> Packet? {
    guard let place = streams.place(of: path) else { return nil }
    return streams[place].takeArrived()
  }
}
