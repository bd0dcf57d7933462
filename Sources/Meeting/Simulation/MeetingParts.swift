import Endpoint
import Media
import Plan
import Publishing
import Serving
import Systems
import Viewing

/// The parts of a running meeting: the three ends and the connections between them. Each owns its state.
struct MeetingParts: ~Copyable {
  let plan: MeetingPlan
  let streams: StreamNumbering
  /// Cached value of ``SystemTraits/keepsStarvedStreams``, which is read for every tile.
  let keepsStarvedStreams: Bool
  var people: People
  var publishers: Publishers
  var net: Connections
  var sfu: SFU
  var viewers: Viewers
  var listeners: Listeners

  /// Builds the parts from a plan; nobody has joined yet.
  init(_ plan: MeetingPlan, seed: RunSeed) {
    let streams = StreamNumbering(plan)
    self.plan = plan
    self.streams = streams
    keepsStarvedStreams = plan.system.traits.keepsStarvedStreams
    people = People(plan, seed: seed)
    var sizes = PictureSizes()
    let publishers = Publishers(plan, streams: streams, seed: seed, &sizes)
    let directory = Directory(members: plan.listings(streams), sources: publishers.announcements)
    self.publishers = publishers
    net = Connections(
      Endpoints(plan, seed: seed), PathLinks(plan, seed: seed),
      Signalling(
        paths: 2 * plan.participants.count, sharesLinks: plan.system.traits.negotiation != nil, directory),
      sizes)
    sfu = SFU(plan, streams: streams, directory: directory)
    viewers = Viewers(plan, streams: streams, directory: directory, seed: seed)
    listeners = Listeners(
      packetTimes: plan.participants.map(\.voice.packetTime), hearsMixes: plan.audioForwarding == .mixed)
  }
}
