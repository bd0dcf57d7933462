import Allocation
import Ladder
import Quantity
import Systems
import Testing
import Vendors

private let full = Ladder.bluejeans([.p90, .p180, .p360, .p720]).layers

private func wish(_ source: Int, _ quality: String, _ priority: Priority?) throws -> Subscription {
  Subscription(source: source, requested: try VideoFormat(text: quality), priority: priority, offers: full)
}

/// Returns the granted qualities and their total rate [kbps].
private func outcome(_ budget: Int64?, _ wishes: [Subscription]) -> (given: [String], kilobits: Int64) {
  let grants = BlueJeansPolicy().allocate(
    budget: budget.map(RateLimit.kilobits) ?? .unlimited, wishes: wishes)
  return (
    grants.map { $0.layer?.format.description ?? "-" },
    grants.reduce(0) { $0 + ($1.layer?.bitrate.bitsPerSecond ?? 0) } / 1000
  )
}

@Suite("BlueJeans' best effort")
struct BlueJeansPolicyTests {
  @Test(
    arguments: [
      (nil, "720p30", 1280), (2400, "720p30", 1280), (1200, "720p15", 768), (1000, "720p15", 768),
      (600, "360p15", 384), (300, "180p30", 272), (39, "-", 0),
    ] as [(Int64?, String, Int64)])
  func aSingleStreamStepsDownWithItsBudget(budget: Int64?, given: String, kilobits: Int64) throws {
    let result = outcome(budget, [try wish(0, "720p30", .high)])
    #expect(result.given == [given])
    #expect(result.kilobits == kilobits)
  }

  @Test(
    arguments: [
      (nil, "720p30", 24, 0, 2696), (2400, "720p30", 8, 16, 2392), (1200, "720p15", 1, 9, 1187),
      (1000, "720p15", 1, 4, 987), (600, "360p15", 0, 5, 584), (300, "180p30", 0, 0, 272),
    ] as [(Int64?, String, Int, Int, Int64)])
  func aLessonKeepsItsTeacherAndThinsOutItsStudents(
    budget: Int64?, teacher: String, at7: Int, at3: Int, kilobits: Int64
  ) throws {
    let students = try (1...24).map { try wish($0, "90p7", .medium) }
    let result = outcome(budget, [try wish(0, "720p30", .high)] + students)
    #expect(result.given[0] == teacher)
    #expect(result.given.dropFirst().filter { $0 == "90p7" }.count == at7)
    #expect(result.given.dropFirst().filter { $0 == "90p3.75" }.count == at3)
    #expect(result.kilobits == kilobits)
  }

  private func speakers(_ small: Int) throws -> [Subscription] {
    try [wish(0, "720p30", .high), wish(1, "360p30", .medium), wish(2, "360p15", .medium)]
      + (0..<small).map { try wish(3 + $0, "180p15", .low) }
  }

  @Test func theLastThreeSpeakersKeepTheirQualityAndTheLowGroupThinsOut() throws {
    let nine = outcome(2400, try speakers(6))
    #expect(nine.given == ["720p30", "360p30", "360p15", "90p3.75", "90p3.75", "-", "-", "-", "-"])
    #expect(nine.kilobits == 2384)
    let five = outcome(2400, try speakers(2))
    #expect(five.given == ["720p30", "360p30", "360p15", "90p3.75", "90p3.75"])
    #expect(outcome(nil, try speakers(6)).kilobits == 3282)
    #expect(outcome(nil, try speakers(2)).kilobits == 2630)
    let narrow = outcome(1200, try speakers(6))
    #expect(narrow.given[...4] == ["720p15", "180p15", "180p15", "90p7", "90p3.75"])
    #expect(narrow.kilobits == 1193)
  }

  @Test func equalPrioritiesShareAndADistinctOneIsServedFirst() throws {
    let equal = outcome(1400, try [wish(0, "720p30", .high), wish(1, "720p30", .high)])
    #expect(equal.given == ["360p30", "360p30"])
    #expect(equal.kilobits == 1280)
    let distinct = outcome(1400, try [wish(0, "720p30", .high), wish(1, "720p30", .medium)])
    #expect(distinct.given == ["720p30", "90p15"])
    #expect(distinct.kilobits == 1379)
  }

  /// One's 180p takes 100 kbps less than its 90p: at 450 kbps that leaves room for the other's 250 kbps before the
  /// first one's 360p; at 449 it does not.
  @Test(
    arguments: [(500, ["180p30", "90p30"]), (450, ["180p30", "90p30"]), (449, ["360p30", "-"])]
      as [(Int64, [String])])
  func aLayerThatTakesLessThanTheOneBelowLeavesMoreForTheOthers(budget: Int64, given: [String]) throws {
    func layer(_ encoding: Int, _ quality: String, _ kilobits: Int64) throws -> Layer {
      Layer(
        id: LayerID(encoding: encoding, temporal: 0), format: try VideoFormat(text: quality),
        bitrate: .kilobits(kilobits))
    }
    let requested = try VideoFormat(text: "360p30")
    let wishes = [
      Subscription(
        source: 0, requested: requested,
        offers: [try layer(0, "90p30", 300), try layer(1, "180p30", 200), try layer(2, "360p30", 400)]),
      Subscription(source: 1, requested: requested, offers: [try layer(0, "90p30", 250)]),
    ]
    #expect(outcome(budget, wishes).given == given)
  }

  @Test func aReceiveCapHoldsOnAnAmpleLink() throws {
    let grants = BlueJeansPolicy().allocate(
      budget: .megabits(50), cap: .kilobits(2400),
      wishes: try [wish(0, "720p30", .high), wish(1, "720p30", .high)])
    let total = grants.reduce(BitRate.zero) { $0 + ($1.layer?.bitrate ?? .zero) }
    #expect(total <= .kilobits(2400))
    #expect(grants.contains { $0.limitation == .requestCap && $0.missing > .zero })
  }

  @Test(
    arguments: [
      // Link, cap, given, limitation, missing: the step from 720p15 to 720p30 takes 512 kbps.
      (5000, 1200, "720p15", .requestCap, 80), (1200, 1200, "720p15", .requestCap, 80),
      (1000, 1200, "720p15", .requestCap, 280), (1000, 1279, "720p15", .requestCap, 280),
      (1000, 1280, "720p15", .bandwidth, 280), (1279, 1280, "720p15", .bandwidth, 1),
      (5000, 1280, "720p30", .none, 0),
    ] as [(Int64, Int64, String, Limitation, Int64)])
  func aShortageIsTheCapsWhereNoLinkWouldGiveTheNextLayer(
    link: Int64, cap: Int64, given: String, limitation: Limitation, missing: Int64
  ) throws {
    let wishes = [try wish(0, "720p30", .high)]
    let client = BlueJeansPolicy().allocate(budget: .kilobits(link), cap: .kilobits(cap), wishes: wishes)
    #expect(client[0].layer?.format.description == given)
    #expect(client[0].limitation == limitation && client[0].missing == .kilobits(missing))
  }

  @Test(
    arguments: [
      ("360p30", 2400, "180p30", "720p15"), ("360p15", 2400, "180p15", "720p15"),
      ("360p30", 768, "180p30", "720p15"), ("360p30", 767, "180p30", "180p30"),
      ("360p7", 2400, "180p30", "180p30"), ("360p7", 271, "180p15", "180p15"),
      ("180p30", 2400, "180p30", "180p30"),
      ("720p30", 2400, "720p30", "720p30"),
    ] as [(String, Int64, String, String)])
  func whatARequestFor360pGetsOfASenderWithoutItIsSettable(
    asked: String, budget: Int64, smaller: String, larger: String
  ) throws {
    let format = try VideoFormat(text: asked)
    func given(_ rule: BlueJeansParameters.Missing360p, _ sizes: [Resolution], gate: Resolution? = nil)
      -> String?
    {
      var parameters = BlueJeansParameters()
      parameters.missing360p = rule
      let wish = Subscription(
        source: 0, requested: format, gate: gate, offers: Ladder.bluejeans(sizes).layers)
      return BlueJeansPolicy(parameters: parameters).allocate(budget: .kilobits(budget), wishes: [wish])[0]
        .layer?.format.description
    }
    #expect(BlueJeansParameters().missing360p == .smaller)
    #expect(given(.smaller, [.p90, .p180, .p720]) == smaller)
    #expect(given(.larger, [.p90, .p180, .p720]) == larger)
    // With a 360p layer both rules agree.
    let all: [Resolution] = [.p90, .p180, .p360, .p720]
    #expect(given(.larger, all) == given(.smaller, all))
    if format.resolution == .p360 {
      #expect(given(.larger, [.p90, .p180, .p720], gate: .p360) == smaller)
    }
  }

  /// 360p7 and 720p7 may be served as 180p30 and 360p30, here by senders that lack the size; 180p7 has no substitute.
  @Test(
    arguments: [
      ("720p7", [.p90, .p180, .p360], "360p30"), ("360p7", [.p90, .p180], "180p30"),
      ("720p7", [.p90, .p180, .p360, .p720], "720p7"), ("180p7", [.p90, .p720], "90p7"),
      ("720p15", [.p90, .p180, .p360], "360p15"),
    ] as [(String, [Resolution], String)])
  func aSlowLargePictureMayBeServedAsASmallerFastOne(
    asked: String, sizes: [Resolution], given: String
  ) throws {
    let wish = Subscription(
      source: 0, requested: try VideoFormat(text: asked), offers: Ladder.bluejeans(sizes).layers)
    let grant = BlueJeansPolicy().allocate(budget: .unlimited, wishes: [wish])[0]
    #expect(grant.layer?.format.description == given)
  }

  /// 90p15 takes 99 kbps, 180p at 7.5 and 15 fps 109 and 163.
  @Test(
    arguments: [
      (108, nil, "90p15"), (108, "180p7", "-"), (109, "180p7", "180p7"), (162, "180p7", "180p7"),
      (163, "180p7", "180p15"), (1280, "180p7", "720p30"),
    ] as [(Int64, String?, String)])
  func nothingBelowTheLeastQualityIsGivenForWantOfBandwidth(
    budget: Int64, least: String?, given: String
  ) throws {
    var wish = try wish(0, "720p30", .high)
    wish.minimum = try least.map { try VideoFormat(text: $0) }
    #expect(outcome(budget, [wish]).given == [given])
    // A sender without an equivalent is shown all the same.
    wish.offers = Ladder.bluejeans([.p90]).layers
    #expect(outcome(budget, [wish]).given == ["90p15"])
  }

  /// 180p takes 109, 163 and 272 kbps at 7.5, 15 and 30 fps; a closed gate admits no 720p.
  @Test(
    arguments: [
      ("90p15", [.p180, .p360, .p720], 2400, "180p15"), ("90p7", [.p180, .p360], 2400, "180p7"),
      ("90p15", [.p180, .p360], 162, "180p7"), ("90p15", [.p180, .p360], 108, "-"),
      ("160x90@5", [.p90, .p180], 2400, "90p3.75"), ("160x90@3", [.p90, .p180], 2400, "90p3.75"),
      ("160x90@3", [.p180], 2400, "180p7"), ("90p15", [.p720], 2400, "-"),
      ("180p15", [.p360, .p720], 2400, "-"),
    ] as [(String, [Resolution], Int64, String)])
  func aRequestBelowASendersLowestEncodingGetsThat(
    asked: String, sizes: [Resolution], budget: Int64, given: String
  ) throws {
    let wish = Subscription(
      source: 0, requested: try VideoFormat(text: asked), gate: .p360, offers: Ladder.bluejeans(sizes).layers)
    #expect(outcome(budget, [wish]).given == [given])
  }

  @Test func nothingAboveTheRequestAndNothingBeyondTheBudgetIsGiven() throws {
    let qualities = ["90p7", "90p15", "180p15", "360p15", "360p30", "720p30"]
    let priorities: [Priority] = [.high, .medium, .low]
    for budget in stride(from: Int64(0), to: 4000, by: 37) {
      let wishes = try (0..<9).map { try wish($0, qualities[$0 % 6], priorities[$0 % 3]) }
      let grants = BlueJeansPolicy().allocate(budget: .kilobits(budget), wishes: wishes)
      #expect(grants.reduce(BitRate.zero) { $0 + ($1.layer?.bitrate ?? .zero) } <= .kilobits(budget))
      for (wish, grant) in zip(wishes, grants) {
        #expect(grant.layer.map { $0.format.isWithin(wish.requested) } ?? true)
      }
    }
  }
}

@Suite("BlueJeans' calls and priorities")
struct BlueJeansRuleTests {
  private let good = StreamRequest(
    quality: VideoFormat(.p720, framesPerSecond: 30), priority: .high, subject: .slot)

  private func failure(
    _ entries: [StreamRequest], isInMeeting: Bool = true, usesCustom: Bool = true
  ) -> StreamRequestFailure? {
    StreamRequestCheck.failure(
      of: entries, isInMeeting: isInMeeting, usesCustomLayout: usesCustom,
      hasVideoConnection: { $0 != "ghost" })
  }

  @Test func failuresComeInTheOrderOfTheChecks() {
    var plain = good
    plain.priority = nil
    var unknown = good
    unknown.subject = .participant("ghost")
    var ann = good
    ann.subject = .participant("ann")
    var bad = good
    bad.quality = nil
    #expect(failure([], isInMeeting: false, usesCustom: false) == .init(.notInMeeting))
    #expect(failure([], usesCustom: false) == .init(.notUsingCustomLayouts))
    #expect(failure([]) == .init(.emptyConfiguration))
    #expect(failure(Array(repeating: good, count: 26)) == .init(.streamLimitExceeded))
    #expect(failure(Array(repeating: good, count: 25)) == nil)
    #expect(failure([good, plain, bad]) == .init(.invalidStreamPriorityCombination))
    #expect(failure([bad, ann, ann]) == .init(.invalidStreamQuality))
    #expect(failure([ann, ann, unknown]) == .init(.duplicateParticipantIds, ["ann"]))
    #expect(failure([ann, unknown]) == .init(.noParticipantsWithIds, ["ghost"]))
    #expect(failure([plain]) == .init(.missingPriorityOrParticipant))
  }

  @Test func recentSpeakersComeFirstAndOldOnesLoseTheirPlace() {
    func candidate(_ id: Int, spoke: Int64?, sends: Bool = true, joined: Int64 = 0) -> SpeakerCandidate {
      SpeakerCandidate(
        participant: id, isSendingVideo: sends,
        recency: spoke.map { SpeechRecency(silentSince: SimTime(nanoseconds: $0 * 1_000_000_000)) },
        joinedAt: SimTime(nanoseconds: joined))
    }
    let order = SpeakerOrder.sorted(
      [
        candidate(0, spoke: nil, joined: 5), candidate(1, spoke: 10), candidate(2, spoke: 190),
        candidate(3, spoke: 150), candidate(4, spoke: nil, sends: false, joined: 1),
        candidate(5, spoke: nil, joined: 2),
      ], now: SimTime(nanoseconds: 200_000_000_000), window: .seconds(120))
    #expect(order.map(\.participant) == [2, 3, 1, 5, 0, 4])
  }

  @Test func builtInLayoutsAskForTheirDocumentedQualities() {
    func words(_ layout: BuiltInLayout, _ count: Int, _ gate: Bool = true) -> [String] {
      layout.request(remoteParticipants: count, receives720p: gate).map { $0.quality?.description ?? "?" }
    }
    #expect(words(.speaker, 9) == ["720p30"])
    #expect(words(.speaker, 9, false) == ["360p30"])
    #expect(words(.people, 9) == ["720p30"] + Array(repeating: "90p15", count: 5))
    #expect(words(.gallery9, 4) == Array(repeating: "360p15", count: 4))
    #expect(words(.gallery9, 9) == Array(repeating: "180p15", count: 9))
    #expect(words(.gallery25, 25) == Array(repeating: "90p15", count: 25))
    #expect(words(.gallery25, 12).filter { $0 == "180p7" }.count == 8)
    func least(_ layout: BuiltInLayout, _ count: Int) -> [String] {
      layout.request(remoteParticipants: count, receives720p: true).map { $0.minimum?.description ?? "-" }
    }
    #expect(least(.speaker, 9) == ["180p7"])
    #expect(least(.people, 9) == ["180p7", "-", "-", "-", "-", "-"])
    #expect(least(.gallery9, 2) == ["180p7", "180p7"])
    #expect(least(.gallery25, 4) == Array(repeating: "180p7", count: 4))
    #expect(least(.gallery9, 5) == Array(repeating: "-", count: 6))
    #expect(least(.filmstrip, 9) == Array(repeating: "-", count: 5))
  }
}

@Suite("Frames that an app makes itself")
struct PushedFrameTests {
  @Test(
    arguments: [
      (1280, 720, ["90p", "180p", "360p", "720p"]), (1920, 1080, ["90p", "180p", "360p", "720p"]),
      (640, 480, ["120x90", "240x180", "480x360", "640x480"]),
      (1440, 1080, ["120x90", "240x180", "480x360", "960x720"]), (640, 360, ["90p", "180p", "360p", "-"]),
      (854, 480, ["160x88", "320x178", "640x358", "854x480"]),
      (320, 240, ["120x90", "240x180", "320x240", "-"]),
      (64, 48, ["64x48", "-", "-", "-"]),
    ])
  func theEncodingsFollowTheFramesSizeAndNeverEnlargeIt(width: Int, height: Int, sizes: [String]) {
    let ladder = Ladder.bluejeans([.p90, .p180, .p360, .p720])
    let result = ladder.sizes(carrying: Resolution(width: width, height: height))
    #expect(result.map { $0?.description ?? "-" } == sizes)
  }
}
