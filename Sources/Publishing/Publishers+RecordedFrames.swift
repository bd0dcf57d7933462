package import Endpoint
import Ladder
package import Media
import Network
package import Plan
import Quantity
package import SimulationKernel

/// Cameras that play recordings of encoders.
extension Publishers {
  /// Sends the next frame of every encoding of a recorded camera, past the pacer.
  package mutating func play(_ number: Int, _ net: inout Connections, kernel: inout Kernel) {
    guard let recording = sources[number].plan.recordedFrames else { return }
    for encoding in sources[number].encodings where encoders[encoding].isSending {
      let frame = encoders[encoding].nextFrame(of: recording)
      send(frame, recording.packets(of: frame), of: encoding, isPaced: false, &net, kernel: &kernel)
    }
  }

  /// Returns the rate of a participant's recorded camera on its uplink, the rest of which is for its other video.
  func recordedRate(of participant: Int) -> BitRate {
    guard let camera = streams.cameraOf[participant], sources[camera].plan.recordedFrames != nil,
      sources[camera].capture.isOn
    else { return .zero }
    return sources[camera].plan.ladder.encodings.reduce(.zero) { $0 + $1.bitrate }
  }
}

extension EncoderState {
  /// Returns the next frame of a recording, or its next key frame if one is requested.
  package mutating func nextFrame(of recording: RecordedFrames) -> EncodedFrame {
    if keyFrames.takeRequest() { recordedRow = recording.table.keyFrame(from: recordedRow) }
    let frame = recording.table.frame(recordedRow, of: recording.columns[index])
    recordedRow = recording.table.row(after: recordedRow)
    return frame
  }
}
