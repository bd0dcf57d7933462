import Allocation
import Ladder
import Layout
import Quantity
import Systems
import Testing
import Vendors

@Suite("The client of the optimum")
struct BestClientTests {
  private let capture = VideoFormat(.p720, framesPerSecond: 30)

  /// Viewer v with cameras a and b.
  private var roster: Roster {
    let members = ["v", "a", "b"].enumerated().map { place, id in
      Roster.Member(
        id: id, isModerator: false, isJoined: true, joinedAt: .zero, isSpeaking: false, lastSpokeAt: nil,
        camera: place == 0 ? nil : place - 1, screen: nil)
    }
    let sources = [1, 2].map {
      Roster.Source(
        participant: $0, isScreen: false, isCapturing: true, capture: capture, ladder: BestRuleTests.layers,
        offers: BestRuleTests.layers, sendsLow: true)
    }
    let reception = Roster.Reception(isGiven: false, picture: nil, limitation: nil, tile: nil)
    return Roster(
      now: .zero, viewer: 0, isJoined: true, joinedAt: .zero, members: members, moderators: [],
      sources: sources, receptions: [reception, reception])
  }

  private func client(_ plan: ViewPlan) -> any Client {
    Best(.init()).client(
      ClientSetup(
        plan: plan, viewer: 0, ids: ["v", "a", "b"], names: ["v": 0, "a": 1, "b": 2], receives720p: true,
        allowsCustomLayout: true, sourceCount: 2))
  }

  @Test func aTileTakesLargerPicturesThanItself() {
    var plan = ViewPlan(
      arrangement: .tiles([.init(participant: "b", size: BestRuleTests.thumbnail)]),
      screen: Screen(width: 1280, height: 800, scale: 1))
    plan.stage = .init(participant: "a", size: .p720)
    let wishes = client(plan).wishes(roster)
    #expect(wishes.map(\.source) == [0, 1])
    #expect(wishes.map(\.tile) == [.p720, BestRuleTests.thumbnail])
    #expect(wishes.map(\.weight) == [4, 1])
    #expect(wishes.map(\.maximum) == [capture, capture])
    #expect(wishes[1].requested == VideoFormat(BestRuleTests.thumbnail, framesPerSecond: 30))
    #expect(wishes[1].options(of: BestRuleTests.layers, staysWithinRequest: true).allSatisfy { $0.rate > 0 })
  }

  @Test func aTileLargerThanTheCaptureIsNotCapped() {
    let plan = ViewPlan(
      arrangement: .tiles([.init(participant: "b", size: .p1080)]),
      screen: Screen(width: 1920, height: 1080, scale: 1))
    let wish = client(plan).wishes(roster)[0]
    #expect(wish.maximum == wish.requested)
  }

  @Test func aRequestedQualityIsTheMost() {
    let request = StreamRequest(
      quality: VideoFormat(.p180, framesPerSecond: 15), priority: .high, subject: .participant("a"))
    var client = client(ViewPlan(arrangement: .request([request])))
    _ = client.handle(.requestDue, roster)
    let wish = client.wishes(roster).first
    #expect(wish?.maximum == VideoFormat(.p180, framesPerSecond: 15))
    let options = wish?.options(of: BestRuleTests.layers, staysWithinRequest: true) ?? []
    #expect(options.map { $0.rate } == [49_500, 99_000, 0, 0, 0])
  }
}
