import Files
import Meeting
import Plan
import Quantity
package import Scenario

/// Setup of a recording as a meeting to simulate.
package struct SimulatedMeeting: Sendable {
  /// Id of the participant whose tiles are recorded.
  package static let viewerID = "viewer"
  /// Seeds of the runs over which a recording's counterpart is averaged.
  package static let seeds: [UInt64] = Array(1...10)

  /// Maximum time from the scenario's end to the last sample; the meeting is simulated up to that sample.
  private static let lateness = SimDuration.seconds(1)

  private let recording: SFURecording
  private let plan: MeetingPlan
  private let viewer: Int
  /// Index of each tile's source in a run's reports.
  private let sources: [Int]
  private let times: [SimTime]

  /// - Throws: ``RecordingError`` if the scenario does not match the recording.
  package init(_ recording: SFURecording, scenario: LoadedScenario) throws(RecordingError) {
    var plan = scenario.plan
    func error(_ text: String) -> RecordingError {
      RecordingError(path: scenario.file, line: nil, text: text)
    }
    guard let viewer = plan.participants.firstIndex(where: { $0.id == Self.viewerID }) else {
      throw error("there is no participant '\(Self.viewerID)', whose tiles were recorded")
    }
    let names = plan.sources(besides: viewer)
    var sources: [Int] = []
    if let publishers = recording.publishers {
      for publisher in publishers {
        guard let place = names.firstIndex(of: publisher) else {
          throw error("no video of '\(publisher)', whom \(recording.path) has")
        }
        sources.append(place)
      }
    } else {
      guard names.count == 1 else {
        throw error("\(names.count) sources, but \(recording.path) has no column 'publisher'")
      }
      sources = [0]
    }
    let join = plan.participants[viewer].joinsAt
    times = recording.times.map { join + .milliseconds(Int64(($0 * 1000).rounded())) }
    let last = times.last ?? .zero
    if last > SimTime.zero + plan.duration + Self.lateness {
      let end = last.sinceStart.seconds.text(decimals: 2)
      throw error("the scenario ends at \(plan.duration), the recording at \(end) s of its time")
    }
    plan.duration = max(plan.duration, last.sinceStart)
    self.recording = recording
    self.plan = plan
    self.viewer = viewer
    self.sources = sources
  }

  /// Simulates the meeting, sampled at the times of the recording.
  package func run(seed: UInt64) -> SimulatedCourse {
    var plan = plan
    JoinShift.apply(to: &plan, viewer: viewer, seed: seed)
    return SimulatedCourse(
      recording, sources: sources,
      ReceptionCourse(of: plan, seed: seed, viewer: viewer, at: times))
  }
}
