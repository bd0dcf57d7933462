import Allocation
import Ladder
import Quantity
import Systems
import Testing
import Vendors

/// The grant to a lower priority while a higher one with an equal request cannot have its next layer.
@Suite("BlueJeans' priorities over different ladders")
struct BlueJeansPriorityTests {
  private typealias Sizes = [Resolution]
  private static let thumbnails: Sizes = [.p90, .p180, .p720]
  private static let classic: Sizes = [.p180, .p360, .p720]

  private func grants(
    _ kilobits: Int64, _ entries: [(quality: String, priority: Priority, sizes: [Resolution])],
    floor: Bool = false
  ) throws -> [Grant] {
    var parameters = BlueJeansParameters()
    parameters.floor = floor
    return BlueJeansPolicy(parameters: parameters).allocate(
      budget: .kilobits(kilobits),
      wishes: try entries.enumerated().map { source, entry in
        Subscription(
          source: source, requested: try VideoFormat(text: entry.quality), priority: entry.priority,
          offers: Ladder.bluejeans(entry.sizes).layers)
      })
  }

  private func words(_ grants: [Grant]) -> [String] { grants.map { $0.layer?.format.description ?? "-" } }

  /// Above 180p30 (272 kbps), the higher one's next layer is 720p15 (768), 496 kbps more; the lower one's is 360p15
  /// (384).
  @Test(
    arguments: [
      (700, ["180p30", "180p30"]), (767, ["180p30", "180p30"]), (768, ["720p15", "-"]),
      (877, ["720p15", "180p7"]), (543, ["180p30", "180p15"]), (544, ["180p30", "180p30"]),
      (271, ["180p15", "-"]), (272, ["180p30", "-"]),
    ] as [(Int64, [String])])
  func aLowerPriorityIsNotRaisedAboveAHigherOneThatOnlyTheBudgetDenies(budget: Int64, given: [String]) throws
  {
    let result = try grants(
      budget, [("720p30", .high, Self.thumbnails), ("720p30", .medium, Self.classic)])
    #expect(words(result) == given)
  }

  @Test func whatIsMissingIsTheHigherOnesNextLayer() throws {
    let result = try grants(700, [("720p30", .high, Self.thumbnails), ("720p30", .medium, Self.classic)])
    // 700 - 272 - 272 are left of the 496 that it needs.
    #expect(result.map(\.limitation) == [.bandwidth, .bandwidth])
    #expect(result.map(\.missing) == [.kilobits(340), .kilobits(340)])
  }

  @Test(
    arguments: [
      // Its camera or uplink has nothing larger, it is muted, or it has everything it requested: nobody waits for it.
      ("720p30", [.p90, .p180], "720p30", ["180p30", "360p15"]), ("720p30", [], "720p30", ["-", "360p30"]),
      ("180p30", Self.thumbnails, "720p30", ["180p30", "360p15"]),
      ("360p30", Self.thumbnails, "360p30", ["180p30", "360p15"]),
      // The lower one requests less than the higher one, or more.
      ("720p30", Self.thumbnails, "360p30", ["180p30", "180p30"]),
      ("720p15", Self.thumbnails, "360p30", ["180p15", "360p15"]),
    ] as [(String, [Resolution], String, [String])])
  func onlyABudgetAndOnlyAsMuchAsTheHigherOneAsksForHoldsSomebodyDown(
    high: String, sizes: [Resolution], medium: String, given: [String]
  ) throws {
    #expect(words(try grants(700, [(high, .high, sizes), (medium, .medium, Self.classic)])) == given)
  }

  /// The higher one's lowest layer, 180p7, takes 109 kbps.
  @Test func oneThatIsNotShownAtAllHoldsDownItsEqualsButNoThumbnails() throws {
    let all: [Resolution] = [.p90, .p180, .p360, .p720]
    #expect(
      words(try grants(108, [("720p30", .high, Self.classic), ("720p30", .medium, all)])) == ["-", "-"])
    #expect(
      words(try grants(108, [("720p30", .high, Self.classic), ("90p15", .medium, all)])) == ["-", "90p15"])
    #expect(
      words(try grants(109, [("720p30", .high, Self.classic), ("90p15", .medium, all)])) == ["180p7", "-"])
    #expect(
      words(try grants(108, [("720p30", .high, Self.classic), ("720p30", .medium, all)], floor: true))
        == ["-", "90p3.75"])
  }

  @Test func equalPrioritiesHoldNobodyDown() throws {
    #expect(
      words(try grants(700, [("720p30", .high, Self.thumbnails), ("720p30", .high, Self.classic)]))
        == ["180p30", "360p15"])
  }

  @Test func theLowestOfThreeIsHeldByBothAboveIt() throws {
    // The middle one has 90p15 (99 kbps); its next layer is 720p15.
    let all: [Resolution] = [.p90, .p180, .p360, .p720]
    let three = [
      ("720p30", Priority.high, Self.thumbnails), ("720p30", .medium, [.p90, .p720]), ("720p30", .low, all),
    ]
    #expect(words(try grants(700, three)) == ["180p30", "90p15", "90p15"])
  }
}

@Suite("Decoder limits")
struct DecoderLimitTests {
  private let full = Ladder.bluejeans([.p90, .p180, .p360, .p720]).layers

  private func allocate(
    _ kilobits: Int64?, _ priorities: [Priority?], _ limit: DecoderLimit?
  ) throws -> [Grant] {
    return BlueJeansPolicy().allocate(
      budget: kilobits.map(RateLimit.kilobits) ?? .unlimited, cap: .unlimited,
      wishes: try priorities.enumerated().map { source, priority in
        Subscription(
          source: source, requested: try VideoFormat(text: "720p30"), priority: priority, offers: full)
      }, within: limit)
  }

  private func words(_ grants: [Grant]) -> [String] {
    grants.map { "\($0.layer?.format.description ?? "-") \($0.limitation.rawValue)" }
  }

  /// 720p30 are 27,648,000 px/s, 360p30 6,912,000, 360p15 half of that, 180p30 1,728,000.
  /// 150 kbps carry 90p15, which takes 99 kbps and 216,000 px/s; 180p15 takes 864,000 px/s.
  @Test(
    arguments: [(nil, "90p15 bandwidth"), (864_000, "90p15 bandwidth"), (216_000, "90p15 device")]
      as [(Int?, String)])
  func aDeviceThatFitsNoHigherLayerIsTheLimitWhateverTheBudget(pixels: Int?, expected: String) throws {
    let limit = pixels.map { DecoderLimit(pixelsPerSecond: $0) }
    #expect(words(try allocate(150, [.high], limit)) == [expected])
  }

  @Test(
    arguments: [
      (nil, ["720p30 none", "720p30 none", "720p30 none"]),
      (34_560_000, ["720p30 none", "360p30 device", "- device"]),
      (34_559_999, ["720p30 none", "360p15 device", "180p30 device"]),
      (27_648_000, ["720p30 none", "- device", "- device"]),
      (27_647_999, ["720p15 device", "360p30 device", "360p15 device"]),
    ] as [(Int?, [String])])
  func pixelsAreSharedByPriority(pixels: Int?, given: [String]) throws {
    let limit = pixels.map { DecoderLimit(pixelsPerSecond: $0) }
    let grants = try allocate(nil, [.high, .medium, .low], limit)
    #expect(words(grants) == given)
    // A higher priority comes first whatever its position in the list.
    let turned = try allocate(nil, [.low, .medium, .high], limit)
    #expect(words(turned) == words(grants).reversed())
  }

  /// Four at 360p30 take 27,648,000 px/s; one at 720p15 beside one at 360p30 takes 20,736,000, two at 360p30 13,824,000.
  @Test(
    arguments: [
      (4, 27_648_000, ["360p30 device", "360p30 device", "360p30 device", "360p30 device"]),
      (4, 27_647_999, ["360p30 device", "360p30 device", "360p30 device", "360p15 device"]),
      (2, 20_736_000, ["720p15 device", "360p30 device"]),
      (2, 20_735_999, ["360p30 device", "360p30 device"]),
    ] as [(Int, Int, [String])])
  func equalPrioritiesSharePixels(count: Int, pixels: Int, given: [String]) throws {
    let limit = DecoderLimit(pixelsPerSecond: pixels)
    #expect(words(try allocate(nil, Array(repeating: .high, count: count), limit)) == given)
    #expect(words(try allocate(nil, Array(repeating: nil, count: count), limit)) == given)
  }

  @Test func streamsAreCountedByPriority() throws {
    #expect(
      words(try allocate(nil, [.low, .high, .medium], DecoderLimit(streams: 2)))
        == ["- device", "720p30 none", "720p30 none"])
    #expect(
      words(try allocate(nil, [nil, nil], DecoderLimit(streams: 2))) == ["720p30 none", "720p30 none"])
  }

  /// Without a limit the first gets 1280 of 1400 kbps and the second 90p15; with a limit the first leaves 760.
  @Test func theBudgetOfWhatIsNotDecodedGoesToOthers() throws {
    #expect(words(try allocate(1400, [.high, .medium], nil)) == ["720p30 none", "90p15 bandwidth"])
    let limit = DecoderLimit(pixelsPerSecond: 6_912_000 + 1_728_000)
    #expect(words(try allocate(1400, [.high, .medium], limit)) == ["360p30 device", "180p30 device"])
    // If the budget is tighter than the device, bandwidth is the limitation.
    #expect(words(try allocate(900, [.high, .medium], limit)) == ["360p30 device", "180p15 bandwidth"])
  }

  @Test func noPolicyGivesMoreThanTheDeviceDecodes() throws {
    let policies: [any AllocationPolicy] = [
      BlueJeansPolicy(), AgoraPolicy(), StreamPolicy(), JanusPolicy(),
    ]
    for policy in policies {
      for count in 1...6 {
        for pixels in stride(from: 100_000, to: 60_000_000, by: 7_777_777) {
          let wishes = try (0..<count).map { source in
            Subscription(
              source: source, requested: try VideoFormat(text: source % 2 == 0 ? "720p30" : "180p15"),
              offers: full)
          }
          let limit = DecoderLimit(pixelsPerSecond: pixels, streams: 4)
          let grants = policy.allocate(budget: .megabits(20), cap: .unlimited, wishes: wishes, within: limit)
          let layers = grants.compactMap(\.layer)
          #expect(layers.count <= 4)
          let sum = layers.reduce(0) { $0 + $1.format.milliPixelsPerSecond }
          #expect(sum <= pixels * 1000)
        }
      }
    }
  }
}
