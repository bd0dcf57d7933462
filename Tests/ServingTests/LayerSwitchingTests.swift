import Endpoint
import Ladder
import Plan
import Quantity
import Serving
import SimulationKernel
import Systems
import TestSupport
import Testing

/// The tracks of `v` and `w` from the encodings 0, 1 and 2 of one source, without packets or a clock.
@Suite("Switches of layers, driven by hand")
struct LayerSwitchingTests {
  private static let viewers = [1, 2]

  private func switching(_ change: (inout ForwardingRules) -> Void = { _ in }) throws -> LayerSwitching {
    var rules = PlainSystem().traits.forwarding
    change(&rules)
    return LayerSwitching(
      rules, StreamNumbering(try .small()), scalable: [nil], topTemporal: [2, 2, 2])
  }

  private func retarget(
    _ switching: inout LayerSwitching, _ viewer: Int, to encoding: Int8, temporal: Int8 = 2
  ) -> Int? {
    let layer = encoding < 0 ? .none : CompactLayer(encoding: encoding, temporal: temporal)
    return switching.retarget(viewer: viewer, source: 0, to: layer, at: .zero)
  }

  /// The encoding forwarded to each viewer; `nil` for none.
  private func current(_ switching: borrowing LayerSwitching) -> [Int8] {
    Self.viewers.map { switching.tracks[$0].current.encoding }
  }

  @Test func anEncodingBeginsWithItsKeyFrame() throws {
    var switching = try switching {
      $0.layerWindow = ForwardingRules.LayerWindow(
        length: .seconds(1), step: .milliseconds(100), silence: .seconds(1))
    }
    let needed = [retarget(&switching, 1, to: 2), retarget(&switching, 2, to: 0)]
    #expect(needed == [2, 0])
    #expect(switching.usedEncodings(of: 0).rawValue == 0b101)
    #expect(current(switching) == [-1, -1])
    let switched = [0, 0, 2].map { switching.switchAtKeyFrame(of: $0, at: .ms(10)) }
    #expect(switched == [true, false, true])
    #expect(current(switching) == [2, 0])
    let taken = [switching.takeSwitched(), switching.takeSwitched()]
    #expect(taken == [[2, 1], []])
    #expect(switching.tracks[1].beganAt == .ms(10))
  }

  /// Other temporal layers of the same encoding need no key frame.
  @Test func aTemporalLayerChangesAtOnce() throws {
    var switching = try switching()
    _ = retarget(&switching, 1, to: 1)
    _ = switching.switchAtKeyFrame(of: 1, at: .zero)
    let needed = retarget(&switching, 1, to: 1, temporal: 0)
    #expect(needed == nil && switching.tracks[1].current.temporal == 0)
  }

  /// The old encoding goes on until the key frame of the new one; what nobody waits for is not used.
  @Test func aTrackThatIsEndedFreesItsEncodings() throws {
    var switching = try switching()
    _ = retarget(&switching, 1, to: 0)
    _ = switching.switchAtKeyFrame(of: 0, at: .zero)
    _ = retarget(&switching, 1, to: 2)
    #expect(switching.usedEncodings(of: 0).rawValue == 0b101)
    #expect(switching.streamCount(to: 1) == 1)
    _ = retarget(&switching, 1, to: -1)
    #expect(switching.usedEncodings(of: 0).isEmpty)
    #expect(switching.streamCount(to: 1) == 0)
    let switched = switching.switchAtKeyFrame(of: 2, at: .ms(1))
    #expect(!switched)
  }

  /// From 2 down to 1 and 0, and back to where packets of a higher encoding arrive.
  @Test func aSilentEncodingIsReplacedByALowerOne() throws {
    var switching = try switching {
      $0.fallback = ForwardingRules.FallbackRule(after: .milliseconds(300), keyFrameTimeout: .seconds(1))
    }
    _ = retarget(&switching, 1, to: 2)
    _ = switching.switchAtKeyFrame(of: 2, at: .zero)
    let steps = [1, 2, 3].map { switching.stepDown(1, of: 0, after: 0, at: .ms($0 * 300)) }
    #expect(steps == [1, 0, nil])
    #expect(switching.tracks[1].aim == 0 && switching.tracks[1].isWaiting)
    switching.endSubstitutes(at: 0, of: 0)
    #expect(switching.tracks[1].aim == 0)
    switching.endSubstitutes(at: 1, of: 0)
    #expect(switching.tracks[1].aim == 2 && !switching.tracks[1].isWaiting)
  }
}
