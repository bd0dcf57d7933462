/// Facts about a tile that determine its ``Limitation``, gathered once.
///
/// The first six are mutually exclusive: the standard by which the tile is judged. None of them is set for a tile that
/// is not shown.
package struct TileFacts: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  private init(bit: UInt32) { rawValue = 1 << bit }

  // MARK: Standard

  /// The granted layer is not currently sent, as may happen with a server that sees only packets.
  package static let isGivenUnsent = TileFacts(bit: 0)
  /// The decided layer would meet the request, so its delivery counts.
  package static let isDelivery = TileFacts(bit: 1)
  /// The source has nothing better to send, or nothing at all.
  package static let isTop = TileFacts(bit: 2)
  /// The viewer's device denies more.
  package static let isDeviceLimit = TileFacts(bit: 3)
  /// The rule knows its own constraint, so what it reports counts.
  package static let isRuled = TileFacts(bit: 4)
  /// Nothing constrains the rule, so whatever would have to change for the tile to improve counts.
  package static let isOpen = TileFacts(bit: 5)

  // MARK: Reported by the rule

  package static let saysOffScreen = TileFacts(bit: 6)
  package static let saysMuted = TileFacts(bit: 7)
  package static let saysSenderUplink = TileFacts(bit: 8)
  package static let saysStarting = TileFacts(bit: 9)
  package static let saysRequestCap = TileFacts(bit: 10)
  package static let saysBandwidth = TileFacts(bit: 11)
  package static let saysHold = TileFacts(bit: 12)
  package static let saysSwitching = TileFacts(bit: 13)
  package static let saysPolicy = TileFacts(bit: 14)

  // MARK: Starts

  package static let isSourceStarting = TileFacts(bit: 15)
  package static let isViewerStarting = TileFacts(bit: 16)

  // MARK: Delivery

  /// The sender's uplink loses most frames, or the encoder makes smaller pictures for it.
  package static let isCutByUplink = TileFacts(bit: 17)
  /// The encoder makes smaller pictures than requested because of its app's maximum rate, its start, its own wait or
  /// other viewers.
  package static let isSmallerBySender = TileFacts(bit: 18)
  package static let isSmallerByStart = TileFacts(bit: 19)
  package static let isSmallerByHold = TileFacts(bit: 20)
  package static let isSmallerByPolicy = TileFacts(bit: 21)
  /// The downlink loses most frames, or the stream exceeds the budget.
  package static let isLostDown = TileFacts(bit: 22)
  package static let isSwitching = TileFacts(bit: 23)
  /// The layer has more frames than requested.
  package static let isFaster = TileFacts(bit: 24)

  // MARK: Possibilities

  /// The source has requested layers above the granted one and sends none of them.
  package static let isRestUnsent = TileFacts(bit: 25)
  /// The rule would give more on ample links.
  package static let isBelowDesire = TileFacts(bit: 26)
  /// The layer that the rule would give is not sent, or was cut off by the sender's uplink.
  package static let isDesireUnsent = TileFacts(bit: 27)
  /// The client has fallen back on a weak downlink.
  package static let isWithheld = TileFacts(bit: 28)
  package static let isCutByDevice = TileFacts(bit: 29)
  /// A picture-in-picture window that is smaller than the request admits no more.
  package static let isCutByWindow = TileFacts(bit: 30)
  /// The source's next layer is within the request.
  package static let isNextRequested = TileFacts(bit: 31)
}

/// Row of the table of limitations: a limitation, its meaning, and the facts for which it holds. The first row that
/// holds determines the limitation.
package struct LimitationRow: Sendable {
  package let word: Limitation
  /// Condition under which the limitation is reported: a phrase without an initial capital or a full stop.
  package let meaning: String
  /// Sets of facts, one of which has to hold.
  let cases: [Case]

  /// Facts that must all be true, and facts that must all be false.
  struct Case: Sendable {
    let facts: TileFacts
    let others: TileFacts

    init(_ facts: TileFacts, but others: TileFacts = []) {
      self.facts = facts
      self.others = others
    }
  }

  private init(_ word: Limitation, _ meaning: String, _ cases: [Case]) {
    self.word = word
    self.meaning = meaning
    self.cases = cases
  }

  /// Checks whether the row holds for a tile for which no row above holds.
  package func holds(for tile: TileFacts) -> Bool {
    cases.contains { tile.isSuperset(of: $0.facts) && tile.isDisjoint(with: $0.others) }
  }

  /// All rows, in the order in which they are checked.
  package static let table = [
    LimitationRow(.offScreen, "the tile is not on the screen", [Case(.saysOffScreen)]),
    LimitationRow(.muted, "the source is muted or gone", [Case(.saysMuted)]),
    LimitationRow(
      .sender, "the camera, its capture rate or the ladder's top are below what was asked for",
      [Case(.isTop), Case([.isDelivery, .isSmallerBySender])]),
    LimitationRow(
      .senderUplink,
      "the encoding that was asked for is off, smaller or lost because the sender's uplink does not carry it, or has only "
        + "just begun to",
      [
        Case(.isGivenUnsent, but: .isSourceStarting),
        Case([.isDelivery, .isCutByUplink], but: .isSourceStarting),
        Case([.isRuled, .saysRequestCap, .isRestUnsent], but: .isSourceStarting),
        Case([.isOpen, .isBelowDesire, .isDesireUnsent], but: .isSourceStarting),
        Case([.isOpen, .saysSenderUplink, .isWithheld], but: [.isSourceStarting, .isBelowDesire]),
      ]),
    LimitationRow(
      .starting,
      "the encoding is off, or the estimate low, because it began less than 10 s ago, and the links would carry it",
      [
        Case([.isGivenUnsent, .isSourceStarting]),
        Case([.isDelivery, .isCutByUplink, .isSourceStarting]), Case([.isDelivery, .isSmallerByStart]),
        Case([.isRuled, .saysStarting]), Case([.isRuled, .saysBandwidth, .isViewerStarting]),
        Case([.isOpen, .isBelowDesire, .isSourceStarting]),
        Case([.isOpen, .saysSenderUplink, .isWithheld, .isSourceStarting]),
      ]),
    LimitationRow(
      .device, "the decode limit that is stated for the participant's device",
      [
        Case(.isDeviceLimit), Case([.isOpen, .isCutByDevice], but: .isBelowDesire),
        // A server may choose differently among the layers that the device decodes.
        Case([.isOpen, .isCutByDevice], but: .saysPolicy),
      ]),
    LimitationRow(
      .requestCap, "the viewer's own call or setting: 720p gate, receive cap, preferred resolution, window",
      [Case([.isRuled, .saysRequestCap]), Case([.isOpen, .isCutByWindow], but: .isBelowDesire)]),
    LimitationRow(
      .layerMissing,
      "the source's layers leave a gap: the next one would exceed what was asked for, or the cap",
      [Case(.isOpen, but: [.isBelowDesire, .isNextRequested])]),
    LimitationRow(
      .bandwidth,
      "the viewer's budget does not carry the next layer, or all frames of the given one, or its downlink loses most",
      [
        Case([.isRuled, .saysBandwidth]),
        Case([.isDelivery, .isLostDown], but: [.isSmallerByHold, .isSmallerByPolicy]),
      ]),
    LimitationRow(
      .hold, "the rule, or the sender's encoder, waits: time since a downgrade, hysteresis",
      [Case([.isRuled, .saysHold]), Case([.isDelivery, .isSmallerByHold])]),
    LimitationRow(
      .switching, "decided, but the key frame of the new layer has not come, or came late in the interval",
      [
        Case([.isRuled, .saysSwitching]), Case([.isDelivery, .isSwitching], but: .isSmallerByPolicy),
        // An offered layer that is not granted has been requested but has not arrived yet, unless the rule denies it.
        Case([.isOpen, .isBelowDesire], but: .saysPolicy),
      ]),
    LimitationRow(
      .policy, "the rule gives no more, or more frames than were asked for, whatever the budget",
      [Case(.isOpen), Case([.isDelivery, .isSmallerByPolicy]), Case([.isDelivery, .isFaster])]),
    LimitationRow(.none, "height and frame rate are what was asked for", [Case([])]),
  ]
}

extension Limitation {
  /// Condition under which the limitation is reported, from the table.
  package var meaning: String {
    LimitationRow.table.first { $0.word == self }?.meaning ?? rawValue
  }

  /// Creates the limitation of a tile, from the first row of the table that holds.
  package init(_ tile: TileFacts) {
    self = LimitationRow.table.first { $0.holds(for: tile) }?.word ?? .none
  }
}
