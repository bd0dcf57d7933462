import CallStatistics
import Testing

@Suite("Stretches of an imported call")
struct ComparedStretchTests {
  /// 480 kbps for 30 s, then 240: the limit starts with the samples around 30 s that fall in the stretch. A stretch has
  /// settled 15 s after a change, or in its second half if that is shorter.
  @Test func stretchesAreWhatIsBetweenChanges() throws {
    var rows = ["t,availableOutgoingBitrate,bytesSent,frameWidth,frameHeight"]
    var bytes = 0
    for second in 0..<60 {
      rows.append("\(second),2500000,\(bytes),640,360")
      bytes += second < 30 ? 60_000 : 30_000
    }
    let record = try GetStatsFile.read(Array(rows.joined(separator: "\n").utf8), path: "g", CallPart())
    let scenario = ImportedScenario(record)
    let stretches = scenario.stretches
    #expect(stretches.map(\.seconds.upperBound).last == 60)
    #expect(stretches.count == 2)
    #expect(stretches.map { $0.sources.map { Int($0.rate.rounded()) } } == [[480], [240]])
    #expect(stretches.map { $0.sources[0].height } == [360, 360])
    #expect(stretches.map(\.estimate) == [nil, nil])
    // 480 kbps of RTP is 496.6 kbps of IP, and a voice takes 35.
    #expect(Int(stretches[0].sent.rounded()) == 532)
    #expect(
      scenario.table.hasPrefix("t,capacity_kbps,bwe_kbps,recv_bytes,h,fps\n0.0,2500.0,2500.0,0.0,360.0,\n"))
  }
}
