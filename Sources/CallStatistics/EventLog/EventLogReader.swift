/// Reads libwebrtc's RTC event logs: version 1 (`logging/rtc_event_log/rtc_event_log.proto`), with a message per event,
/// and version 2 (`rtc_event_log2.proto`), with batches of events of one kind (``DeltaBatch``). Other fields and events
/// are skipped.
struct EventLogReader {
  private let bytes: [UInt8]
  private let path: String
  private var log = EventLog()
  /// Time of the last stream configuration in version 2 [ms].
  private var lastConfiguration: Double?

  /// Time within which configured streams count as encodings of one source [our model] [ms].
  private static let together = 1.0

  /// - Throws: ``CallRecordError`` at the first byte that does not belong to a log.
  static func log(_ bytes: [UInt8], path: String) throws(CallRecordError) -> EventLog {
    var reader = EventLogReader(bytes: bytes, path: path)
    try reader.read()
    reader.log.nameStreams()
    return reader.log
  }

  private init(bytes: [UInt8], path: String) {
    self.bytes = bytes
    self.path = path
  }

  private mutating func read() throws(CallRecordError) {
    guard EventLog.begins(bytes) else { throw noLog(0) }
    log.version = bytes[0] == 0x0a ? 1 : 2
    var place = 0
    do throws(ProtobufMessage.Defect) {
      while true {
        let start = place
        guard let field = try ProtobufMessage.next(bytes, &place, bytes.count) else { break }
        guard case .bytes(let range) = field.value else {
          throw ProtobufMessage.Defect(offset: start, isCutOff: false)
        }
        do throws(ProtobufMessage.Defect) {
          try add(field.number, range)
        } catch {
          // The message is complete, so the damage is within it.
          throw ProtobufMessage.Defect(offset: error.offset, isCutOff: false)
        }
        guard log.events <= EventLog.mostEvents(bytes.count) else {
          throw ProtobufMessage.Defect(offset: start, isCutOff: false)
        }
      }
    } catch {
      guard error.isCutOff, log.events > 0 else { throw noLog(error.offset) }
      log.isCutOff = true
    }
  }

  private func noLog(_ offset: Int) -> CallRecordError {
    var text = "this is no RTC event log of libwebrtc, version 1 or 2"
    if offset > 0 { text = "the RTC event log is damaged here, at byte \(offset) of \(bytes.count)" }
    if offset == 0, let command = CallFormat.command(for: bytes), command != "rtc-event-log" {
      text += "; it looks like a file for 'meetsim import \(command)'"
    }
    return CallRecordError(path: path, line: 1, column: offset + 1, text: text)
  }

  private mutating func add(_ field: Int, _ range: Range<Int>) throws(ProtobufMessage.Defect) {
    let read = [1, 3, 4, 5, 16, 18, 19, 21, 22, 23, 24, 102, 104]
    guard read.contains(field) else { return }
    let message = try ProtobufMessage(bytes, range)
    do throws(DeltaBatch.Defect) {
      switch field {
      case 1: try addEvent(message)
      case 3: try addPackets(message)
      case 4, 5: try addControls(message, isReceived: field == 4)
      case 16: try begin(message)
      case 18, 19: try addEstimates(message, isDelayBased: field == 19)
      case 21: log.probes.append(Self.time(message))
      case 22: log.probed.append((Self.time(message), Double(message.number(3) ?? 0)))
      case 23: log.failures += 1
      case 24: log.applicationLimits.append((Self.time(message), message.number(2) == 1))
      default: configure(message, isVideo: field == 104)
      }
    } catch {
      throw ProtobufMessage.Defect(offset: range.lowerBound, isCutOff: false)
    }
  }

  private static func time(_ message: ProtobufMessage) -> Double { milliseconds(message.number(1)) }

  private static func milliseconds(_ value: UInt64?) -> Double {
    Double(Int64(bitPattern: value ?? 0))
  }

  private static func ssrc(_ value: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: value) }

  // MARK: Version 2

  private mutating func begin(_ message: ProtobufMessage) throws(DeltaBatch.Defect) {
    guard message.number(2) ?? 2 == 2 else { throw DeltaBatch.Defect() }
    if let date = message.number(3) { log.epoch = Self.milliseconds(date) - Self.time(message) }
  }

  private func batch(_ message: ProtobufMessage, _ counter: Int) throws(DeltaBatch.Defect) -> DeltaBatch {
    try DeltaBatch(
      bytes, message, counter: counter, limit: EventLog.mostEvents(bytes.count) - log.events)
  }

  private mutating func addPackets(_ message: ProtobufMessage) throws(DeltaBatch.Defect) {
    let batch = try batch(message, 11)
    let times = try batch.values(1, deltas: 101)
    let ssrcs = try batch.values(6, deltas: 106)
    let sizes = [
      try batch.values(8, deltas: 108), try batch.values(9, deltas: 109), try batch.values(10, deltas: 110),
    ]
    let sequences = try batch.values(15, deltas: 115)
    for index in 0..<batch.count {
      let size = sizes.reduce(UInt64(0)) { $0 + min($1[index] ?? 0, 65_535) }
      log.packets.append(
        EventLog.Packet(
          time: Self.milliseconds(times[index]), ssrc: Self.ssrc(ssrcs[index] ?? 0), bytes: Int32(size),
          sequence: sequences[index].map { UInt16(truncatingIfNeeded: $0) }))
    }
  }

  private mutating func addControls(
    _ message: ProtobufMessage, isReceived: Bool
  ) throws(DeltaBatch.Defect) {
    let batch = try batch(message, 3)
    let times = try batch.values(1, deltas: 101)
    for (time, range) in zip(times, try batch.blobs(2, others: 102)) {
      log.controls.append(
        EventLog.Control(time: Self.milliseconds(time), isReceived: isReceived, range: range))
    }
  }

  private mutating func addEstimates(
    _ message: ProtobufMessage, isDelayBased: Bool
  ) throws(DeltaBatch.Defect) {
    let batch = try batch(message, isDelayBased ? 4 : 5)
    let times = try batch.values(1, deltas: 101)
    for (time, rate) in zip(times, try batch.values(2, deltas: 102)) {
      log.estimates.append(
        EventLog.Estimate(
          time: Self.milliseconds(time), rate: Double(rate ?? 0), isDelayBased: isDelayBased))
    }
  }

  private mutating func configure(_ message: ProtobufMessage, isVideo: Bool) {
    guard let ssrc = message.number(2).map(Self.ssrc), log.streams[ssrc] == nil else { return }
    let time = Self.time(message)
    if !isVideo || lastConfiguration.map({ abs(time - $0) > Self.together }) ?? true { log.groups += 1 }
    if isVideo { lastConfiguration = time }
    let again = isVideo ? message.number(3).map(Self.ssrc) : nil
    if isVideo, ssrc == 0 {
      log.unnamed.append((again, log.groups))
      return
    }
    log.addStreams([ssrc], retransmissions: again.map { [$0] } ?? [], isVideo: isVideo, group: log.groups)
  }

  // MARK: Version 1

  /// Adds an event according to its member.
  private mutating func addEvent(_ event: ProtobufMessage) throws(DeltaBatch.Defect) {
    let time = Self.milliseconds(event.number(1)) / 1000
    func member(_ field: Int) throws(DeltaBatch.Defect) -> ProtobufMessage? {
      guard let range = event.bytes(field) else { return nil }
      guard let message = try? ProtobufMessage(bytes, range) else { throw DeltaBatch.Defect() }
      return message
    }
    if let packet = try member(3) {
      guard packet.number(1) != 1, let header = packet.bytes(4) else { return }
      guard let (ssrc, sequence) = RTPHeader.read(bytes[header], extension: log.sequenceExtension) else {
        return
      }
      log.packets.append(
        EventLog.Packet(
          time: time, ssrc: ssrc, bytes: Int32(min(packet.number(3) ?? 0, 65_535)), sequence: sequence))
    } else if let packet = try member(4) {
      guard let range = packet.bytes(3) else { return }
      log.controls.append(EventLog.Control(time: time, isReceived: packet.number(1) == 1, range: range))
    } else if let update = try member(event.bytes(6) == nil ? 7 : 6) {
      log.estimates.append(
        EventLog.Estimate(
          time: time, rate: Double(update.number(1) ?? 0), isDelayBased: event.bytes(6) == nil))
    } else if let streams = try member(9) {
      log.groups += 1
      log.addStreams(
        streams.numbers(1).map(Self.ssrc), retransmissions: streams.numbers(3).map(Self.ssrc), isVideo: true,
        group: log.groups)
      for range in streams.all(2) { configureExtension(range) }
    } else if let stream = try member(11) {
      log.groups += 1
      log.addStreams(
        stream.numbers(1).map(Self.ssrc), retransmissions: [], isVideo: false, group: log.groups)
      for range in stream.all(2) { configureExtension(range) }
    } else if try member(17) != nil {
      log.probes.append(time)
    } else if let result = try member(18) {
      if result.number(2) ?? 0 == 0 {
        log.probed.append((time, Double(result.number(3) ?? 0)))
      } else {
        log.failures += 1
      }
    } else if let state = try member(19) {
      log.applicationLimits.append((time, state.number(1) == 1))
    }
  }

  private mutating func configureExtension(_ range: Range<Int>) {
    guard let entry = try? ProtobufMessage(bytes, range), let name = entry.bytes(1),
      let id = entry.number(2), (1...255).contains(id),
      String(decoding: bytes[name], as: UTF8.self).contains("transport-wide-cc")
    else { return }
    log.sequenceExtension = UInt8(id)
  }
}
