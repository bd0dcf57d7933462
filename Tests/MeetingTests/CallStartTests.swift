import Metrics
import TestSupport
import Testing

/// The size of the first picture of a source that is sent in one encoding.
@Suite("Starts of calls")
struct CallStartTests {
  private func text(estimator: String = "gcc", audio: Bool = true, joins: Int = 0) -> String {
    """
    name: start
    duration: \(joins + 2)s
    policy: janus
    estimator: \(estimator)
    participants:
      - {id: ann, join: \(joins)s, publish: {camera: {capture: 720p30, ladder: single, content: rich}, audio: \(audio)}}
      - {id: bob, view: {request: [{quality: 720p30, priority: high, participant: ann}]}}
    """
  }

  /// Height of the first picture that bob sees.
  private func first(_ text: String, seed: UInt64) throws -> String? {
    let run = try Meetings.run(Meetings.scenario(text), seed: seed)
    return run.tables.stream(viewer: "bob", source: "ann").compactMap { $0["frame_height_px"] }
      .first { !$0.isEmpty }
  }

  /// One call in five is expected to be slow to connect: of 60 that is a binomial of mean 12 and standard deviation 3.1,
  /// of which the bounds are 2.5 to either side.
  @Test func picturesBeginAt270pAndSometimesAt180pWhateverTheLink() throws {
    let heights = try (1...60).map { try first(text(), seed: $0) }
    #expect(Set(heights) == ["180", "270"])
    let small = heights.count { $0 == "180" }
    #expect((5...19).contains(small), "\(small)")
    // The same race for somebody who joins later.
    #expect(try (1...10).map { try first(text(joins: 3), seed: $0) } == Array(heights.prefix(10)))
  }

  /// Without a voice the share is the whole 300 kbps, enough for 360p.
  @Test func aSlowSetUpWithoutAVoiceLetsTheLargerPictureThrough() throws {
    #expect(try Set((1...20).map { try first(text(audio: false), seed: $0) }) == ["270", "360"])
  }

  @Test func whereTheCapacityIsKnownPicturesBeginWhole() throws {
    for seed in UInt64(1)...10 { #expect(try first(text(estimator: "oracle"), seed: seed) == "720") }
  }
}
