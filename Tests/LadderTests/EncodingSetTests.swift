import Ladder
import Testing

@Suite("Sets of encodings")
struct EncodingSetTests {
  @Test func anEncodingIsABit() {
    #expect([0, 1, 2, 31].map { EncodingSet($0).rawValue } == [0b001, 0b010, 0b100, 0x8000_0000])
    let outer: EncodingSet = [EncodingSet(0), EncodingSet(2)]
    #expect(outer.rawValue == 0b101)
    #expect((0...3).map(outer.contains) == [true, false, true, false])
  }

  @Test func theFirstOnesAreTheLowest() {
    #expect([0, 1, 3, 32].map { EncodingSet(first: $0).rawValue } == [0, 0b001, 0b111, .max])
    #expect(EncodingSet(first: 3).subtracting(EncodingSet(first: 1)).rawValue == 0b110)
  }

  @Test(
    arguments: [
      (0b0000, nil, nil), (0b0001, 0, 0), (0b0110, 1, 2), (0b1010, 1, 3), (0x8000_0000, 31, 31),
    ] as [(UInt32, Int?, Int?)])
  func theEndsAreIndices(bits: UInt32, lowest: Int?, highest: Int?) {
    let set = EncodingSet(rawValue: bits)
    #expect(set.lowest == lowest && set.highest == highest)
  }
}
