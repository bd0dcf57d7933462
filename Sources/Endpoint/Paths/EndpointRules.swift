import CongestionControl
import Plan
import Quantity
import Systems

/// How the ends of paths pace, report and estimate, by the estimators of the two directions and the SFU's forwarding.
public struct EndpointRules: Sendable {
  /// Set if senders pace and receivers report on uplinks.
  @usableFromInline let hasFeedbackUp: Bool
  /// Set if senders pace and receivers report on downlinks.
  @usableFromInline let hasFeedbackDown: Bool
  @usableFromInline let isDownAllocatorDriven: Bool
  /// Set if receivers estimate their downlinks.
  @usableFromInline let receiversEstimate: Bool
  @usableFromInline let voicesHaveFeedback: Bool
  @usableFromInline let downVoicesHaveFeedback: Bool
  /// Set if the SFU's packets pass a pacer where their path has feedback.
  @usableFromInline let pacesDown: Bool
  /// Set if the SFU pads beside packets that it does not pace.
  let padsDown: Bool
  /// Set if the ends exchange RTCP reports; otherwise round trips are known.
  package let hasReports: Bool
  /// Time between two sender reports of the SFU; `nil` for libwebrtc's rule.
  private let senderReports: ClosedRange<SimDuration>?

  init(_ plan: MeetingPlan, up: EstimatorTraits, down: EstimatorTraits) {
    let forwarding = plan.system.traits.forwarding
    hasFeedbackUp = up.input == .transportFeedback
    hasFeedbackDown = down.input == .transportFeedback
    isDownAllocatorDriven = down.isAllocatorDriven
    hasReports = up.input != .capacity || down.input != .capacity
    receiversEstimate = plan.downEstimator.receiver != nil
    voicesHaveFeedback = plan.voicesHaveFeedback
    downVoicesHaveFeedback = forwarding.reportsVoices
    pacesDown = forwarding.sending == .paced
    padsDown = forwarding.sending == .unpaced
    senderReports = forwarding.senderReports
  }

  /// Checks whether a path's sender paces and its receiver reports.
  @inlinable @inline(__always)
  public func usesFeedback(on path: Int) -> Bool { Path.isUp(path) ? hasFeedbackUp : hasFeedbackDown }

  /// Checks whether an allocator drives a path's estimator; its packets are not paced.
  @inlinable @inline(__always)
  public func isAllocatorDriven(_ path: Int) -> Bool { isDownAllocatorDriven && !Path.isUp(path) }

  /// Checks whether a path's receiver estimates and its sender follows the estimates.
  @inlinable @inline(__always)
  public func receivesEstimates(on path: Int) -> Bool { receiversEstimate && !Path.isUp(path) }

  /// Checks whether a path's receiver reports on voices.
  @inlinable public func reportsVoice(on path: Int) -> Bool {
    Path.isUp(path) ? voicesHaveFeedback : downVoicesHaveFeedback
  }

  /// Checks whether a path's packets pass a pacer if it has feedback.
  @inlinable @inline(__always)
  public func paces(_ path: Int) -> Bool { Path.isUp(path) || pacesDown }

  /// Returns the time between two sender reports of a server with its own rule; `nil` elsewhere.
  func senderReports(on path: Int) -> ClosedRange<SimDuration>? { Path.isUp(path) ? nil : senderReports }
}
