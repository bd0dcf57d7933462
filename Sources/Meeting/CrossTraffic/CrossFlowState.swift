import CrossTraffic
import Quantity
import Statistics
import Transport

/// State of a cross-traffic flow during a run.
struct CrossFlowState {
  /// An acknowledgement in transit on the reverse path.
  struct Answer: BitwiseCopyable {
    var acknowledgement: TCPAcknowledgement
    var epoch: UInt16
  }

  var isRunning = false
  var sender = TCPSender()
  var receiver = TCPReceiver()
  /// Number of the current transfer, so that packets of an old transfer still on the link do not count for the next.
  var epoch: UInt16 = 0
  var answers = Ring<Answer>(capacity: 64)
  /// Time at which the flow's timer is due; an event at another time has been superseded.
  var timerAt = Deadline.never
  /// Time at which the receiver sends its delayed acknowledgement; an event at another time has been superseded.
  var delayedAnswerAt = Deadline.never
  /// Set while an on-off flow is on.
  var isOn = true
  /// Time of an on-off flow's next change.
  var togglesAt = SimTime.zero
  var draws: RandomStream

  init(draws: RandomStream) { self.draws = draws }
}
