import Endpoint
import Plan
import Publishing
import Quantity
import SimulationKernel
import Systems
import TestSupport
import Testing

@Suite("Messages of publishers")
struct AnnouncementTests {
  /// Returns the states of sources that are in flight on a path.
  private func states(on path: Int, _ net: inout Connections) -> [String] {
    var states: [String] = []
    while let message = net.signalling.receive(on: path, net.links) {
      guard case .source(let source, let state) = message else { continue }
      states.append("\(source) \(state.isCapturing ? "starts" : "stops")")
    }
    return states
  }

  /// Returns what the publishers have left for their own clients.
  private func cameras(_ publishers: inout Publishers) -> [String] {
    var cameras: [String] = []
    for record in publishers.records {
      guard case .camera(let participant, let isOn) = record else { continue }
      cameras.append("\(participant) \(isOn ? "on" : "off")")
    }
    publishers.records = []
    return cameras
  }

  /// A state is signalled once; a participant who leaves signals that the camera stops.
  @Test func aCameraThatStartsIsToldToTheSFUAndToItsClient() throws {
    let plan = try MeetingPlan.small()
    let streams = StreamNumbering(plan)
    let seed = RunSeed(seed: 1, repetition: 0)
    var sizes = PictureSizes()
    var publishers = Publishers(plan, streams: streams, seed: seed, &sizes)
    let directory = Directory(members: plan.listings(streams), sources: publishers.announcements)
    var net = Connections(
      Endpoints(plan, seed: seed), PathLinks(plan, seed: seed),
      Signalling(paths: 6, sharesLinks: false, directory), sizes)
    var kernel = Kernel()
    var told: [[String]] = []
    for isJoined in [true, true, false] {
      if isJoined { publishers.join(0, at: .zero) } else { publishers.leave(0) }
      publishers.refreshSources(of: 0, &net, kernel: &kernel)
      told.append(states(on: Path.up(0), &net) + cameras(&publishers))
    }
    #expect(told == [["0 starts", "0 on"], [], ["0 stops", "0 off"]])
  }
}
