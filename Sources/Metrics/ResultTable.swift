/// A table of a result directory: the one definition that its header, its description and its writer share.
package enum ResultTable: Int, CaseIterable, Sendable {
  case streams, audio, participants, links, decisions, events, scalars

  /// A column: its name, its Frictionless type, and what it says.
  package struct Column: Sendable {
    package var name: String
    package var type: String
    package var description: String

    package init(name: String, type: String, description: String) {
      self.name = name
      self.type = type
      self.description = description
    }
  }

  package var name: String {
    switch self {
    case .streams: "streams"
    case .audio: "audio"
    case .participants: "participants"
    case .links: "links"
    case .decisions: "decisions"
    case .events: "events"
    case .scalars: "scalars"
    }
  }

  package var fileName: String { name + ".csv" }

  package var header: String { columns.map(\.name).joined(separator: ",") + "\n" }

  package var columns: [Column] { Self.run + own }

  private static let run = [column("run_id", "string", "identifies the run")]
  private static let time = column("time_s", "number", "simulated time at the interval's end [s]")
  private static let viewer = column("viewer", "string", "participant that watches")
  private static let source = column(
    "source", "string", "participant that publishes; ID/screen for a screen share")

  private static func column(_ name: String, _ type: String, _ description: String) -> Column {
    Column(name: name, type: type, description: description)
  }

  private var own: [Column] {
    let c = Self.column
    switch self {
    case .streams:
      return [
        Self.time, Self.viewer, Self.source, c("kind", "string", "camera, screen or custom"),
        c("state", "string", "receiving, paused, hidden, muted, absent or waiting-for-keyframe"),
        c("tile_width_px", "integer", "width of the tile on the viewer's display [px]"),
        c("tile_height_px", "integer", "height of the tile on the viewer's display [px]"),
        c("requested_height_px", "integer", "height that the app asks for [px]"),
        c("requested_fps", "number", "frame rate that the app asks for [Hz]"),
        c("target_height_px", "integer", "height that the allocation decided on [px]; 0 for nothing"),
        c("frame_width_px", "integer", "width of the last frame decoded in the interval [px]"),
        c("frame_height_px", "integer", "height of the last frame decoded in the interval [px]"),
        c("frames_per_second", "number", "frames decoded in the interval per second [Hz]"),
        c("bitrate_bps", "integer", "received in the interval, headers included [bit/s]"),
        c("packets_lost", "integer", "packets missed in the interval"),
        c("freeze_count", "integer", "freezes that ended in the interval (W3C freezeCount)"),
        c("freezes_duration_s", "number", "their length (W3C totalFreezesDuration) [s]"),
        c("limitation", "string", "what kept the tile below the request"),
        c("mos", "number", "opinion score of the tile, ITU-T P.1203.1 mode 0, 1 to 5"),
      ]
    case .audio:
      return [
        Self.time, c("viewer", "string", "participant that listens"),
        c("source", "string", "participant that speaks; empty for the SFU's mix"),
        c("packets_received", "integer", "packets that arrived in the interval, late ones included"),
        c("packets_lost", "integer", "packets found missing; below zero when more of those came after all"),
        c("packets_discarded", "integer", "packets that arrived when their time was over"),
        c("concealed_samples", "integer", "invented for speech that was not there in time [1/48000 s]"),
        c("concealment_events", "integer", "times that concealment began"),
        c("inserted_samples_for_deceleration", "integer", "added to lengthen the delay [1/48000 s]"),
        c("removed_samples_for_acceleration", "integer", "left out to shorten the delay [1/48000 s]"),
        c("jitter_buffer_delay_s", "number", "mean time of a packet from arrival to playing [s]"),
        c("jitter_buffer_target_delay_s", "number", "delay aimed at, at the interval's end [s]"),
        c("concealed_frac", "number", "share of the speech that was concealed"),
      ]
    case .participants:
      return [
        Self.time, c("participant", "string", "id"),
        c("up_capacity_bps", "integer", "mean capacity of the narrowest link to the SFU [bit/s]"),
        c("up_estimate_bps", "integer", "what the publisher believes that the way up carries [bit/s]"),
        c("up_bitrate_bps", "integer", "arrived at the SFU [bit/s]"),
        c("up_loss_frac", "number", "share of packets lost or dropped on the way up"),
        c("up_queue_delay_s", "number", "mean time in queues on the way up [s]"),
        c("down_capacity_bps", "integer", "mean capacity of the narrowest link from the SFU [bit/s]"),
        c("down_estimate_bps", "integer", "what the SFU believes that the way down carries [bit/s]"),
        c("down_bitrate_bps", "integer", "arrived at the participant [bit/s]"),
        c("down_loss_frac", "number", "share of packets lost or dropped on the way down"),
        c("down_queue_delay_s", "number", "mean time in queues on the way down [s]"),
        c("audio_bitrate_bps", "integer", "voices received, headers included [bit/s]"),
        c(
          "audio_loss_frac", "number",
          "share of the voices' packets, comfort packets included, that had not arrived when they should have"
        ),
        c("videos_received", "integer", "sources with at least one frame decoded"),
        c("decoded_pixels_per_s", "integer", "pixels decoded [1/s]"),
      ]
    case .links:
      return [
        Self.time, c("link", "string", "name"),
        c("capacity_bps", "integer", "mean capacity over the interval [bit/s]"),
        c("throughput_bps", "integer", "delivered [bit/s]"),
        c("utilization_frac", "number", "throughput over capacity, with what the link adds to packets"),
        c("queue_delay_mean_s", "number", "mean time in the queue of the packets sent on [s]"),
        c("queue_delay_max_s", "number", "longest time in the queue [s]"),
        c("packets_dropped", "integer", "packets that found the queue full or were lost on the wire"),
      ]
    case .decisions:
      return [
        c("time_s", "number", "simulated time of the decision [s]"), Self.viewer, Self.source,
        c("budget_bps", "integer", "video budget of the viewer [bit/s]; empty for unlimited"),
        c("wanted", "string", "quality asked for"), c("given", "string", "quality decided on, or none"),
        c("previous", "string", "quality before, or none"),
        c("reason", "string", "the limitation that decided"),
        c("missing_bps", "integer", "how much more budget the next quality takes [bit/s]"),
      ]
    case .events:
      return [
        c("time_s", "number", "simulated time of the event [s]"),
        c("participant", "string", "id; empty for a link"),
        c("event", "string", "what happened"), c("detail", "string", "with what"),
        c("result", "string", "ok, or the name of the failure"),
      ]
    case .scalars:
      return [
        c("scope", "string", "tile, participant, link or meeting"), Self.viewer, Self.source,
        c("metric", "string", "what is measured"), c("stat", "string", "which statistic of it"),
        c("unit", "string", "unit of the value"),
        c("direction", "string", "bigger, smaller or neither is better"),
        c("value", "number", "the value over the whole run"),
      ]
    }
  }
}
