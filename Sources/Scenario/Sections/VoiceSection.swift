import Media
import Plan
import Quantity
import YAML

/// Settings of a microphone's stream.
struct VoiceSection: Section {
  var bitrate: BitRate?
  var packetTime: SimDuration?
  var dtx = VoiceSettings().dtx
  var fec = VoiceSettings().fec
  var red = VoiceSettings().red

  static let keys: [Key<Self>] = [
    Key(
      "bitrate", \.bitrate, .opusRate, "Bit rate of speech, 6 to 510 kbps.", default: "32 kbps",
      examples: ["24 kbps"]),
    Key(
      "packet-time", \.packetTime, .packetTime,
      "Duration of the audio in a packet: 10, 20, 40, 60 or 120 ms.",
      default: "20 ms", examples: ["60 ms"]),
    Key(
      "dtx", default: \.dtx, .flag,
      "Whether silence is comfort noise every 400 ms; otherwise it is sent like speech."),
    Key(
      "fec", default: \.fec, .flag,
      "Whether packets repeat the one before them within their own rate, while receiver reports tell the sender of a "
        + "loss of 1 % or more on its uplink (Opus in-band FEC)."),
    Key(
      "red", default: \.red, .flag,
      "Whether packets of speech repeat the one before them in full, at twice the rate (RFC 2198)."),
  ]

  /// Reads `true`, `false` or `{bitrate: 24 kbps, red: true}`; `nil` for no microphone, or after an error.
  static func voice(_ field: Field) -> VoiceSettings? {
    guard case .mapping = field.node else { return field.flag ?? true ? VoiceSettings() : nil }
    guard let own = Entry<VoiceSection>(field, "audio of \(field.mapping.subject)") else {
      return VoiceSettings()
    }
    var voice = VoiceSettings()
    if let rate = own.bitrate { voice.bitrate = rate }
    if let time = own.packetTime { voice.packetTime = time }
    (voice.dtx, voice.fec, voice.red) = (own.dtx, own.fec, own.red)
    let size = voice.wireSize(repeating: true)
    let most = PacketOverhead.largestRTPPacket + PacketOverhead.aroundRTP
    if size > most {
      own.report(
        "audio: a packet of \(voice.packetTime) at \(voice.bitrate) has \(size) B, more than the \(most) B that a "
          + "path carries: lower 'bitrate' or 'packet-time'" + (voice.red ? ", or leave out 'red'" : ""))
    }
    return voice
  }
}

extension ValueType where Value == BitRate {
  /// Payload rate of Opus.
  fileprivate static var opusRate: Self {
    quantity(.bitRate, BitRate.init(text:)) { rate, _ in
      VoiceSettings.bitrates.contains(rate) ? nil : "out of range: 6 to 510 kbps"
    }
  }
}

extension ValueType where Value == SimDuration {
  /// Duration of the audio in a packet of Opus.
  fileprivate static var packetTime: Self {
    quantity(.duration, SimDuration.init(text:)) { time, _ in
      VoiceSettings.packetTimes.contains(time) ? nil : "not a packet time of Opus: 10, 20, 40, 60 or 120 ms"
    }
  }
}
