import Metrics
import TestSupport
import Testing

/// Size of the first picture of a source with a single encoding.
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

  /// Returns the height of the first picture that bob sees.
  private func first(_ text: String, seed: UInt64) throws -> String? {
    let run = try Meetings.run(Meetings.scenario(text), seed: seed)
    return run.tables.stream(viewer: "bob", source: "ann").compactMap { $0["frame_height_px"] }
      .first { !$0.isEmpty }
  }

  /// Returns the counts of first picture heights in sixty calls, on paths with this one-way delay.
  private func starts(delay: String) throws -> [String: Int] {
    let links = "links: {path: {capacity: 100 Mbps, delay: \(delay)}}\nparticipants:"
    let text = text().replacing("participants:", with: links)
      .replacing("id: ann, ", with: "id: ann, up: path, down: path, ")
    return try (1...60).reduce(into: [:]) { counts, seed in
      counts[try first(text, seed: seed) ?? "", default: 0] += 1
    }
  }

  /// Without delay the voice comes first, and in nine of thirteen set-ups four frames pass before the allocation: of 60
  /// calls, a mean of 41.5 with a standard deviation of 3.6 start at 180p, the others at 270p.
  @Test func withoutDelayMostPicturesBeginAt180p() throws {
    let heights = try starts(delay: "0 ms")
    #expect(Set(heights.keys) == ["180", "270"])
    #expect((32...51).contains(heights["180"] ?? 0), "\(heights)")
  }

  /// At 20 ms, three round trips are 120 of 150 ms: four in five encoders start before the voice, and ten in thirteen
  /// of these judge three frames by 300 kbps: 36.9 of 60 calls at 360p, standard deviation 3.8, and 8.3 (2.7) at 180p.
  @Test func withDelayMostPicturesBeginAt360p() throws {
    let heights = try starts(delay: "20 ms")
    #expect((27...47).contains(heights["360"] ?? 0), "\(heights)")
    #expect((2...15).contains(heights["180"] ?? 0), "\(heights)")
    // Three round trips of 60 ms take longer than any answer.
    #expect(try starts(delay: "30 ms")["180"] == nil)
  }

  @Test func aLaterCallStartsLikeAnEarlierOne() throws {
    let heights = try (1...10).map { try first(text(), seed: $0) }
    #expect(try (1...10).map { try first(text(joins: 3), seed: $0) } == heights)
  }

  /// Without a voice the share is the full 300 kbps, enough for 360p.
  @Test func aSlowSetUpWithoutAVoiceLetsTheLargerPictureThrough() throws {
    #expect(try Set((1...20).map { try first(text(audio: false), seed: $0) }) == ["270", "360"])
  }

  @Test func whereTheCapacityIsKnownPicturesBeginWhole() throws {
    for seed in UInt64(1)...10 { #expect(try first(text(estimator: "oracle"), seed: seed) == "720") }
  }
}
