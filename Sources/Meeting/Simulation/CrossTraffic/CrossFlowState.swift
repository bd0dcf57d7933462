import CrossTraffic
import Quantity
import Statistics
import Transport

/// A flow of cross traffic while the meeting runs.
struct CrossFlowState {
  /// An acknowledgement on its way back.
  struct Answer: BitwiseCopyable {
    var acknowledgement: TCPAcknowledgement
    var epoch: UInt16
  }

  var isRunning = false
  var sender = TCPSender()
  var receiver = TCPReceiver()
  /// Transfers and runs are told apart, so that what an old one left on the link is no part of the next.
  var epoch: UInt16 = 0
  var answers = Ring<Answer>(capacity: 64)
  /// When the flow's timer is due; another time's event is one that was overtaken.
  var timerAt = SimTime.distantFuture
  /// When the receiver gives the answer that it holds back; the same holds.
  var delayedAnswerAt = SimTime.distantFuture
  var isOn = true
  var draws: RandomStream

  init(draws: RandomStream) { self.draws = draws }
}
