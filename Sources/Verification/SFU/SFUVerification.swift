import Meeting
import Scenario

/// Comparison of simulated meetings with recordings of a real SFU.
package enum SFUVerification {
  /// A recorded setup compared with its simulations.
  package struct Outcome: Sendable {
    package let name: String
    package let comparison: CourseComparison
    /// The first seed's run as a table in the recording's format.
    package let table: String
  }

  /// A setup that cannot be simulated.
  package struct Failure: Error, Sendable {
    /// Errors, each as `file:line:column: error: text`.
    package let lines: [String]
  }

  /// Simulates a setup with every seed and compares the means with the recording.
  package static func run(_ setup: SFUFolder.Setup) throws(Failure) -> Outcome {
    let meeting = try meeting(of: setup)
    let runs = ParallelRuns.map(SimulatedMeeting.seeds) { meeting.run(seed: $0) }
    return Outcome(
      name: setup.name, comparison: CourseComparison(setup.recording, simulated: runs.map(\.course)),
      table: runs.first?.csv ?? "")
  }

  private static func meeting(of setup: SFUFolder.Setup) throws(Failure) -> SimulatedMeeting {
    let loaded: LoadedScenario
    do throws(ScenarioError) {
      loaded = try ScenarioReader.read(path: setup.scenario)
    } catch {
      throw Failure(lines: error.diagnostics.map(\.description))
    }
    do throws(RecordingError) {
      return try SimulatedMeeting(setup.recording, scenario: loaded)
    } catch {
      throw Failure(lines: [error.description])
    }
  }
}
