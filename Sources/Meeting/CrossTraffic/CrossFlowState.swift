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
  /// Tells transfers apart, so that packets of an old one that are still on the link do not count for the next.
  var epoch: UInt16 = 0
  var answers = Ring<Answer>(capacity: 64)
  /// When the flow's timer is due; an event at another time has been superseded.
  var timerAt = Deadline.never
  /// When the receiver sends its delayed acknowledgement; likewise.
  var delayedAnswerAt = Deadline.never
  /// Of a flow that goes on and off: its state, and when that changes next.
  var isOn = true
  var togglesAt = SimTime.zero
  var draws: RandomStream

  init(draws: RandomStream) { self.draws = draws }
}
