import Ladder
import Testing

@Suite("Scalability modes")
struct ScalabilityModeTests {
  /// The modes that libwebrtc knows, in the order of its `scalability_mode.h`.
  @Test func namesAreThoseOfW3C() {
    let names =
      "L1T1 L1T2 L1T3 L2T1 L2T1h L2T1_KEY L2T2 L2T2h L2T2_KEY L2T2_KEY_SHIFT L2T3 L2T3h L2T3_KEY L3T1 L3T1h L3T1_KEY "
      + "L3T2 L3T2h L3T2_KEY L3T3 L3T3h L3T3_KEY S2T1 S2T1h S2T2 S2T2h S2T3 S2T3h S3T1 S3T1h S3T2 S3T2h S3T3 S3T3h"
    #expect(ScalabilityMode.all.map(\.name).joined(separator: " ") == names)
    for mode in ScalabilityMode.all { #expect(ScalabilityMode(name: mode.name) == mode) }
  }

  @Test(arguments: ["L3T3_key", "L4T1", "L1T3_KEY", "L3T3_KEY_SHIFT", "S1T1", "", "L3T3h_KEY"])
  func otherNamesAreUnknown(name: String) { #expect(ScalabilityMode(name: name) == nil) }

  @Test func nameSaysLayersAndPrediction() throws {
    let mode = try #require(ScalabilityMode(name: "S3T2h"))
    #expect(mode.spatialLayers == 3 && mode.temporalLayers == 2 && mode.prediction == .none)
    #expect(mode.ratio == .threeToTwo)
    let shifted = try #require(ScalabilityMode(name: "L2T2_KEY_SHIFT"))
    #expect(shifted.isShifted && shifted.prediction == .keyPictures)
  }

  /// The lowest of n layers needs 240x135: 480x270 holds two layers, 960x540 three (libwebrtc's unit tests).
  @Test(
    arguments: [
      (480, 270, "L3T3_KEY", "L2T3_KEY"), (640, 360, "L3T3", "L2T3"), (960, 540, "L3T3", "L3T3"),
      (959, 540, "L3T3", "L2T3"), (270, 480, "S3T3h", "S2T3h"), (240, 135, "L3T3_KEY", "L1T3"),
      (479, 270, "L2T2_KEY_SHIFT", "L1T2"), (1280, 720, "L2T2_KEY_SHIFT", "L2T2_KEY_SHIFT"),
      (7680, 4320, "L3T1", "L3T1"),
    ])
  func smallCapturesHaveFewerSpatialLayers(width: Int, height: Int, asked: String, name: String) throws {
    let mode = try #require(ScalabilityMode(name: asked))
    #expect(mode.fitted(to: Resolution(width: width, height: height)).name == name)
  }

  @Test(
    arguments: [
      ("L3T3", VideoCodec.vp9, 1280, 720, ["180p", "360p", "720p"]),
      ("L3T3", .vp9, 1366, 770, ["341x192", "682x384", "1364x768"]),
      ("L3T3", .av1, 1366, 770, ["341x192", "683x385", "1366x770"]),
      ("L3T3h", .vp9, 1280, 720, ["568x320", "852x480", "1278x720"]),
      ("L3T3h", .av1, 1280, 720, ["568x320", "853x480", "720p"]),
      ("L2T1h", .vp9, 720, 1280, ["480x852", "720x1278"]), ("L1T3", .vp9, 1366, 769, ["1366x769"]),
    ])
  func layersHaveTheRatiosSizes(
    name: String, codec: VideoCodec, width: Int, height: Int, sizes: [String]
  ) throws {
    let mode = try #require(ScalabilityMode(name: name))
    let capture = Resolution(width: width, height: height)
    #expect(
      (0..<mode.spatialLayers).map { mode.size(of: $0, capture: capture, codec: codec).description } == sizes)
  }
}
