/// Names of columns and metrics in W3C webrtc-stats.
extension Reference {
  /// Returns the W3C name, or its derivation from W3C counters; empty if there is none.
  static func getStatsName(of name: String) -> String { getStatsNames[name] ?? "" }

  private static let getStatsNames = [
    "streams.frame_width_px": "frameWidth", "streams.frame_height_px": "frameHeight",
    "streams.frames_per_second": "framesPerSecond", "streams.packets_lost": "packetsLost",
    "streams.bitrate_bps": "8 x bytesReceived per second", "streams.freeze_count": "freezeCount",
    "streams.freezes_duration_s": "totalFreezesDuration", "streams.key_frames_decoded": "keyFramesDecoded",
    "streams.pli_count": "pliCount", "streams.nack_count": "nackCount", "sent.layer": "rid",
    "sent.active": "active", "sent.frame_width_px": "frameWidth", "sent.frame_height_px": "frameHeight",
    "sent.frames_per_second": "framesPerSecond", "sent.target_bitrate_bps": "targetBitrate",
    "sent.bitrate_bps": "8 x bytesSent per second, without retransmittedBytesSent",
    "sent.quality_limitation_reason": "qualityLimitationReason",
    "sent.key_frames_encoded": "keyFramesEncoded",
    "sent.pli_count": "pliCount", "sent.fir_count": "firCount", "sent.nack_count": "nackCount",
    "sent.retransmitted_packets_sent": "retransmittedPacketsSent",
    "participants.up_estimate_bps": "availableOutgoingBitrate", "audio.packets_received": "packetsReceived",
    "audio.packets_lost": "packetsLost", "audio.packets_discarded": "packetsDiscarded",
    "audio.concealed_samples": "concealedSamples", "audio.concealment_events": "concealmentEvents",
    "audio.inserted_samples_for_deceleration": "insertedSamplesForDeceleration",
    "audio.removed_samples_for_acceleration": "removedSamplesForAcceleration",
    "audio.jitter_buffer_delay_s": "jitterBufferDelay / jitterBufferEmittedCount",
    "audio.jitter_buffer_target_delay_s": "jitterBufferTargetDelay / jitterBufferEmittedCount",
    "frame_height": "frameHeight", "frames_per_second": "framesPerSecond", "freeze_count": "freezeCount",
    "freezes_duration": "totalFreezesDuration", "packets_lost": "packetsLost",
    "frames_dropped": "framesDropped",
    "key_frames_decoded": "keyFramesDecoded",
    "jitter_buffer_delay": "jitterBufferDelay / jitterBufferEmittedCount",
    "audio_packets_discarded": "packetsDiscarded",
    "audio_jitter_buffer_delay": "jitterBufferDelay / jitterBufferEmittedCount",
    "audio_concealed_frac": "concealedSamples / totalSamplesReceived",
  ]
}
