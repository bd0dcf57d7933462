import Quantity

/// Times since a picture in which its tile was granted nothing.
struct WithheldTimes {
  /// Beginning of the one in progress; `nil` while a layer is granted.
  private(set) var since: SimTime?
  private var past = SimDuration.zero
  private var longest: (from: SimTime, to: SimTime) = (.zero, .zero)

  mutating func note(isGranted: Bool, at now: SimTime) {
    guard isGranted else {
      since = since ?? now
      return
    }
    longest = longest(at: now)
    past = total(at: now)
    since = nil
  }

  func total(at now: SimTime) -> SimDuration { since.map { past + (now - $0) } ?? past }

  func longest(at now: SimTime) -> (from: SimTime, to: SimTime) {
    guard let since, now - since > longest.to - longest.from else { return longest }
    return (since, now)
  }
}
