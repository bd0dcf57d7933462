import Allocation
import Ladder
import Systems
import Testing
import Vendors

@Suite("BlueJeans' built-in layouts")
struct BlueJeansLayoutTests {
  @Test(
    arguments: [
      // Seats before, order, capacity, seats after.
      ([], [3, 1, 2], 4, [3, 1, 2, nil]),
      // 9 is added; 2 is the least important of those that no longer fit.
      ([3, 2, 1], [9, 1, 3, 2], 3, [3, 9, 1]),
      // 1 has left and 4 takes its seat; the others stay although their order is reversed.
      ([1, 2, 3], [3, 2, 4], 3, [4, 2, 3]),
      // Two newcomers: the more important one takes the seat of the less important of those who leave.
      ([1, 2, 3, 4], [8, 9, 2, 4, 3, 1], 4, [8, 2, 9, 4]),
      // Nobody replaces 1: the one in the last seat closes the gap.
      ([1, 2, 3], [2, 3], 3, [3, 2, nil]),
      // Fewer seats: those beyond them take free ones.
      ([1, 2, 3, 4], [4, 2, 3], 3, [4, 2, 3]),
    ] as [([Int?], [Int], Int, [Int?])])
  func whoeverIsVisibleKeepsTheSeat(before: [Int?], order: [Int], capacity: Int, after: [Int?]) {
    #expect(LayoutSeats.reseat(before, order: order, capacity: capacity) == after)
  }

  @Test func aSpeakerAndTheMainStageChangePlaces() {
    func reseat(_ order: [Int]) -> [Int?] {
      LayoutSeats.reseat([1, 2, 3], order: order, capacity: 3, hasMainStage: true)
    }
    #expect(reseat([3, 1, 2]) == [3, 2, 1])
    #expect(reseat([1, 3, 2]) == [1, 2, 3])
    // 9 was not visible: it takes the stage, and the participant from the stage takes the seat of 2.
    #expect(reseat([9, 1, 3, 2]) == [9, 1, 3])
    #expect(reseat([3]) == [3, nil, nil])
  }

  @Test func onlyWhoMustMovesAndEverybodyShownHasOneSeat() {
    // Every order of five people for three seats.
    for number in 0..<120 {
      var rest = [1, 2, 3, 4, 5]
      var order: [Int] = []
      var digits = number
      for radix in stride(from: 5, to: 0, by: -1) {
        order.append(rest.remove(at: digits % radix))
        digits /= radix
      }
      let after = LayoutSeats.reseat([1, 2, 3], order: order, capacity: 3)
      #expect(Set(after) == Set(order.prefix(3)))
      for (seat, person) in [1, 2, 3].enumerated() where order.prefix(3).contains(person) {
        #expect(after[seat] == person)
      }
    }
  }

  @Test(
    arguments: [
      (Resolution.p90, false), (.p180, true), (Resolution(width: 91, height: 91), true),
      (Resolution(width: 90, height: 160), false), (nil, false),
    ] as [(Resolution?, Bool)])
  func theMainStageNeedsAPictureOfMoreThan90Pixels(picture: Resolution?, comes: Bool) {
    let wanted = MainStage.Candidate(participant: 2, picture: picture)
    #expect(MainStage.next(current: 1, wanted: wanted) == (comes ? 2 : 1))
    #expect(MainStage.next(current: nil, wanted: wanted) == (comes ? 2 : nil))
    let pinned = MainStage.Candidate(participant: 2, picture: picture, isPinned: true)
    #expect(MainStage.next(current: 1, wanted: pinned) == 2)
  }
}
