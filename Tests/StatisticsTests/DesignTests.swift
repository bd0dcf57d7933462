import Statistics
import Testing

@Suite("Latin hypercubes")
struct LatinHypercubeTests {
  @Test(arguments: [1, 7, 100])
  func everyPartOfEveryRangeIsMetOnce(count: Int) throws {
    let points = try LatinHypercube.points(count: count, dimensions: 5, seed: 3)
    for dimension in 0..<5 {
      #expect(points.map { Int($0[dimension] * Double(count)) }.sorted() == Array(0..<count))
    }
  }

  @Test func aFurtherVariableLeavesTheOthersAlone() throws {
    let two = try LatinHypercube.points(count: 20, dimensions: 2, seed: 3)
    let three = try LatinHypercube.points(count: 20, dimensions: 3, seed: 3)
    #expect(three.map { Array($0.prefix(2)) } == two)
    #expect(try LatinHypercube.points(count: 20, dimensions: 2, seed: 4) != two)
    #expect(three.map { $0[0] } != three.map { $0[1] })
  }

  @Test func meansVaryLessThanThoseOfRandomPoints() throws {
    // For x + y, a Latin hypercube of 50 points has hardly any error left; 50 random points have 0.058.
    let errors = try (0..<50).map { seed in
      let points = try LatinHypercube.points(count: 50, dimensions: 2, seed: UInt64(seed))
      return abs(points.reduce(0) { $0 + $1[0] + $1[1] } / 50 - 1)
    }
    #expect(try #require(errors.max()) < 0.005)
  }

  @Test func noPointsAreAnError() {
    #expect(throws: DesignError.pointCount(0, limit: 1 << 24)) {
      try LatinHypercube.points(count: 0, dimensions: 2, seed: 1)
    }
  }
}

@Suite("Scrambled Sobol points")
struct ScrambledSobolTests {
  @Test func theBareSequenceIsTheKnownOne() throws {
    let points = try ScrambledSobol.points(count: 8, dimensions: 2, seed: nil)
    #expect(
      points == [
        [0, 0], [0.5, 0.5], [0.75, 0.25], [0.25, 0.75], [0.375, 0.375], [0.875, 0.875], [0.625, 0.125],
        [0.125, 0.625],
      ])
  }

  /// In two dimensions, 2^k Sobol points hit every box of 2^i x 2^(k-i) parts once, and scrambling preserves that.
  @Test(arguments: [nil, 1, 2, 99] as [UInt64?])
  func everyBoxOfEqualSizeHoldsOnePoint(seed: UInt64?) throws {
    let points = try ScrambledSobol.points(count: 64, dimensions: 2, seed: seed)
    for across in 0...6 {
      let boxes = points.map { point in
        Int(point[0] * Double(1 << across)) * (64 >> across) + Int(point[1] * Double(64 >> across))
      }
      #expect(boxes.sorted() == Array(0..<64), "\(1 << across) columns")
    }
  }

  @Test func everyOfFortyVariablesMeetsEveryPartOnce() throws {
    let points = try ScrambledSobol.points(count: 256, dimensions: 40, seed: 5)
    for dimension in 0..<40 {
      #expect(points.map { Int($0[dimension] * 256) }.sorted() == Array(0..<256))
    }
  }

  @Test func pointsAreUniformOverScramblings() throws {
    // The origin of the unscrambled sequence may become any point of the cube.
    let firsts = try (0..<2000).map { seed in
      try ScrambledSobol.points(count: 1, dimensions: 2, seed: UInt64(seed))[0]
    }
    for dimension in 0..<2 {
      var counts = [Int](repeating: 0, count: 10)
      for point in firsts { counts[Int(point[dimension] * 10)] += 1 }
      #expect(counts.allSatisfy { abs($0 - 200) < 60 }, "\(counts)")
    }
  }

  @Test func integralsAreNearerThanThoseOfRandomPoints() throws {
    // The product of three coordinates has a mean of 1/8; 1024 random points miss it by 0.0048 on average (RMS).
    var squares = 0.0
    var sum = 0.0
    for seed in 0..<50 {
      let points = try ScrambledSobol.points(count: 1024, dimensions: 3, seed: UInt64(seed))
      let error = points.reduce(0) { $0 + $1[0] * $1[1] * $1[2] } / 1024 - 0.125
      squares += error * error
      sum += error
    }
    #expect((squares / 50).squareRoot() < 0.0048 / 20, "\((squares / 50).squareRoot())")
    #expect(abs(sum / 50) < 0.0001)
  }

  @Test func moreThanGSLHasIsAnError() {
    let error = DesignError.tooManyDimensions(41, limit: 40)
    #expect(throws: error) { try ScrambledSobol.points(count: 4, dimensions: 41, seed: 1) }
    #expect("\(error)".hasPrefix("41 variables exceed the 40 dimensions of the Sobol sequence"))
    #expect(throws: DesignError.pointCount(0, limit: 1 << 24)) {
      try ScrambledSobol.points(count: 0, dimensions: 4, seed: 1)
    }
  }
}
