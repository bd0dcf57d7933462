import TestSupport

/// A sweep small enough to run many times.
enum SmallSweep {
  /// Writes `$TMPOUT/s.yaml`: 12 runs of two seconds of a meeting.
  static let file = """
    cat > $TMPOUT/s.yaml <<'END'
    name: small
    scenario: \(Repository.root)/scenarios/one-to-one.yaml
    set: {duration: 2s, timeline: [], expect: []}
    variables:
      policy: [bluejeans, janus]
      capacity: {path: links.home.capacity, values: [400 kbps, 2 Mbps, 3 Mbps]}
    repetitions: 2
    END

    """
}
