/// The only definition of each metric: name, statistic, unit, direction and meaning.
extension ScalarMetric {
  package var declaration: Declaration {
    switch self {
    case .frameHeight:
      Declaration(
        [.tile], "frame_height", "p50", "px", .bigger, decimals: 1, "median frame height")
    case .requestedHeightShare:
      Declaration(
        [.tile], "requested_height_share", "mean", "1", .bigger, decimals: 3,
        "fraction of the time at the requested height, 0 to 1")
    case .pixelsOfScreen:
      Declaration(
        [.tile], "pixels_of_screen", "mean", "1", .bigger, decimals: 3,
        "pixels shown, over those of the tile at 24 frames per second, or the capture's rate if lower; without tiles, "
          + "over those requested; 0 to 1")
    case .pixelsOfRequest:
      Declaration(
        [.tile], "pixels_of_request", "mean", "1", .bigger, decimals: 3,
        "pixels shown, over those that the system requested by height and frame rate; 0 to 1")
    case .framesPerSecond:
      Declaration(
        [.tile], "frames_per_second", "mean", "Hz", .bigger, decimals: 2, "decoded frame rate")
    case .bitrate:
      Declaration([.tile], "bitrate", "mean", "bit/s", .neither, decimals: 1, "received bit rate")
    case .decodedBitrate:
      Declaration(
        [.tile], "decoded_bitrate", "mean", "bit/s", .bigger, decimals: 1,
        "received bit rate of the frames that were decoded, without repairs")
    case .freezeCount:
      Declaration(
        [.tile], "freeze_count", "total", "1", .smaller, decimals: 1,
        "number of freezes, with pictures that stand still")
    case .freezesDuration:
      Declaration(
        [.tile], "freezes_duration", "total", "s", .smaller, decimals: 3,
        "total freeze duration, with pictures that stand still")
    case .packetsLost:
      Declaration([.tile], "packets_lost", "total", "1", .smaller, decimals: 1, "packets lost")
    case .score:
      Declaration(
        [.tile], "mos", "mean", "1", .bigger, decimals: 2,
        "ITU-T P.1203.1 score at the tile's own size, 1 to 5; 1 while nothing is shown")
    case .firstFrameDelay:
      Declaration(
        [.tile], "first_frame_delay", "total", "s", .smaller, decimals: 3,
        "delay from the first moment on the screen with the source on to the first frame"
      )
    case .pictureDelay:
      Declaration(
        [.tile], "picture_delay", "max", "s", .smaller, decimals: 3,
        "longest time from coming on the screen, such as by a turn of pages, to the first frame, or without one"
      )
    case .frameDelay:
      Declaration(
        [.tile], "frame_delay", "mean", "s", .smaller, decimals: 3, "mean delay from capture to display")
    case .longestFrameDelay:
      Declaration(
        [.tile], "frame_delay", "max", "s", .smaller, decimals: 3, "maximum delay from capture to display")
    case .framesDropped:
      Declaration(
        [.tile], "frames_dropped", "total", "1", .smaller, decimals: 1,
        "frames that came too late, or that a key frame made obsolete")
    case .framesLate:
      Declaration(
        [.tile], "frames_late", "total", "1", .smaller, decimals: 1,
        "frames that could be decoded only after their render time")
    case .keyFramesDecoded:
      Declaration(
        [.tile], "key_frames_decoded", "total", "1", .neither, decimals: 1, "key frames decoded")
    case .jitterBufferDelay:
      Declaration(
        [.tile], "jitter_buffer_delay", "mean", "s", .smaller, decimals: 6,
        "mean time of a frame in the jitter buffer")
    case .timeWithoutFrames:
      Declaration(
        [.tile], "time_without_frames", "total", "s", .smaller, decimals: 3,
        "time on the screen in whole intervals without a frame, while the source sends any: paused, dark or frozen"
      )
    case .timeOffScreen:
      Declaration(
        [.tile], "time_off_screen", "total", "s", .neither, decimals: 3,
        "time for which the tile was off the screen, which no other value of it covers")
    case .viewerFrameHeight:
      Declaration(
        [.participant], "frame_height", "mean", "px", .bigger, decimals: 1,
        "mean of the median heights of the viewer's tiles")
    case .viewerPixels:
      Declaration(
        [.participant], "pixels_of_screen", "mean", "1", .bigger, decimals: 3,
        "pixels shown, over those of the viewer's tiles at 24 frames per second, or the capture's rate if lower; 0 to 1"
      )
    case .viewerBitrate:
      Declaration(
        [.participant], "bitrate", "mean", "bit/s", .neither, decimals: 1,
        "video received over the whole meeting, all tiles together, on the screen or off it")
    case .viewerFreezesDuration:
      Declaration(
        [.participant], "freezes_duration", "max", "s", .smaller, decimals: 3,
        "total freeze duration of the tile that was frozen longest")
    case .viewerScore:
      Declaration(
        [.participant], "mos", "mean", "1", .bigger, decimals: 2, "mean of the scores of the viewer's tiles")
    case .decodedPixels:
      Declaration(
        [.participant], "decoded_pixels_per_s", "mean", "px/s", .smaller, decimals: 1,
        "pixels decoded over the time in the meeting")
    case .mostDecodedPixels:
      Declaration(
        [.participant], "decoded_pixels_per_s", "max", "px/s", .smaller, decimals: 1,
        "most pixels decoded in an interval")
    case .dataUp:
      Declaration(
        [.participant], "data_up", "total", "MB", .smaller, decimals: 3,
        "data that the SFU received of the participant, headers included; over TCP, those that UDP would have"
      )
    case .dataDown:
      Declaration(
        [.participant], "data_down", "total", "MB", .smaller, decimals: 3,
        "data that the participant received, headers included; over TCP, those that UDP would have")
    case .retransmittedDown:
      Declaration(
        [.participant], "retransmitted_down", "total", "MB", .neither, decimals: 3,
        "part of data_down in video packets that were sent again: repairs, and a server's probes that repeat packets"
      )
    case .paddingDown:
      Declaration(
        [.participant], "padding_down", "total", "MB", .neither, decimals: 3,
        "part of data_down in padding: probes, and what keeps an estimate up")
    case .concealedAudio:
      Declaration(
        [.participant, .meeting], "audio_concealed_frac", "mean", "1", .smaller, decimals: 6,
        "fraction of the speech that was concealed")
    case .discardedAudio:
      Declaration(
        [.participant, .meeting], "audio_packets_discarded", "total", "1", .smaller, decimals: 1,
        "audio packets that arrived too late to be played out")
    case .audioDelay:
      Declaration(
        [.participant, .meeting], "audio_jitter_buffer_delay", "mean", "s", .smaller, decimals: 6,
        "mean time of an audio packet from arrival to playout")
    case .throughput:
      Declaration(
        [.link], "throughput", "mean", "bit/s", .neither, decimals: 1, "delivered over the whole meeting")
    case .packetsDropped:
      Declaration(
        [.link], "packets_dropped", "total", "1", .smaller, decimals: 1,
        "packets dropped by the queue or lost on the link")
    case .queueDelay:
      Declaration(
        [.link], "queue_delay", "mean", "s", .smaller, decimals: 6, "mean queuing delay of the packets sent")
    case .longestQueueDelay:
      Declaration([.link], "queue_delay", "max", "s", .smaller, decimals: 6, "longest queuing delay")
    case .simulatedTime:
      Declaration([.meeting], "simulated_time", "total", "s", .neither, decimals: 3, "length of the meeting")
    case .utility, .optimum, .utilityRatio, .gapEstimate, .gapReserve, .gapRule, .gapSwitching, .gapLoss,
      .gapLadder, .switchesPerMinute, .recoveryTime, .longestRecoveryTime, .jainIndex, .worstSeat:
      yardstick
    }
  }
}
