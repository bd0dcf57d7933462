import Statistics
import Testing

@Suite("Random streams")
struct RandomStreamTests {
  @Test func aStreamDependsOnSeedRepetitionAndNameAlone() {
    var a = RandomStream(seed: 1, repetition: 2, name: "encoder/ann")
    var b = RandomStream(seed: 1, repetition: 2, name: "encoder/ann")
    let first = (0..<100).map { _ in a.next() }
    #expect(first == (0..<100).map { _ in b.next() })
    for other in [
      RandomStream(seed: 2, repetition: 2, name: "encoder/ann"),
      RandomStream(seed: 1, repetition: 3, name: "encoder/ann"),
      RandomStream(seed: 1, repetition: 2, name: "encoder/bob"),
    ] {
      var other = other
      #expect(first != (0..<100).map { _ in other.next() })
    }
  }

  @Test func xoshiroFollowsItsReference() {
    // First outputs of the reference xoshiro256**, with its state seeded by splitmix64 from 42.
    var stream = RandomStream(splitMixSeed: 42)
    #expect(stream.next() == 1_546_998_764_402_558_742)
    #expect(stream.next() == 6_990_951_692_964_543_102)
  }

  @Test func variatesHaveTheirMoments() throws {
    var stream = RandomStream(seed: 7, name: "moments")
    let exponential = Sample((0..<100_000).map { _ in stream.exponential(mean: 3) })
    let normal = Sample((0..<100_000).map { _ in stream.normal(mean: 5, sd: 2) })
    let laplace = Sample((0..<100_000).map { _ in abs(stream.laplace(scale: 0.3)) })
    // Within five standard errors of the mean.
    #expect(abs(try #require(exponential.mean) - 3) < 5 * 3 / 316)
    #expect(abs(try #require(normal.mean) - 5) < 5 * 2 / 316)
    #expect(abs(try #require(normal.standardDeviation) - 2) < 0.03)
    #expect(abs(try #require(laplace.mean) - 0.3) < 5 * 0.3 / 316)
  }

  @Test func anIndexIsUniformAndAPermutationComplete() {
    var stream = RandomStream(seed: 3, name: "index")
    var counts = [Int](repeating: 0, count: 10)
    for _ in 0..<100_000 { counts[stream.index(below: 10)] += 1 }
    #expect(counts.allSatisfy { abs($0 - 10_000) < 500 })
    #expect(stream.permutation(of: 50).sorted() == Array(0..<50))
  }
}

@Suite("GSL behind Statistics")
struct ReferenceTests {
  @Test func studentsQuantileIsThePublishedOne() throws {
    let quantile = try #require(StudentT.quantile(0.975, degreesOfFreedom: 10))
    #expect(abs(quantile - 2.228138852) < 1e-8)
    #expect(StudentT.quantile(2, degreesOfFreedom: 10) == nil)
  }

  @Test func theMersenneTwisterIsTheReference() {
    let generator = ReferenceGenerator(seed: 5489)
    #expect(generator.next() == 3_499_211_612)
    #expect(generator.next() == 581_869_302)
  }

  @Test func aSampleKnowsItsQuantiles() throws {
    let sample = Sample([4, 1, 3, 2, 5])
    #expect(sample.mean == 3)
    #expect(sample.quantile(0.5) == 3)
    #expect(sample.quantile(0.25) == 2)
    #expect(sample.quantile(1.5) == nil)
  }
}
