/// Scallop's three participants sending AV1 `L1T3`, with the third's downlink reduced twice ("Scalable Video
/// Conferencing Using SDN Principles", SIGCOMM 2025, figure 16, digitized: about ±2 %).
///
/// Each sender's initial rate, 300 kbps, is an input. The rest is a prediction: which layer is dropped, and its share
/// of the bits, given by libwebrtc's split (`svc_rate_allocator.cc`: 54.0, 16.3 and 29.7 %). The tolerance is 15 % for
/// rates, as ours count RTP headers and Chrome's do not, 10 % for frame rates, and the figure's reading accuracy for
/// the share.
enum PublishedLayerCases {
  private typealias Window = (from: Double, to: Double)
  private static let ample: Window = (120, 185)
  private static let reduced: Window = (205, 330)

  static let all: [VerificationCase] = [
    CandidateCases.overSeeds(
      "scallop-l1t3",
      "three people in AV1 L1T3, 300 kbps each; the third's downlink 10 Mbps, from 27 and 196 s 500 kbps",
      "Scallop (SIGCOMM 2025), figure 16, digitised", PackageResources.scallop_l1t3_yaml,
      [
        SeedMeasure("rate, 120 to 185 s [kbps]", .within(89.7, of: 598)) { rate($0, ["p1", "p2"], ample) },
        SeedMeasure("rate, 205 to 330 s [kbps]", .within(61.35, of: 409)) {
          rate($0, ["p1", "p2"], reduced)
        },
        SeedMeasure("rate of the first sender, 205 to 330 s [kbps]", .within(30.6, of: 204)) {
          rate($0, ["p1"], reduced)
        },
        SeedMeasure("rate of the second sender, 205 to 330 s [kbps]", .within(30.6, of: 204)) {
          rate($0, ["p2"], reduced)
        },
        SeedMeasure("share of the rate, 205 to 330 s [%]", .within(1.37, of: 68.5)) {
          100 * rate($0, ["p1", "p2"], reduced) / rate($0, ["p1", "p2"], ample)
        },
        SeedMeasure("frame rate, 120 to 185 s [1/s]", .within(2.96, of: 29.6)) { frameRate($0, ample) },
        SeedMeasure("frame rate, 205 to 330 s [1/s]", .within(1.47, of: 14.7)) { frameRate($0, reduced) },
        SeedMeasure("frame rate of the first sender at the second, 205 to 330 s [1/s]", .within(3, of: 30)) {
          $0.mean($0.stream("p2", "p1", "frames_per_second"), reduced.from, reduced.to)
        },
        SeedMeasure("frozen at the third, 20 to 430 s [s]", .atMost(0), over: .worst) { series in
          ["p1", "p2"].reduce(0) {
            $0 + series.window(series.stream("p3", $1, "freezes_duration_s"), 20, 430).reduce(0, +)
          }
        },
      ]
    ) { series in
      ["p1", "p2"].map {
        VerificationSeries(
          name: $0, quantity: "rate_kbps",
          points: series.points(series.stream("p3", $0, "bitrate_bps"), times: 1e-3))
      }
    }
  ]

  /// Returns the rate that the third receives from some senders [kbps].
  private static func rate(_ series: MeetingSeries, _ senders: [String], _ window: Window) -> Double {
    senders.reduce(0) {
      $0 + series.mean(series.stream("p3", $1, "bitrate_bps"), window.from, window.to) / 1000
    }
  }

  /// Returns the mean frame rate of both senders at the third.
  private static func frameRate(_ series: MeetingSeries, _ window: Window) -> Double {
    ["p1", "p2"].reduce(0) {
      $0 + series.mean(series.stream("p3", $1, "frames_per_second"), window.from, window.to)
    } / 2
  }
}
