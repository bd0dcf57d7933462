import CallStatistics
import Ladder
import Testing

/// Cameras of imported calls whose statistics leave something open.
@Suite("Cameras of imported calls")
struct ContentFitTests {
  /// A call of 30 s with encodings of constant rates [kbps].
  private func scenario(
    _ rates: [Double], heights: [Double?], estimate: Double, capture: VideoFormat? = nil
  ) -> String {
    let samples = (0...30).map { second in
      CallRecord.Sample(
        time: Double(second), estimate: estimate,
        encodings: zip(rates, heights).map { rate, height in
          CallRecord.Encoding(bytes: Double(second) * rate * 125, height: height)
        })
    }
    let source = CallRecord.Source(kind: .camera, capture: capture, encodings: 0..<rates.count)
    return ImportedScenario(CallRecord(samples: samples, sources: [source])).text(name: "n", source: "s")
  }

  /// A talking head takes 247 kbps at 180p, 639 at 360p and 1289 at 540p; up to 1.2 times that is one of that size.
  @Test(arguments: [
    (296.0, "180p30"), (297, "360p30"), (766, "360p30"), (767, "540p30"), (1546, "540p30"), (1547, "720p30"),
  ])
  func withoutSizesACameraIsAsLargeAsItsRate(_ rate: Double, _ format: String) {
    let text = scenario([rate], heights: [nil], estimate: 5000)
    #expect(text.contains("camera: {capture: \(format), ladder: single"), "\(text)")
  }

  /// 650 kbps take 707.45 with headers and a voice; 720p begins again with 1.2 times its minimum of 600 kbps, beside them
  /// from 1427.45 on.
  @Test(arguments: [(1427.0, false), (1428, true)])
  func whatTheEstimateCouldNotCarryIsNoLimitOfTheSender(_ estimate: Double, _ isLimit: Bool) {
    let text = scenario(
      [150, 500, 0], heights: [180, 360, 0], estimate: estimate,
      capture: VideoFormat(.p720, framesPerSecond: 30))
    // Two encodings of an app, or three of which the path carried two.
    #expect(text.contains("layers: ") == isLimit, "\(text)")
    #expect(text.contains("ladder: webrtc-vp8") == !isLimit && !text.contains("maximum"), "\(text)")
  }
}
