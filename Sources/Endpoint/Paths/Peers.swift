import CongestionControl
package import SimulationKernel
import Transport

/// Participants' ends of peer-to-peer connections.
package struct Peers {
  private let participantCount: Int
  /// Participant at the other end of each participant's last connection; `nil` before the first.
  private var others: [Int?]
  /// Flags, by participant, set while its end is open: its media uses the connection.
  private var isOpen: [Bool]

  init(participants count: Int) {
    participantCount = count
    others = Array(repeating: nil, count: count)
    isOpen = Array(repeating: false, count: count)
  }

  /// Returns the participant to which a participant sends its media; `nil` if that is the server.
  package func peer(of participant: Int) -> Int? { isOpen[participant] ? others[participant] : nil }

  /// Returns the participant at the other end of a participant's last connection; `nil` before the first.
  package func lastPeer(of participant: Int) -> Int? { others[participant] }

  /// Returns the path on which a participant's media leaves.
  package func sendingPath(of participant: Int) -> Int {
    Path.up(isOpen[participant] ? participantCount + participant : participant)
  }

  /// Returns the participant that a connection or a participant belongs to, by its number in a path.
  package func participant(_ number: Int) -> Int {
    number < participantCount ? number : number - participantCount
  }

  /// Returns the path whose estimate sets the interval of the feedback on a path: that of its receiver's own media.
  func feedbackPath(of path: Int) -> Int {
    let number = Path.participant(of: path)
    guard number >= participantCount, let other = others[number - participantCount] else {
      return Path.reverse(of: path)
    }
    return Path.up(participantCount + other)
  }

  mutating func connect(_ first: Int, _ second: Int) {
    for (own, other) in [(first, second), (second, first)] {
      others[own] = other
      isOpen[own] = true
    }
  }

  mutating func close(_ participant: Int) { isOpen[participant] = false }
}

extension Endpoints {
  /// Returns the path on which a participant's media leaves: its uplink, or that of its peer-to-peer connection.
  @inline(__always)
  package func sendingPath(of participant: Int) -> Int { peers.sendingPath(of: participant) }

  /// Opens both ends of a connection between two participants, over which their media leaves from now on. The uplinks'
  /// pacers drop what waits in them; their estimators keep their state.
  package mutating func connect(
    _ first: Int, _ second: Int, _ links: borrowing PathLinks, kernel: inout Kernel
  ) {
    peers.connect(first, second)
    for participant in [first, second] {
      paths[Path.up(participant)].pacer.removeAll()
      setDemand(.init(), on: Path.up(participant), at: kernel.now)
      let path = Path.up(links.peerConnection(of: participant))
      openPath(path, at: kernel.now)
      beginReports(on: path, kernel: &kernel)
    }
  }

  /// Closes a participant's end of its connection to another: its media leaves over its uplink from now on.
  package mutating func disconnect(_ participant: Int, _ links: borrowing PathLinks) {
    peers.close(participant)
    close(links.peerConnection(of: participant))
  }
}
