import ArgumentParser
import CallStatistics

extension ImportCommand {
  /// Imports an RTC event log.
  struct RTCEvents: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rtc-event-log",
      abstract: "From an RTC event log of libwebrtc, version 1 or 2.",
      usage: "meetsim import rtc-event-log <file> [<options>]",
      discussion: """
        Chromium writes such a log for each peer connection ('Enable diagnostic packet and event recording' of \
        chrome://webrtc-internals), native applications by StartRtcEventLog. It has every packet that was sent, the \
        feedback on it, the estimates and probes, but no sizes of pictures: state the camera's by --capture.

        EXAMPLE
          meetsim import rtc-event-log event_log.log --capture 1280x720@30 -o call.yaml
        """)

    @Argument(help: "The log, packed or not.", completion: .file(extensions: ["log", "gz"]))
    var file: String

    @OptionGroup var options: Options
    @OptionGroup var sources: Sources
    @OptionGroup var quiet: QuietOption

    func run() throws {
      let part = sources.choosing(try options.part)
      try options.write([file]) { () throws(CallRecordError) in try RTCEventLog.read(path: file, part) }
    }
  }

  /// Imports a dump of rtcstats.
  struct RTCStats: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rtcstats",
      abstract: "From a dump of rtcstats or rtcstats-server.",
      usage: "meetsim import rtcstats <file> [<options>]",
      discussion: """
        A dump is a file of events, packed or not, with or without 'RTCStatsDump' in its first line. An event is a line: \
        '["getstats","PC_0",{…},time]'. The scenario is that of the connection that sent the most video.

        EXAMPLE
          meetsim import rtcstats dump.gz -o call.yaml
        """)

    @Argument(help: "The dump.", completion: .file(extensions: ["jsonl", "txt", "gz"]))
    var file: String

    @OptionGroup var options: Options
    @OptionGroup var sources: Sources
    @OptionGroup var quiet: QuietOption

    func run() throws {
      let part = sources.choosing(try options.part)
      try options.write([file]) { () throws(CallRecordError) in try RTCStatsDump.read(path: file, part) }
    }
  }
}
