import Media
import Quantity
import Testing

@Suite("Forward error correction")
struct LossProtectionTests {
  /// Frames of 50 kbit at 640x360 and 30 fps.
  private func circumstances(loss: UInt8, roundTrip: Int64 = 50, rate: Int64 = 1500)
    -> LossProtection.Circumstances
  {
    LossProtection.Circumstances(
      loss: loss, roundTrip: .milliseconds(roundTrip), rate: .kilobits(rate), framesPerSecond: 30,
      pixels: 640 * 360)
  }

  private func protection(_ circumstances: LossProtection.Circumstances) -> LossProtection {
    var protection = LossProtection()
    protection.update(circumstances, at: .zero)
    return protection
  }

  /// The effective rate is 50 kbit x (640 x 360 / 704 x 576)^-0.3 = 59, the tenth row: 97 of 255 packets for a loss of
  /// 26, that is 97 to 158 of media, or 157 of 255; a key frame gets the maximum, 128 of 255.
  @Test func strengthFollowsTheTable() {
    let strong = protection(circumstances(loss: 26))
    #expect(strong.deltaFactor == 157 && strong.keyFactor == 255 && strong.frames == 3)
    // 25 still belongs to the previous step, 94: 94 to 161.
    #expect(protection(circumstances(loss: 25)).deltaFactor == 149)
    // A frame of several packets gets at least a fifth, 51 to 204.
    #expect(protection(circumstances(loss: 3)).deltaFactor == 64)
    #expect(protection(circumstances(loss: 200)).deltaFactor == 253)
  }

  @Test func nothingProtectsWithoutLoss() {
    let none = protection(circumstances(loss: 0))
    #expect(none.deltaFactor == 0 && none.keyFactor == 0)
  }

  /// Below 20 ms repairs arrive in time; key frames are still protected.
  @Test func shortPathsAreRepairedOnly() {
    let short = protection(circumstances(loss: 26, roundTrip: 19))
    #expect(short.deltaFactor == 0 && short.keyFactor == 255)
    #expect(protection(circumstances(loss: 26, roundTrip: 20)).deltaFactor == 157)
  }

  /// 700 bytes a frame are 168 kbps at 30 fps: below that, another packet would cost too much, unless the path is long.
  @Test func smallFramesAreNotProtected() {
    #expect(protection(circumstances(loss: 26, rate: 150)).deltaFactor == 0)
    #expect(protection(circumstances(loss: 26, rate: 180)).keyFactor > 0)
    #expect(protection(circumstances(loss: 26, roundTrip: 200, rate: 150)).keyFactor > 0)
  }

  /// The highest loss of the last ten seconds counts, in whole seconds.
  @Test func aLossIsRememberedForTenSeconds() {
    var protection = LossProtection()
    protection.update(circumstances(loss: 26), at: .zero + .milliseconds(1500))
    protection.update(circumstances(loss: 0), at: .zero + .milliseconds(11_900))
    #expect(protection.deltaFactor == 157)
    protection.update(circumstances(loss: 0), at: .zero + .seconds(12))
    #expect(protection.deltaFactor == 0)
  }

  /// 5 x 157 / 256 is 3.07; two frames of two packets are too few for strong protection, and three frames are the
  /// maximum.
  @Test func framesAreGatheredUntilProtectionPays() {
    var group = ProtectedGroup()
    #expect(group.add(packets: 5, largest: 1000, factor: 157, frames: 3) == 3)
    #expect(group.packets == 5 && group.largest == 1000)
    group.reset()
    #expect(group.add(packets: 2, largest: 900, factor: 157, frames: 3) == 0)
    #expect(group.add(packets: 2, largest: 1100, factor: 157, frames: 3) == 0)
    // 6 x 157 / 256 is 3.68.
    #expect(group.add(packets: 2, largest: 1000, factor: 157, frames: 3) == 4)
    #expect(group.packets == 6 && group.largest == 1100)
    group.reset()
    // One packet for two is 128 of 256, 64 more than the target.
    #expect(group.add(packets: 2, largest: 900, factor: 64, frames: 6) == 0)
    #expect(group.add(packets: 2, largest: 900, factor: 64, frames: 6) == 1)
  }
}
