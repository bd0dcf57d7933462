import Ladder
package import Plan
import Scenario

extension MeetingPlan {
  /// Plans a meeting of which a test builds one end: `p` sends, `v` and `w` watch, each over links of 1 Gbit/s and 1
  /// ms; those who watch have microphones.
  ///
  /// The camera of `p`, at 30 frames per second, has three encodings with three temporal layers each: `a` is 180p at
  /// 100 kbps, `b` 360p at 500 kbps, `c` 720p at 2000 kbps; the temporal layers up to 0, 1 and 2 take 40, 60 and 100 %.
  package static func small(_ system: PlainSystem = PlainSystem(), camera: String = "720p30") throws
    -> MeetingPlan
  {
    let scenario = try Meetings.scenario(
      """
      name: small
      duration: 60s
      links: {wide: {capacity: 1 Gbps, delay: 1 ms}}
      participants:
        - {id: p, up: wide, down: wide, publish: {camera: \(camera), audio: false}}
        - {id: v, up: wide, down: wide, publish: {audio: true}, view: {everybody: 640x360}}
        - {id: w, up: wide, down: wide, publish: {audio: true}, view: {everybody: 640x360}}
      """)
    var plan = scenario.plan
    plan.system = system
    plan.participants[0].camera?.ladder = .threeTemporal([
      ("a", .p180, 100), ("b", .p360, 500), ("c", .p720, 2000),
    ])
    plan.participants[0].camera?.otherLadder = nil
    return plan
  }
}
