import LivenessGrid
import Testing

@Suite("Liveness") struct LivenessTests {}
