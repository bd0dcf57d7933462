import TestSupport
import Testing

/// `meetsim explain` output specific to scalable streams.
@Suite("Explain: scalable streams")
struct ScalableExplainTests {
  /// 880 kbps with the oracle's header overhead leave 800 for two layers of 142 and 418; Janus forwards the lower one
  /// too, a fourth of what arrives.
  @Test func theDeadZoneAndWhatIsForwardedForNothingAreTold() throws {
    let run = try Program.shell(
      """
      cat > $TMPOUT/a.yaml <<END
      name: a
      duration: 12s
      policy: janus
      estimator: oracle
      participants:
        - id: ann
          up: {capacity: 880 kbps, delay: 10 ms}
          publish: {audio: false, camera: {capture: 720p30, codec: vp9, scalability-mode: L3T3_KEY}}
        - {id: bob, view: {stage: ann}}
      END
      "$meetsim" run $TMPOUT/a.yaml -o $TMPOUT/result --quiet
      "$meetsim" explain $TMPOUT/result --viewer bob --source ann --at 11s --repetitions 0
      """)
    let text = run.output.split(whereSeparator: \.isNewline).joined(separator: " ")
    #expect(
      text.contains(
        "Of 800.000 kbps that the encoder of ann may use, 240.000 bring nothing: the 2 lower layers are full at "
          + "560.000 kbps, and the next one begins at 891.052 kbps."), "\(run.error)")
    #expect(text.contains(" % of it for nothing: of lower layers, from which the one that is shown is not"))
  }
}
