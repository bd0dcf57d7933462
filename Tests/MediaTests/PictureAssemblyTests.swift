import Ladder
import Media
import Quantity
import Testing

/// Pictures of a scalable stream, packet by packet; every frame has two packets of 100 and 101 bytes.
@Suite("Pictures assembled from layers")
struct PictureAssemblyTests {
  /// A stream in the order of its packets: spatial layer and picture, `^` for a key picture, `!` for its last frame.
  private struct Stream {
    var assembly: PictureAssembly
    var hasMissing = false

    init(_ mode: String) throws {
      assembly = PictureAssembly(try #require(ScalabilityMode(name: mode)))
    }

    /// Adds both packets of a frame, or only the first; returns the heights of the pictures that are completed, as
    /// numbers.
    mutating func receive(
      _ spatial: UInt8, of picture: UInt32, back: UInt8 = 1, isKey: Bool = false, ends: Bool = false,
      hasLower: Bool = true, packets: Range<Int> = 0..<2
    ) -> [UInt16] {
      let frame = LayerFrame(
        picture: picture, back: isKey ? 0 : back, spatial: spatial, temporal: 0, position: 0,
        activeLayers: 3, isKeyPicture: isKey, hasLowerFrame: hasLower)
      for packet in packets {
        assembly.receive(
          frame, ends: ends, count: 2, format: UInt16(spatial), size: packet == 0 ? 100 : 101,
          capturedAt: .zero, isRepaired: false)
      }
      var shown: [UInt16] = []
      while let picture = assembly.take(hasMissing: hasMissing) { shown.append(picture.format) }
      return shown
    }
  }

  @Test func aPictureComesOutWithItsLastFrame() throws {
    var stream = try Stream("L3T3")
    #expect(stream.receive(0, of: 0, isKey: true) == [])
    #expect(stream.receive(1, of: 0, isKey: true) == [])
    #expect(stream.receive(2, of: 0, isKey: true, ends: true, packets: 0..<1) == [])
    #expect(stream.receive(2, of: 0, isKey: true, ends: true, packets: 1..<2) == [2])
    // On the way down, pictures end with the middle layer, whose chain is intact.
    #expect(stream.receive(0, of: 1) == [])
    #expect(stream.receive(1, of: 1, ends: true) == [1])
  }

  /// 254 pictures wait for one, which refers to another, in a ring of 256; one more takes the place of the reference.
  @Test(arguments: [(255, 255), (256, 0)])
  func fourSecondsAt60PicturesPerSecondWaitForARepair(newest: UInt32, shown: Int) throws {
    var stream = try Stream("L1T1")
    #expect(stream.receive(0, of: 0, isKey: true, ends: true) == [0])
    stream.hasMissing = true
    #expect(stream.receive(0, of: 1, ends: true, packets: 0..<1) == [])
    for picture in 2...newest { #expect(stream.receive(0, of: picture, ends: true) == []) }
    #expect(stream.receive(0, of: 1, ends: true, packets: 1..<2).count == shown)
  }

  @Test func aPictureHasThePacketsAndBytesOfAllItsLayers() throws {
    var assembly = PictureAssembly(try #require(ScalabilityMode(name: "L2T1")))
    for spatial in UInt8(0)..<2 {
      let frame = LayerFrame(
        picture: 0, back: 0, spatial: spatial, temporal: 0, position: 0, activeLayers: 2, isKeyPicture: true)
      assembly.receive(
        frame, ends: spatial == 1, count: 1, format: UInt16(spatial), size: 700, capturedAt: .zero,
        isRepaired: spatial == 0)
    }
    let picture = assembly.take(hasMissing: false)
    #expect(picture?.packets == 2 && picture?.bytes == 1400 && picture?.wasRepaired == true)
    #expect(assembly.take(hasMissing: false) == nil)
  }

  @Test func anUpperLayerOfAKeyModeNeedsItsOwnPastAlone() throws {
    var stream = try Stream("L3T3_KEY")
    _ = stream.receive(0, of: 0, isKey: true)
    _ = stream.receive(1, of: 0, isKey: true)
    #expect(stream.receive(2, of: 0, isKey: true, ends: true) == [2])
    #expect(stream.receive(2, of: 1, ends: true) == [2])
    // The middle layer's last frame was in the key picture.
    #expect(stream.receive(1, of: 2, back: 1, ends: true) == [])
    #expect(stream.receive(1, of: 3, back: 3, ends: true) == [1])
  }

  @Test func laterPicturesWaitForAMissingReference() throws {
    var stream = try Stream("L2T1_KEY")
    _ = stream.receive(0, of: 0, isKey: true)
    #expect(stream.receive(1, of: 0, isKey: true, ends: true) == [1])
    stream.hasMissing = true
    #expect(stream.receive(1, of: 1, ends: true, packets: 0..<1) == [])
    #expect(stream.receive(1, of: 2, ends: true) == [])
    #expect(stream.receive(1, of: 1, ends: true, packets: 1..<2) == [1, 1])
  }

  /// A picture is shown without its upper layer, to which the next one refers, and which comes too late to be shown.
  @Test func aFrameTooLateToBeShownIsStillReferredTo() throws {
    var stream = try Stream("L2T1")
    _ = stream.receive(0, of: 0, isKey: true)
    #expect(stream.receive(1, of: 0, isKey: true, ends: true) == [1])
    #expect(stream.receive(0, of: 1) == [])
    #expect(stream.receive(0, of: 2) == [0])
    #expect(stream.receive(1, of: 1, ends: true) == [])
    #expect(stream.receive(1, of: 2, ends: true) == [1])
  }

  /// The key picture has left the ring of 64 by the time the packet arrives.
  @Test func aRepairLongAfterTheKeyPictureIsEnough() throws {
    var stream = try Stream("L2T1_KEY")
    _ = stream.receive(0, of: 0, isKey: true)
    #expect(stream.receive(1, of: 0, isKey: true, ends: true) == [1])
    for picture in UInt32(1)..<200 { #expect(stream.receive(1, of: picture, ends: true) == [1]) }
    stream.hasMissing = true
    #expect(stream.receive(1, of: 200, ends: true, packets: 0..<1) == [])
    #expect(stream.receive(1, of: 201, ends: true) == [])
    #expect(stream.receive(1, of: 200, ends: true, packets: 1..<2) == [1, 1])
  }

  /// The encoder has dropped the lower frame of the second picture; that of the third is lost.
  @Test func anUpperFrameNeedsNoLowerOneThatWasDropped() throws {
    var stream = try Stream("L2T1")
    _ = stream.receive(0, of: 0, isKey: true)
    #expect(stream.receive(1, of: 0, isKey: true, ends: true) == [1])
    #expect(stream.receive(1, of: 1, ends: true, hasLower: false) == [1])
    #expect(stream.receive(1, of: 2, ends: true) == [])
  }

  @Test func aDroppedTopFrameEndsWithTheNextPictureUnlessPacketsAreMissing() throws {
    var stream = try Stream("L2T1")
    _ = stream.receive(0, of: 0, isKey: true)
    #expect(stream.receive(1, of: 0, isKey: true, ends: true) == [1])
    #expect(stream.receive(0, of: 1) == [])
    #expect(stream.receive(0, of: 2, packets: 0..<1) == [0])
    stream.hasMissing = true
    #expect(stream.receive(0, of: 2, packets: 1..<2) == [])
    #expect(stream.receive(0, of: 3, packets: 0..<1) == [])
  }

  @Test func afterGivingUpOnlyAKeyPictureCounts() throws {
    var stream = try Stream("S2T1")
    #expect(stream.receive(1, of: 0, isKey: true, ends: true) == [1])
    stream.assembly.invalidate()
    #expect(stream.receive(1, of: 1, ends: true) == [])
    #expect(stream.receive(1, of: 2, isKey: true, ends: true) == [1])
    #expect(stream.receive(1, of: 3, ends: true) == [1])
  }

  @Test func theEncodersOwnEntryNeedsTheLayerBelowAlone() throws {
    var stream = try Stream("L2T1")
    #expect(stream.receive(0, of: 0, isKey: true, ends: true) == [0])
    #expect(stream.receive(0, of: 1) == [])
    #expect(stream.receive(1, of: 1, back: 0, ends: true) == [1])
  }

  /// Picture 1 is shown without its lower frame, which the next picture's lower frame refers to.
  @Test func aLateFrameOfAShownPictureIsAReference() throws {
    var stream = try Stream("L2T1_KEY")
    _ = stream.receive(0, of: 0, isKey: true)
    #expect(stream.receive(1, of: 0, isKey: true, ends: true) == [1])
    #expect(stream.receive(1, of: 1, ends: true) == [1])
    #expect(stream.receive(0, of: 1) == [])
    #expect(stream.receive(0, of: 2, ends: true) == [0])
  }

  /// libwebrtc's `frame_buffer.cc` releases whole temporal units: a picture whose upper frame is incomplete is not
  /// replaced by the layer below, nor is any later picture that refers to it shown.
  @Test func anIncompleteUpperFrameIsNotReplacedByTheLayerBelow() throws {
    var stream = try Stream("L2T1")
    _ = stream.receive(0, of: 0, isKey: true)
    #expect(stream.receive(1, of: 0, isKey: true, ends: true) == [1])
    stream.hasMissing = true
    #expect(stream.receive(0, of: 1) == [])
    #expect(stream.receive(1, of: 1, ends: true, packets: 0..<1) == [])
    #expect(stream.receive(0, of: 2) == [])
    #expect(stream.receive(1, of: 2, ends: true) == [])
    #expect(stream.receive(1, of: 1, ends: true, packets: 1..<2) == [1, 1])
  }

  /// 201 bytes a frame. A key picture's layers are predicted from each other; those of later pictures only in `L`
  /// modes.
  @Test(arguments: [("L3T1_KEY", [0, 402]), ("L3T1", [0, 0]), ("S3T1", [402, 402])])
  func bytesOfLayersThatAreNotReferredToAreUnused(mode: String, unused: [UInt32]) throws {
    var assembly = PictureAssembly(try #require(ScalabilityMode(name: mode)))
    for picture in UInt32(0)..<2 {
      for spatial in UInt8(0)..<3 {
        let frame = LayerFrame(
          picture: picture, back: UInt8(picture), spatial: spatial, temporal: 0, position: 0, activeLayers: 3,
          isKeyPicture: picture == 0)
        assembly.receive(
          frame, ends: spatial == 2, count: 1, format: 0, size: 201, capturedAt: .zero, isRepaired: false)
      }
      #expect(assembly.take(hasMissing: false)?.unusedBytes == unused[Int(picture)])
    }
  }
}
