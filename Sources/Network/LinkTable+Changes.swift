import Quantity
import SimulationKernel

/// Links with timed parameter changes or outages.
extension LinkTable {
  /// Applies the changes of the queue limit up to `now` [ns].
  mutating func applyQueueChanges(_ number: Int, until now: Int64) {
    while let limit = timelines[number].takeQueueLimit(by: now) {
      let link = links.address(of: number)
      link.pointee.packetLimit = .max
      link.pointee.byteLimit = .max
      schedules[number].queueTime = nil
      switch limit {
      case .packets(let count): link.pointee.packetLimit = Int64(count)
      case .bytes(let size): link.pointee.byteLimit = size.bytes
      case .duration(let time):
        schedules[number].queueTime = time
        if let bytes = schedules[number].byteLimit(at: now) { link.pointee.byteLimit = bytes }
      }
    }
  }

  /// Applies the changes of delay, jitter and loss up to a time [ns].
  mutating func applyPathChanges(_ number: Int, until time: Int64) {
    while let change = timelines[number].takePathChange(by: time) {
      switch change {
      case .delay(let delay): links[number].propagationDelay = delay.nanoseconds
      case .jitter(let jitter): impairments[number].jitterDeviation = Double(jitter.nanoseconds)
      case .loss(let loss): impairments[number].set(loss)
      case .capacity, .queue, .down: break
      }
    }
  }
}
