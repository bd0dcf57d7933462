import CrossTraffic
import Quantity
import Statistics
import Transport

/// A flow of cross traffic while the meeting runs.
struct CrossFlowState: BitwiseCopyable {
  /// An acknowledgement on its way back.
  struct Acknowledgement: BitwiseCopyable {
    var number: UInt32
    var echo: SimTime
    var epoch: UInt16
  }

  var isRunning = false
  var sender = TCPSender(control: .cubic)
  var receiver = TCPReceiver()
  /// Transfers and runs are told apart, so that what an old one left on the link is no part of the next.
  var epoch: UInt16 = 0
  var acknowledgements = Ring<Acknowledgement>(capacity: 64)
  /// When the flow's timer is due; another time's event is one that was overtaken.
  var timerAt = SimTime.distantFuture
  var isOn = true
  var draws: RandomStream

  init(draws: RandomStream) { self.draws = draws }
}
