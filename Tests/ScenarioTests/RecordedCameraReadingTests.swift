import Ladder
import Plan
import Quantity
import Scenario
import TestSupport
import Testing

@Suite("Reading recorded cameras")
struct RecordedCameraReadingTests {
  private static let header = "frame,temporal_id,keyframe,h_bytes,q_bytes\n"

  /// Reads a scenario beside a table `frames.csv`.
  private func read(_ table: String, _ cameras: String...) throws -> LoadedScenario {
    let folder = try TemporaryFolder(["frames.csv": table])
    let people = cameras.enumerated().map { "  - {id: p-\($0.offset), publish: {camera: {\($0.element)}}}\n" }
    let text = "name: t\nduration: 10s\nparticipants:\n" + people.joined()
    do {
      return try ScenarioReader.read(bytes: Array(text.utf8), file: "t.yaml", directory: folder.path + "/")
    } catch {
      let messages = error.diagnostics.map { $0.description.replacing(folder.path + "/", with: "") }
      throw Meetings.Failure(description: messages.joined(separator: "\n"))
    }
  }

  private static let frames = "frames: {file: frames.csv, fps: 30, encodings: {q: 320x180, h: 640x360}}"

  /// 8 frames: layer 0 twice, layer 1 twice, layer 2 four times.
  private static let table =
    header + "0,0,1,9000,1000\n1,2,0,200,20\n2,1,0,400,40\n3,2,0,200,20\n"
    + "4,0,0,1000,100\n5,2,0,200,20\n6,1,0,400,40\n7,2,0,200,20\n"

  private static let lone = "frames: {file: frames.csv, fps: 30, encodings: {f: 640x360}}"

  /// 3000, 500 and 1000 bytes at 30 frames a second repeat 10 times a second: 4500 x 8 x 10.
  @Test(arguments: [
    "3000\n500\n1000\n", "frame,3000,I\nframe,500,P,\r\nframe,1000,B\n", "3000,I\n500,P\n1000,P",
    // ffprobe's JSON, of frames (with older and newer names) and of packets.
    #"{"frames": [{"media_type": "video", "key_frame": 1, "pkt_size": "3000"}, {"media_type": "audio", "pkt_size": "9"}, "#
      + #"{"media_type": "video", "key_frame": 0, "pkt_size": 500}, {"key_frame": 0, "pkt_size": "1000"}]}"#,
    #"{"packets": [{"codec_type": "video", "size": "3000", "flags": "K__"}, {"size": "500", "flags": "__"}, "#
      + #"{"size": "1000", "flags": "___"}]}"#,
    // The video trace library: bits with PSNRs, bytes if the comments say so, terse, and its older columns.
    "# Sequence: a\n0 0.0 IDR 24000 38.1 40.2 41.3\n1 33.3 P 4000 37 40 41\n2 66.7 B 7993 36 40 41\n",
    "# Maximum Frame Size (Bytes): 3000\n0\t0.0\tI\t3000\t38.1\n1\t33.3\tP\t500\t37\n2\t66.7\tB\t1000\t36\n",
    "24000 38.17\n4000 37.96\n8000 36.0\n", "1 I 0.0 3000\n2 P 80.0 500\n3 B 40.0 1000\n",
  ])
  func aListOfSizesIsOneEncoding(list: String) throws {
    let camera = try #require(try read(list, Self.lone).plan.participants[0].camera)
    let table = try #require(camera.recordedFrames?.table)
    #expect(table.keyFrame(from: 0) == 0 && table.keyFrame(from: 1) == 0)
    #expect(camera.ladder.encodings.map(\.bitrate.bitsPerSecond) == [360_000])
  }

  @Test(arguments: [
    (
      "3000\nlarge\n",
      "frames.csv:2:1: error: 'large' is no size of a frame in whole bytes, from 1 to 1000000"
    ),
    (
      "3000,P\n",
      "frames.csv:1:1: error: the list must begin with a key frame (I), since it is played in a loop: remove the lines "
        + "before it"
    ),
    (
      "0 0 I 24000 38\n1 33 P\n",
      "frames.csv:2:1: error: '1 33 P' is no size of a frame in whole bytes, from 1 to 1000000"
    ),
    (
      "{\"frames\": [\n  {\"key_frame\": 1, \"pkt_size\": \"0\"}]}",
      "frames.csv:2:32: error: '0' is no size of a frame in whole bytes, from 1 to 1000000"
    ),
    (
      "{\"frames\": [\n  {\"key_frame\": 1}]}",
      "frames.csv:2:3: error: the frame has no 'pkt_size'"
    ),
    (
      "{\"frames\": [\n  {\"key_frame\": 1, \"pkt_size\": \"5\"}",
      "frames.csv:2:36: error: this is no JSON: ',' or ']' was expected here"
    ),
    (
      "{\"streams\": []}",
      "frames.csv:1:1: error: there is no list 'frames', as 'ffprobe -show_frames -of json' writes"
    ),
    (
      "{\"frames\": [{\"stream_index\": 0, \"key_frame\": 1, \"pkt_size\": \"5\"}, {\"stream_index\": 1, \"pkt_size\": 5}]}",
      "frames.csv:1:67: error: there are frames of several video streams: choose one by '-select_streams v:0'"
    ),
  ])
  func aListThatCannotBePlayedIsNamedWithItsLine(list: String, message: String) {
    let error = #expect(throws: Meetings.Failure.self) { try read(list, Self.lone) }
    #expect(error?.description == message)
  }

  /// 8 frames at 30 a second are 30 passes of the table in 8 s: bytes × 8 bits × 30 / 8 = 30 bit/s per byte.
  @Test func theLadderIsTheTablesMeanRatesUpToEachTemporalLayerInOrderOfSize() throws {
    let camera = try #require(try read(Self.table, Self.frames).plan.participants[0].camera)
    #expect(camera.kind == .camera && camera.startsOn)
    #expect(camera.capture == VideoFormat(.p360, framesPerSecond: 30))
    let layers = camera.ladder.layers.map { layer in
      "\(camera.ladder.encodings[layer.id.encoding].rid).\(layer.id.temporal) \(layer.format) "
        + "\(layer.bitrate.bitsPerSecond)"
    }
    #expect(
      layers == [
        "q.0 180p7 33000", "q.1 180p15 35400", "q.2 180p30 37800", "h.0 360p7 300000", "h.1 360p15 324000",
        "h.2 360p30 348000",
      ])
  }

  @Test func theTableIsReadOnceForAllWhoPlayIt() throws {
    let scenario = try read(
      Self.table, Self.frames, Self.frames.replacing("fps: 30", with: "fps: 15, start: 1, packet: 1 kB"),
      "on: false, " + Self.frames.replacing("q: 320x180, h: 640x360", with: "q: 1280x720, h: 640x360"))
    #expect(scenario.traces.map(\.path) == ["frames.csv"])
    #expect(scenario.traces[0].bytes == Array(Self.table.utf8))
    let cameras = scenario.plan.participants.compactMap(\.camera)
    let recordings = cameras.compactMap(\.recordedFrames)
    #expect(recordings.map(\.packetBytes) == [1150, 1000, 1150])
    #expect(recordings.map(\.columns) == [[1, 0], [1, 0], [0, 1]])
    #expect(cameras.map(\.startsOn) == [true, true, false])
    #expect(cameras[1].ladder.encodings[1].bitrate == BitRate(bitsPerSecond: 174_000))
    #expect(cameras[2].ladder.encodings.map(\.rid) == ["h", "q"])
  }

  @Test(arguments: [
    ("0,0,1,10,1\n1,0,0,5,1\n", 1), ("0,0,1,10,1\n1,1,0,5,1\n2,0,0,5,1\n", 2),
    ("0,0,1,10,1\n1,0,1,5,1\n2,2,0,5,1\n3,1,0,5,1\n4,2,0,5,1\n5,0,0,5,1\n6,0,1,5,1\n", 3),
    ("0,0,1,9,1\r\n", 1),
  ])
  func temporalLayersRepeatFromEachKeyFrameOn(rows: String, layers: Int) throws {
    let camera = try read(Self.header + rows, Self.frames).plan.participants[0].camera
    #expect(camera?.recordedFrames?.table.temporalLayers == layers)
  }

  /// Faulty tables, and the message for each.
  private static let faults: [(table: String, message: String)] = [
    ("", "1:1: error: the table is empty"),
    (header, "1:1: error: the table has no frames"),
    (
      "frame,keyframe,temporal_id,q_bytes\n",
      "1:7: error: column 'keyframe' stands where 'temporal_id' should"
    ),
    ("frame,temporal_id\n", "1:7: error: column 'keyframe' is missing"),
    ("frame,temporal_id,keyframe\n", "1:19: error: there is no encoding's column"),
    ("frame,temporal_id,keyframe,q_bytes,size\n", "1:36: error: column 'size' is unknown"),
    ("frame,temporal_id,keyframe,_bytes\n", "1:28: error: column '_bytes' is unknown"),
    ("frame,temporal_id,keyframe,q_bytes,q_bytes\n", "1:36: error: column 'q_bytes' is there twice"),
    (
      "frame,temporal_id,keyframe,a_bytes,b_bytes,c_bytes,d_bytes\n",
      "1:52: error: there are more than 3 encodings"
    ),
    (header + "0,0,1,9\n", "2:1: error: the row has 4 fields, the header 5"),
    (header + "1,0,1,9,9\n", "2:1: error: frame: '1' is not 0: frames are numbered from 0, in order"),
    (header + "0,0,1,9,9\n2,0,0,9,9\n", "3:1: error: frame: '2' is not 1"),
    (header + "0,0,0,9,9\n", "2:5: error: keyframe: the table must begin with a key frame"),
    (header + "0,0,yes,9,9\n", "2:5: error: keyframe: 'yes' is neither 0 nor 1"),
    (header + "0,0,2,9,9\n", "2:5: error: keyframe: '2' is neither 0 nor 1"),
    (header + "0,3,1,9,9\n", "2:3: error: temporal_id: '3' is not a whole number from 0 to 2"),
    (header + "0,1,1,9,9\n", "2:3: error: temporal_id: a key frame has layer 0, not 1"),
    (
      header + "0,0,1,9,9\n1,2,0,9,9\n2,2,0,9,9\n",
      "4:3: error: temporal_id: 2 stands where 1 should: from a key frame on, layers repeat 0 2 1 2"
    ),
    (header + "0,0,1,0,9\n", "2:7: error: h_bytes: '0' is not a whole number of bytes from 1 to 1000000"),
    (header + "0,0,1,9,1000001\n", "2:9: error: q_bytes: '1000001' is not"),
    (header + "0,0,1,9,-1\n", "2:9: error: q_bytes: '-1' is not"),
    (header + "0,0,1,9,99999999999999999999\n", "2:9: error: q_bytes: '99999999999999999999' is not"),
    (header + "0,0,1,9,\"9\n", "2:1: error: field 5 has no closing quote"),
  ]

  @Test(arguments: faults)
  func aTablesFirstFaultIsNamedAtItsPlace(table: String, message: String) {
    do {
      _ = try read(table, Self.frames, Self.frames)
      Issue.record("the table was read")
    } catch {
      let lines = "\(error)".split(separator: "\n")
      #expect(lines.count == 1 && lines[0].hasPrefix("frames.csv:" + message), "\(error)")
    }
  }

  /// A single frame of 1 MB, 30 times a second.
  @Test func theLargestFrameIsRead() throws {
    let camera = try read(Self.header + "0,0,1,1000000,1\n", Self.frames).plan.participants[0].camera
    #expect(camera?.ladder.encodings[1].bitrate == .megabits(240))
  }

  @Test func keysOfCapturesAreErrorsThatSayWhatToRemove() {
    do {
      _ = try read(Self.table, "capture: 720p30, content: 1 Mbps, minimum: 1 kbps, low: {}, " + Self.frames)
      Issue.record("the camera was read")
    } catch {
      let keys = "\(error)".split(separator: "\n")
      #expect(
        keys.map { $0.split(separator: ": ")[2] } == ["capture", "content", "minimum", "low"], "\(error)")
      #expect(keys.allSatisfy { $0.hasSuffix(", or 'frames'") })
    }
  }
}
