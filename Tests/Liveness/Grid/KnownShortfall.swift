/// Cells that fall short because real systems do as well.
enum KnownShortfall {
  /// The reasons, as they stand below the table.
  static let reasons = [
    """
    filled-1: the oracle's layers take more than 0.85 of the link, and the next lower ones less than the bound. To 0.85
      of what arrives Google Congestion Control goes down with each overuse (libwebrtc aimd_rate_control.cc); for want
      of finer layers Google Meet fills 39 to 70 % of downlinks below 0.8 Mbit/s (MacMillan et al., IMC 2021, 3.1).
    """,
    """
    filled-8: the same beyond 0.67 of the link. With four and with eight tiles a real server fills 0.67 to 0.94 of a
      narrow link (recordings of LiveKit 1.13.5 with Chromium 156).
    """,
    """
    pictures: more pictures than the oracle shows, in fewer bits. It has no pacer and no measured round trip: a viewer
      who begins with more than the link carries keeps it full of repairs.
    """,
  ]

  /// The share of a narrow link that real systems fill at least.
  static func filledShare(of cell: LivenessCell) -> Double { cell.people > 2 ? 0.67 : 0.85 }

  /// Why a cell falls short; `nil` where it must not.
  static func reason(for shortfall: LivenessResult.Shortfall, of result: LivenessResult) -> String? {
    if shortfall == .delivered,
      LivenessResult.Bound.pictureShare * result.pictureShare > result.oraclePictureShare
    {
      return "pictures"
    }
    guard shortfall != .gap, !result.remaining.contains(shortfall) else { return nil }
    return result.cell.people > 2 ? "filled-8" : "filled-1"
  }
}
