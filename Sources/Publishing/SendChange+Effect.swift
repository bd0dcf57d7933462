import Ladder
package import Plan

extension SendChange {
  /// Checks whether a source has all parameters of the change.
  package func isAlready(of source: SourceState) -> Bool {
    capture.map { $0.format == source.plan.capture } ?? true
      && degradation.map { $0 == source.plan.degradation } ?? true
      && source.sender.settings.areAlready(self, encodings: source.plan.ladder.encodings.count)
  }
}
