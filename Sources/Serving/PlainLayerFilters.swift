import Ladder
import Plan
import Systems

protocol LayerFilters: AnyObject {
  func reset(_ track: Int, mode: ScalabilityMode, codec: VideoCodec)
  func retarget(_ track: Int, to layer: LayerID?)
  func admits(_ frame: LayerFrame, of track: Int) -> Bool
  func current(of track: Int) -> (spatial: Int, temporal: Int)?
  func needsKeyPicture(of track: Int) -> Bool
}

final class PlainLayerFilters: LayerFilters {
  struct State {
    var mode = ScalabilityMode(spatial: 1, temporal: 1)
    var target: LayerID?
    var current: LayerID?
    var active = 3
    var hasMiddle = false
    var goesDown: Bool { (target?.encoding ?? 0) < (current?.encoding ?? 0) }
    var aim: Int { min(target?.encoding ?? -1, active - 1) }
  }
  var states: [State]
  init(tracks: Int) { states = Array(repeating: State(), count: tracks) }

  func reset(_ track: Int, mode: ScalabilityMode, codec: VideoCodec) {
    states[track] = State()
    states[track].mode = mode
  }
  func retarget(_ track: Int, to layer: LayerID?) {
    states[track].target = layer
    if layer == nil { states[track].current = nil }
  }
  func current(of track: Int) -> (spatial: Int, temporal: Int)? {
    states[track].current.map { ($0.encoding, $0.temporal) }
  }
  func needsKeyPicture(of track: Int) -> Bool {
    let state = states[track]
    guard state.target != nil else { return false }
    return state.current == nil || state.aim != state.current?.encoding
  }
  func admits(_ frame: LayerFrame, of track: Int) -> Bool {
    var state = states[track]
    defer { states[track] = state }
    state.active = Int(frame.activeLayers)
    guard let target = state.target else { return false }
    if frame.isKeyPicture {
      state.current = LayerID(encoding: state.aim, temporal: target.temporal)
      state.hasMiddle = false
      return Int(frame.spatial) <= state.aim
    }
    guard var current = state.current else { return false }
    if state.mode.prediction == .full, frame.spatial == 0, state.aim < current.encoding {
      current.encoding = state.aim
    }
    if target.temporal < current.temporal || frame.isSwitchingPoint { current.temporal = target.temporal }
    state.current = current
    guard Int(frame.temporal) <= current.temporal else { return false }
    return state.mode.prediction == .full
      ? Int(frame.spatial) <= current.encoding : Int(frame.spatial) == current.encoding
  }
}

extension Forwarder {
  static func filters(_ plan: MeetingPlan, _ streams: StreamNumbering) -> (any LayerFilters)? {
    streams.hasScalableSources ? PlainLayerFilters(tracks: streams.trackCount) : nil
  }
}
