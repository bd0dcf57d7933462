import Testing

/// The keys of a mapping have no order, so a manifest's scenario, whose keys are sorted, is the same meeting.
@Suite("The order of keys")
struct KeyOrderTests {
  private func scenario(tracks: String, change: String, later: String) -> String {
    """
    name: order
    duration: 8s
    policy: livekit
    links: {thin: {capacity: 900 kbps, delay: 20 ms, loss: 1 %}}
    participants:
      - {id: zoe, publish: {camera: 720p30}}
      - {id: ann, publish: {camera: 720p30}}
      - {id: bob, publish: {camera: 720p30}}
      - {id: eve, down: thin, view: {signals: {tracks: {\(tracks)}}}}
    timeline:
      - {at: 3s, link: eve/down, \(change)}
      - {at: 5s, participant: eve, signals: {tracks: {\(later)}}}
    """
  }

  @Test func mappingsInAnyOrderGiveTheSameBytes() throws {
    let written = scenario(
      tracks: "bob: {size: 320x180}, zoe: {size: 640x360}, ann: {size: 320x180}",
      change: "loss: 2 %, jitter: 3 ms, delay: 30 ms, capacity: 700 kbps",
      later: "zoe: {size: 320x180}, ann: {disabled: true}")
    let sorted = scenario(
      tracks: "ann: {size: 320x180}, bob: {size: 320x180}, zoe: {size: 640x360}",
      change: "capacity: 700 kbps, delay: 30 ms, jitter: 3 ms, loss: 2 %",
      later: "ann: {disabled: true}, zoe: {size: 320x180}")
    let run = try Program.shell(
      """
      cd $TMPOUT
      printf %s '\(written)' > written.yaml
      printf %s '\(sorted)' > sorted.yaml
      "$meetsim" run written.yaml -q -o a
      "$meetsim" run sorted.yaml -q -o b
      for table in a/*.csv; do cmp $table b/${table#a/}; done
      ls a/*.csv | wc -l
      """)
    #expect(run.output == "9\n" && run.error.isEmpty, "\(run.output)\(run.error)")
  }
}
