import TestSupport
import Testing

@Test(
  "A hub with 25 publishers delivers exactly what other simulators deliver",
  arguments: [
    (1, 3_750, 89_627, 373, 38.754129), (3, 11_250, 268_677, 1_323, 38.830677),
    (60, 225_000, 5_371_602, 28_398, 38.867029),
  ] as [(Double, Int64, Int64, Int64, Double)])
func forwarding(seconds: Double, sent: Int64, delivered: Int64, dropped: Int64, milliseconds: Double) {
  var model = ForwardWorkload(seconds: seconds)
  model.run()
  let counts = [model.sent, model.delivered, model.dropped]
  let latency = Double(model.latency) / Double(model.delivered) / 1e6
  #expect(counts == [sent, delivered, dropped])
  #expect(abs(latency - milliseconds) < 1e-6)
}
