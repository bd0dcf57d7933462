package import JSON

/// Checks made only by the reader; all others are in the schema too.
package enum ReaderOnlyCheck: String, CaseIterable, Sendable {
  case names, uniqueness, totals, order, magnitude, traces, arithmetic, frames, recordings, ladder, actions,
    policy,
    notation, document
  case expectations
  case places, values, conditions, kept

  /// Description of the check.
  package var reason: String {
    switch self {
    case .names:
      "ids, links and flows that values refer to are defined in the file, and nobody requests itself"
    case .uniqueness: "ids are unique after groups with 'count' are expanded"
    case .totals: "total numbers of participants, publishers and entries are within their limits"
    case .order: "times are in order and within the meeting"
    case .magnitude: "values with a unit are within their ranges, whatever the unit"
    case .traces: "trace files exist and are readable"
    case .arithmetic: "a mean loss is possible with the given burst length"
    case .frames:
      "frames of an app have a size that suits their aspect ratio, format and limit, and a size and rate from somewhere"
    case .recordings:
      "tables of recorded frames are readable and have the encodings that are stated, each of its own size, and their "
        + "first row; custom frames do not take their place"
    case .ladder: "a source's bit rates, low stream and degradation preference suit its ladder"
    case .actions: "only calls of a viewer's client have a time drawn 'within' a span"
    case .policy:
      "incoming video is overridden only with the policy 'stream', preferred only with 'vonage', and signals are the "
        + "policy's own, in views with 'signals'; requests of 'bluejeans' have its qualities; an estimator that an allocator drives is used where there is one"
    case .notation: "whole numbers are written without decimals"
    case .expectations:
      "an expectation's metric is one of its subject and has the statistic and the unit, and its times are in order"
    case .places: "in a sweep, paths exist in the scenario and accept the values"
    case .values: "in a sweep, values are of one kind, distinct, ascending, and equal in number where zipped"
    case .conditions: "in a sweep, conditions are well formed"
    case .kept: "in a sweep, metrics in 'expect' and 'until' are among those kept"
    case .document:
      "the text is UTF-8, without anchors and aliases, and within the limits of nesting and size"
    }
  }

  /// Schema keyword that lists these checks; draft-07 ignores unknown keywords.
  package static let keyword = "x-checked-by-validate-only"

  package static var json: JSONValue {
    .object(allCases.map { ($0.rawValue, .text($0.reason)) })
  }
}
