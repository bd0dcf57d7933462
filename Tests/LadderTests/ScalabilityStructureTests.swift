import Ladder
import Testing

/// Frames as described by the dependency descriptor's templates: layers, use by each decode target, distances to the
/// referenced frames, distances to the last frame of each chain (in frames of the stream).
@Suite("Scalability structures")
struct ScalabilityStructureTests {
  private struct Stream {
    let mode: ScalabilityMode
    var structure: ScalabilityStructure
    private var number = 0
    private var last: [Int?]
    private var numbers: [[UInt32: Int]]

    init(_ name: String, codec: VideoCodec = .av1) throws {
      mode = try #require(ScalabilityMode(name: name))
      structure = ScalabilityStructure(mode, codec: codec)
      last = Array(repeating: nil, count: mode.spatialLayers)
      numbers = Array(repeating: [:], count: mode.spatialLayers)
    }

    /// Encodes a picture; returns its frames as text.
    mutating func picture(active: Int = 3, keyPicture: Bool = false, dropping: Set<Int> = []) -> [String] {
      structure.advance(active: active, keyPicture: keyPicture)
      var texts: [String] = []
      for spatial in 0..<mode.spatialLayers {
        guard let frame = structure.frame(spatial), !dropping.contains(spatial) else { continue }
        structure.noteEncoded(spatial)
        texts.append(text(frame))
        numbers[spatial][frame.picture] = number
        for chain in last.indices where mode.isInChain(of: chain, frame) { last[chain] = number }
        number += 1
      }
      return texts
    }

    private mutating func text(_ frame: LayerFrame) -> String {
      var targets = ""
      for spatial in 0..<mode.spatialLayers {
        for temporal in 0..<mode.temporalLayers {
          targets.append(mode.indication(of: frame, spatial: spatial, temporal: temporal).rawValue)
        }
      }
      if mode.beginsChain(frame) {
        for chain in last.indices where mode.isInChain(of: chain, frame) { last[chain] = nil }
      }
      var references: [Int] = []
      if frame.refersBack, let past = numbers[Int(frame.spatial)][frame.picture - UInt32(frame.back)] {
        references.append(number - past)
      }
      if mode.refersDown(frame) { references.append(1) }
      let chains = last.map { $0.map { number - $0 } ?? 0 }
      return "\(frame.spatial).\(frame.temporal) \(targets) \(references) \(chains)"
    }
  }

  /// The templates of libwebrtc's `scalability_structure_full_svc.cc`, in the order of the stream.
  @Test func fullPredictionHasLibwebrtcsTemplates() throws {
    var stream = try Stream("L3T3")
    #expect(
      stream.picture() == [
        "0.0 SSSSSSSSS [] [0, 0, 0]", "1.0 ---SSSSSS [1] [1, 1, 1]", "2.0 ------SSS [1] [2, 1, 1]",
      ])
    #expect(
      stream.picture() == [
        "0.2 --D--R--R [3] [3, 2, 1]", "1.2 -----D--R [3, 1] [4, 3, 2]", "2.2 --------D [3, 1] [5, 4, 3]",
      ])
    #expect(
      stream.picture() == [
        "0.1 -DS-RR-RR [6] [6, 5, 4]", "1.1 ----DS-RR [6, 1] [7, 6, 5]", "2.1 -------DS [6, 1] [8, 7, 6]",
      ])
    #expect(
      stream.picture() == [
        "0.2 --D--R--R [3] [9, 8, 7]", "1.2 -----D--R [3, 1] [10, 9, 8]", "2.2 --------D [3, 1] [11, 10, 9]",
      ])
    #expect(
      stream.picture() == [
        "0.0 SSSRRRRRR [12] [12, 11, 10]", "1.0 ---SSSRRR [12, 1] [1, 1, 1]",
        "2.0 ------SSS [12, 1] [2, 1, 1]",
      ])
  }

  /// Templates of `scalability_structure_key_svc.cc`.
  @Test func keyPredictionHasLibwebrtcsTemplates() throws {
    var stream = try Stream("L3T3_KEY")
    #expect(
      stream.picture() == [
        "0.0 SSSSSSSSS [] [0, 0, 0]", "1.0 ---SSSSSS [1] [1, 1, 1]", "2.0 ------SSS [1] [2, 1, 1]",
      ])
    #expect(
      stream.picture() == [
        "0.2 --D------ [3] [3, 2, 1]", "1.2 -----D--- [3] [4, 3, 2]", "2.2 --------D [3] [5, 4, 3]",
      ])
    #expect(
      stream.picture() == [
        "0.1 -DS------ [6] [6, 5, 4]", "1.1 ----DS--- [6] [7, 6, 5]", "2.1 -------DS [6] [8, 7, 6]",
      ])
    #expect(
      stream.picture() == [
        "0.2 --D------ [3] [9, 8, 7]", "1.2 -----D--- [3] [10, 9, 8]", "2.2 --------D [3] [11, 10, 9]",
      ])
    #expect(
      stream.picture() == [
        "0.0 SSS------ [12] [12, 11, 10]", "1.0 ---SSS--- [12] [1, 12, 11]", "2.0 ------SSS [12] [2, 1, 12]",
      ])
  }

  /// Templates of `scalability_structure_simulcast.cc`.
  @Test func simulcastInOneStreamHasLibwebrtcsTemplates() throws {
    var stream = try Stream("S3T3")
    #expect(
      stream.picture() == [
        "0.0 SSS------ [] [0, 0, 0]", "1.0 ---SSS--- [] [1, 0, 0]", "2.0 ------SSS [] [2, 1, 0]",
      ])
    for _ in 0..<3 { _ = stream.picture() }
    #expect(
      stream.picture() == [
        "0.0 SSS------ [12] [12, 11, 10]", "1.0 ---SSS--- [12] [1, 12, 11]", "2.0 ------SSS [12] [2, 1, 12]",
      ])
  }

  /// `scalability_structure_l2t2_key_shift.cc`: one layer's base frame coincides with the other's upper frame.
  @Test func shiftedPatternHasLibwebrtcsTemplates() throws {
    var stream = try Stream("L2T2_KEY_SHIFT")
    #expect(stream.picture() == ["0.0 SSSS [] [0, 0]", "1.0 --SS [1] [1, 1]"])
    #expect(stream.picture() == ["0.0 SS-- [2] [2, 1]", "1.1 ---D [2] [1, 2]"])
    #expect(stream.picture() == ["0.1 -D-- [2] [2, 3]", "1.0 --SS [4] [3, 4]"])
    #expect(stream.picture() == ["0.0 SS-- [4] [4, 1]", "1.1 ---D [2] [1, 2]"])
    #expect(stream.picture() == ["0.1 -D-- [2] [2, 3]", "1.0 --SS [4] [3, 4]"])
  }

  @Test func twoTemporalLayersAlternate() throws {
    var stream = try Stream("L1T2")
    #expect(
      (0..<4).flatMap { _ in stream.picture() } == [
        "0.0 SS [] [0]", "0.1 -D [1] [1]", "0.0 SS [2] [2]", "0.1 -D [1] [1]",
      ])
  }

  /// The new layer's first frame refers only downwards, at the next base frame.
  @Test func fullPredictionBeginsALayerWithoutAKeyPicture() throws {
    var stream = try Stream("L3T3")
    _ = stream.picture(active: 2)
    #expect(stream.picture(active: 3).count == 2)
    #expect(stream.picture().count == 2)
    #expect(stream.picture().count == 2)
    #expect(stream.picture().last == "2.0 ------SSS [1] [2, 1, 1]")
    #expect(!stream.structure.isKeyPicture)
    #expect(stream.picture().last == "2.2 --------D [3, 1] [5, 4, 3]")
  }

  /// A layer that was off has no past.
  @Test func fullPredictionForgetsALayerThatWasOff() throws {
    var stream = try Stream("L2T1")
    _ = stream.picture(active: 2)
    #expect(stream.picture(active: 1).count == 1)
    #expect(stream.picture(active: 2).last == "1.0 -S [1] [1, 1]")
  }

  @Test(arguments: [("L3T3_KEY", VideoCodec.av1), ("L3T3_KEY", .vp9), ("S3T3", .vp9)])
  func aNewLayerMakesAKeyPictureOfAll(name: String, codec: VideoCodec) throws {
    var stream = try Stream(name, codec: codec)
    for _ in 0..<6 { _ = stream.picture(active: 2) }
    let frames = stream.picture(active: 3)
    #expect(frames.count == 3 && stream.structure.isKeyPicture)
    #expect(frames[0].contains(" [] [0"))
    // The pattern starts over.
    #expect(stream.picture()[0].hasPrefix("0.2"))
  }

  @Test func av1sSimulcastLayerBeginsWithAKeyFrameOfItsOwn() throws {
    var stream = try Stream("S2T1")
    _ = stream.picture(active: 1)
    #expect(stream.picture(active: 2) == ["0.0 S- [1] [1, 0]", "1.0 -S [] [1, 0]"])
    #expect(!stream.structure.isKeyPicture)
  }

  @Test func askedKeyPictureRestartsThePattern() throws {
    var stream = try Stream("L1T3")
    for _ in 0..<2 { _ = stream.picture() }
    #expect(stream.picture(keyPicture: true) == ["0.0 SSS [] [0]"])
    #expect(stream.picture() == ["0.2 --D [1] [1]"])
  }

  /// Later frames refer to the last one encoded: if the second of a group is missing, the third refers to the base.
  @Test func droppedFramesAreNotReferredTo() throws {
    var stream = try Stream("L1T3")
    _ = stream.picture()
    _ = stream.picture()
    #expect(stream.picture(dropping: [0]).isEmpty)
    // Nothing was encoded, so the picture is produced again.
    #expect(stream.picture() == ["0.1 -DS [2] [2]"])
    var two = try Stream("L2T3_KEY")
    _ = two.picture()
    _ = two.picture()
    #expect(two.picture(dropping: [1]).count == 1)
    #expect(two.picture() == ["0.2 --D--- [1] [5, 4]", "1.2 -----D [5] [6, 5]"])
  }
}
