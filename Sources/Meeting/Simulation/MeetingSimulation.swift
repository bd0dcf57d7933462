import Allocation
import CongestionControl
import Ladder
import Media
import Metrics
import Network
import Quantity
import SimulationKernel
import Statistics
import Transport

/// A meeting that runs: the state of everybody and everything, and what each event does to it.
///
/// One room per subject: publishing, transport, forwarding, receiving, wishes, allocating, the timeline and sampling
/// are extensions in files of their own.
struct MeetingSimulation: ~Copyable, EventModel {
  var plan: MeetingPlan
  var seed: UInt64
  var repetition: Int
  var policy: any AllocationPolicy
  /// The name of its type, as `decisions.csv` has it.
  var policyRule: String

  var participants: [ParticipantState]
  var sources: [SourceState] = []
  var encodings: [EncodingState] = []
  /// By participant; `nil` for one that receives no video.
  var viewers: [ViewerState?]
  /// Whether each participant is one, without a look at the state that would retain its lists.
  var isViewer: [Bool]
  /// The camera and the screen share of each participant.
  var cameraOf: [Int?]
  var screenOf: [Int?]
  /// Picture sizes that packets refer to by number.
  var formats: [Resolution] = []

  var network: LinkTable
  var capacities: [CapacityMeter]
  /// The present propagation delay of each link.
  var linkDelays: [SimDuration]
  var linkRoles: [LinkRole]
  /// How many joined participants use each link.
  var sharers: [Int]
  /// First link of each path; `.max` for a path that is not there.
  var firstLink: [UInt16]
  var paths: Table<PathState>
  var controllers: RateControllers
  var repairs: RepairState
  /// Whether senders pace and receivers report.
  var usesFeedback: Bool
  /// Participants that hear voices, in order.
  var listeners: [UInt16] = []
  /// Voices that the SFU forwards now.
  var isForwardedVoice: [Bool]
  var voices: VoiceState
  var talkSpurts: [TalkSpurtModel]
  /// When each voice's next packet is due; an event at another time is one that a turn of speech has overtaken.
  var voiceDueAt: [SimTime?]

  var crossFlows: [CrossFlowState] = []
  /// When each flow that goes on and off changes next.
  var crossToggleAt: [SimTime]

  var tracks: Table<Track>
  /// By track.
  var receivers: Table<VideoReceiver>
  /// By track: the last wish and grant.
  var wishes: WishTable
  var grants: [Grant?]
  /// For each encoding, room for every participant: the viewers that get it, in the order in which they came.
  var viewersOfEncoding: Table<UInt16>

  var recorder: ResultRecorder
  var tiles: TileSummaries
  var linkMarks: [LinkCounters]
  /// Sums over the links of the greatest queue delay of the whole run [ns].
  var queueDelayMaxima: [Int64]
  var interval: SimDuration

  var reallocation = ReallocationRule()

  static let estimatePeriod = SimDuration.milliseconds(200)
  static let repairPeriod = SimDuration.milliseconds(20)
  static let controlPeriod = EstimatorConfiguration.processInterval
  /// The SFU asks a publisher for key frames at most this often (LiveKit's throttle for low layers; libwebrtc answers
  /// every 300 ms at most).
  static let requestSpacing = SimDuration.milliseconds(500)
  static let answerSpacing = SimDuration.milliseconds(300)

  deinit {
    for path in 0..<paths.count { paths[path].deallocate() }
    for flow in crossFlows { flow.answers.deallocate() }
  }

  /// Number of a viewer's track of a source.
  @inline(__always)
  func trackNumber(viewer: Int, source: Int) -> Int { viewer * sources.count + source }

  mutating func handle(_ event: Event, kernel: inout Kernel) {
    if event.tag < 1 << MeetingEvent.indexBits {
      arrive(at: UInt16(truncatingIfNeeded: event.tag), kernel: &kernel)
      return
    }
    guard let event = MeetingEvent(tag: event.tag) else { return }
    switch event.kind {
    case .linkArrival: break
    case .capture: capture(source: event.index, kernel: &kernel)
    case .voice: speak(participant: event.index, kernel: &kernel)
    case .talkSpurt: turnTalkSpurt(of: event.index, kernel: &kernel)
    case .mix: mixVoices(kernel: &kernel)
    case .timeline: happen(plan.timeline[event.index], kernel: &kernel)
    case .estimate: estimate(kernel: &kernel)
    case .allocate: allocateDue(viewer: event.index, kernel: &kernel)
    case .encodingsWanted: learnWanted(source: event.index)
    case .keyFrameCheck: checkKeyFrame(of: event.index, kernel: &kernel)
    case .join: join(event.index, kernel: &kernel)
    case .pace: pace(event.index, kernel: &kernel)
    case .feedback: report(on: event.index, kernel: &kernel)
    case .senderReport: sendSenderReport(on: event.index, kernel: &kernel)
    case .receiverReport: sendReceiverReport(on: event.index, kernel: &kernel)
    case .control: control(kernel: &kernel)
    case .repair: repair(kernel: &kernel)
    case .crossSwitch: switchCrossTraffic(event.index, kernel: &kernel)
    case .crossTimer: crossTimer(event.index, kernel: &kernel)
    case .crossAcknowledgement: acknowledgeCross(event.index, kernel: &kernel)
    case .crossDelayedAnswer: answerDelayed(event.index, kernel: &kernel)
    case .wakeClient: wakeClient(of: event.index, kernel: &kernel)
    }
  }
}

/// Where a link leads.
enum LinkRole: Equatable {
  case toSFU
  case toParticipant
  /// To another link on the way up.
  case onward(UInt16)
  /// From a link that several share, to wherever the way up of the packet's participant goes.
  case alongWayUp
  /// The same on the way down.
  case alongWayDown
}
