import Allocation
import TestSupport
import Testing

@Suite("Bounds for meetings")
struct MeetingBoundTests {
  private typealias Encoding = MeetingBound.Encoding
  private typealias Uplink = MeetingBound.Uplink
  private typealias Viewer = MeetingBound.Viewer
  private typealias Tile = MeetingBound.Tile

  private func option(_ encoding: Int, _ rate: Int64, _ utility: Int64, temporal: Int = 0)
    -> MeetingBound.Option
  {
    .init(encoding: encoding, temporal: temporal, value: TileOption(rate: rate, utility: utility))
  }

  /// One publisher has encodings of 100 and 300 bit/s and an uplink of 300. One viewer would gain 900; the other 400,
  /// from the smaller encoding alone. Both cannot be sent: the optimum is 900 or 200 + 400.
  @Test func anUplinkCannotServeBoth() {
    let uplink = Uplink(
      capacity: 300,
      encodings: [
        Encoding(source: 0, encoding: 0, rates: [100]), Encoding(source: 0, encoding: 1, rates: [300]),
      ])
    let options = [option(0, 100, 200_000), option(1, 300, 900_000)]
    let narrow = [option(0, 100, 400_000), option(1, 300, 900_000)]
    let viewers = [
      Viewer(capacity: 300, tiles: [Tile(source: 0, options: options)]),
      Viewer(capacity: 100, tiles: [Tile(source: 0, options: narrow)]),
    ]
    let bound = MeetingBound(uplinks: [uplink], viewers: viewers)
    // Each viewer alone: 900,000, and 400,000 with 100 bit/s.
    #expect(bound.hullSum == 1_300_000)
    #expect(bound.utility >= 900_000 && bound.utility < 1_000_000)
    // An uplink of 400 carries both.
    var wide = uplink
    wide.capacity = 400
    #expect(MeetingBound(uplinks: [wide], viewers: viewers).utility == 1_300_000)
    wide.capacity = 399
    #expect(MeetingBound(uplinks: [wide], viewers: viewers).utility < 1_300_000)
  }

  @Test func nothingFitsNothing() {
    let uplink = Uplink(capacity: 99, encodings: [Encoding(source: 0, encoding: 0, rates: [100])])
    let viewer = Viewer(capacity: 500, tiles: [Tile(source: 0, options: [option(0, 100, 5)])])
    #expect(MeetingBound(uplinks: [uplink], viewers: [viewer]).utility == 0)
    #expect(MeetingBound(uplinks: [], viewers: [viewer]).utility == 0)
    #expect(MeetingBound(uplinks: [uplink], viewers: []).utility == 0)
    var wide = uplink
    wide.capacity = 100
    #expect(MeetingBound(uplinks: [wide], viewers: [viewer]).utility == 5)
  }

  // MARK: Against every choice of encodings

  private func optimum(_ uplinks: [Uplink], _ viewers: [Viewer]) -> Int64 {
    var best: Int64 = 0
    func extend(_ levels: [[Int]]) {
      guard levels.count < uplinks.count else {
        best = max(best, total(levels))
        return
      }
      let uplink = uplinks[levels.count]
      func choose(_ chosen: [Int], _ left: Int64) {
        guard chosen.count < uplink.encodings.count else { return extend(levels + [chosen]) }
        choose(chosen + [0], left)
        for (place, rate) in uplink.encodings[chosen.count].rates.enumerated() where rate <= left {
          choose(chosen + [place + 1], left - rate)
        }
      }
      choose([], uplink.capacity)
    }
    func total(_ levels: [[Int]]) -> Int64 {
      viewers.reduce(Int64(0)) { sum, viewer in
        let tiles = viewer.tiles.map { tile in
          tile.options.compactMap { option -> TileOption? in
            for (uplink, chosen) in zip(uplinks, levels) {
              for (encoding, level) in zip(uplink.encodings, chosen)
              where encoding.source == tile.source && encoding.encoding == option.encoding {
                return option.temporal < level ? option.value : nil
              }
            }
            return nil
          }
        }
        return sum + AllocationProblem(tiles).optimum(within: viewer.capacity).utility
      }
    }
    extend([])
    return best
  }

  private func randomMeeting(_ numbers: inout SplitMix) -> (uplinks: [Uplink], viewers: [Viewer]) {
    let count = Int(numbers.within(2...3))
    var uplinks: [Uplink] = []
    for source in 0..<count {
      var encodings: [Encoding] = []
      for encoding in 0..<Int(numbers.within(1...2)) {
        var rate: Int64 = 0
        let rates = (0..<Int(numbers.within(1...2))).map { _ in
          rate += numbers.within(1...20) * (encoding == 0 ? 1 : 3)
          return rate
        }
        encodings.append(Encoding(source: source, encoding: encoding, rates: rates))
      }
      uplinks.append(Uplink(capacity: numbers.within(0...90), encodings: encodings))
    }
    let viewers = (0..<count).map { viewer in
      let tiles = (0..<count).filter { $0 != viewer }.map { source in
        Tile(
          source: source,
          options: uplinks[source].encodings.flatMap { encoding in
            encoding.rates.enumerated().map { temporal, rate in
              option(encoding.encoding, rate, numbers.within(1...1000), temporal: temporal)
            }
          })
      }
      return Viewer(capacity: numbers.within(0...120), tiles: tiles)
    }
    return (uplinks, viewers)
  }

  @Test func itIsNeverBelowTheOptimumAndCloserThanTheHulls() {
    var numbers = SplitMix(seed: 7)
    var optima: Int64 = 0
    var bounds: Int64 = 0
    var hulls: Int64 = 0
    for _ in 0..<600 {
      let meeting = randomMeeting(&numbers)
      let bound = MeetingBound(uplinks: meeting.uplinks, viewers: meeting.viewers)
      let best = optimum(meeting.uplinks, meeting.viewers)
      #expect(bound.utility >= best, "\(meeting)")
      #expect(bound.utility <= bound.hullSum)
      optima += best
      bounds += bound.utility
      hulls += bound.hullSum
    }
    // The bound closes at least a quarter of the gap between the hulls and the optimum.
    #expect((bounds - optima) * 4 <= (hulls - optima) * 3)
  }

  /// A camera and a screen share behind one uplink share its capacity.
  @Test func twoSourcesShareAnUplink() {
    let uplink = Uplink(
      capacity: 300,
      encodings: [
        Encoding(source: 0, encoding: 0, rates: [200]), Encoding(source: 1, encoding: 0, rates: [200]),
      ])
    let viewer = Viewer(
      capacity: 400,
      tiles: [
        Tile(source: 0, options: [option(0, 200, 500)]), Tile(source: 1, options: [option(0, 200, 700)]),
      ])
    let bound = MeetingBound(uplinks: [uplink], viewers: [viewer])
    #expect(bound.hullSum == 1200)
    #expect(bound.utility == 700)
  }

  /// With too many sets of encodings to enumerate, the result is still a bound.
  @Test func manyEncodingsAreBoundedToo() {
    let encodings = (0..<13).map { Encoding(source: 0, encoding: $0, rates: [Int64($0) * 10 + 10]) }
    let uplink = Uplink(capacity: 60, encodings: encodings)
    let viewer = Viewer(
      capacity: 1000,
      tiles: [Tile(source: 0, options: (0..<13).map { option($0, Int64($0) * 10 + 10, Int64($0) * 5 + 5) })])
    #expect(MeetingBound(uplinks: [uplink], viewers: [viewer]).utility == 30)
  }
}
