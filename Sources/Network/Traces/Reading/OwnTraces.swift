import Quantity

/// Parsers of the formats that the simulator also writes.
enum OwnTraces {
  static func rates(
    _ lines: TraceLines, _ continuation: CapacityTrace.Continuation
  ) throws(CapacityTraceError) -> CapacityTrace {
    var steps: [CapacityStep] = []
    var hasHeader = false
    for line in lines where !line.isBlank {
      guard hasHeader else {
        guard line.text.hasPrefix("t_s,rate_bps") else {
          throw CapacityTraceError(line: line.number, cause: .missingHeader(found: line.beginning))
        }
        hasHeader = true
        continue
      }
      let fields = line.fields(UInt8(ascii: ","))
      guard fields.count >= 2 else {
        throw CapacityTraceError(line: line.number, cause: .notARow(line.beginning, .rateCSV))
      }
      let time = try fields[0].value(upTo: RateSamples.longest)
      let rate = try fields[1].value(upTo: RateSamples.greatestRate)
      let step = CapacityStep(
        at: SimTime(nanoseconds: Int64((time * 1e9).rounded())),
        rate: BitRate(bitsPerSecond: Int64(rate.rounded())))
      if let last = steps.last {
        guard step.at > last.at else {
          throw CapacityTraceError(
            line: line.number, cause: .outOfOrder(previous: "\(last.at.seconds)", this: "\(time)"))
        }
      } else if step.at != .zero {
        throw CapacityTraceError(line: line.number, cause: .mustBeginAtZero(fields[0].text))
      }
      steps.append(step)
    }
    guard let last = steps.last else { throw CapacityTraceError(line: lines.lastNumber, cause: .empty) }
    guard steps.contains(where: { $0.rate > .zero }) else {
      throw CapacityTraceError(line: lines.lastNumber, cause: .noCapacity)
    }
    let lastLength = steps.count > 1 ? last.at - steps[steps.count - 2].at : .seconds(1)
    return CapacityTrace(
      content: .rates(steps), period: last.at.sinceStart + lastLength, continuation: continuation)
  }

  static func opportunities(
    _ lines: TraceLines, _ continuation: CapacityTrace.Continuation
  ) throws(CapacityTraceError) -> CapacityTrace {
    var times: [Int64] = []
    var empty: Int?
    for line in lines {
      guard !line.bytes.isEmpty else {
        empty = empty ?? line.number
        continue
      }
      if let empty { throw CapacityTraceError(line: empty, cause: .emptyLine) }
      let field = line.fields(UInt8(ascii: ","))[0]
      let milliseconds = try field.value(upTo: 31_536_000_000)
      guard milliseconds == milliseconds.rounded() else { throw field.failure(.notWhole(line.beginning)) }
      let time = Int64(milliseconds) * 1_000_000
      if let last = times.last, time < last {
        throw CapacityTraceError(
          line: line.number, cause: .outOfOrder(previous: "\(last / 1_000_000)", this: "\(time / 1_000_000)"))
      }
      times.append(time)
    }
    guard let last = times.last else { throw CapacityTraceError(line: lines.lastNumber, cause: .empty) }
    guard last > 0 else { throw CapacityTraceError(line: lines.lastNumber, cause: .noCapacity) }
    return CapacityTrace(
      content: .opportunities(times), period: SimDuration(nanoseconds: last), continuation: continuation)
  }
}
