import ArgumentParser
import Plan
import Quantity
import Scenario

/// Options that name a viewer and a moment.
enum ViewerOption {
  /// Returns the number of the participant named by an option.
  static func number(of id: String, in plan: MeetingPlan, option: String = "--viewer") throws -> Int {
    if let number = plan.participants.firstIndex(where: { $0.id == id }) { return number }
    throw ValidationError(
      "\(option): there is no participant '\(id)': \(Suggestion.text(for: id, among: plan.participants.map(\.id)))"
    )
  }

  /// Returns the moment named by `--at`; it must not be after the end of the meeting.
  static func moment(_ text: String, in plan: MeetingPlan) throws -> SimTime {
    let time: SimDuration
    do {
      time = try SimDuration(text: text)
    } catch {
      throw ValidationError("--at: \(error)")
    }
    guard time <= plan.duration else {
      throw ValidationError("--at '\(text)' is after the end of the meeting, which lasts \(plan.duration)")
    }
    return .zero + time
  }
}
