package import Metrics

/// What only the reader can know of a file: everything else the schema says as well.
package enum BeyondSchema: String, CaseIterable, Sendable {
  case names, uniqueness, totals, order, magnitude, traces, arithmetic, policy, notation, document
  case places, values, conditions, kept

  /// Why a schema can't say it.
  package var reason: String {
    switch self {
    case .names: "that an id, a link or a flow that a value names is defined elsewhere in the file"
    case .uniqueness: "that ids differ, after groups with 'count' have been numbered"
    case .totals: "how many participants, publishers or entries the counts add up to"
    case .order: "that one time comes after another, or lies within the meeting"
    case .magnitude: "that a value with a unit is neither too large nor too small: 1 h and 3600 s are one"
    case .traces: "that a trace file is there and can be read"
    case .arithmetic: "that a mean loss can be made of bursts of this length"
    case .policy: "that incoming video is overridden only with the policy 'stream'"
    case .notation: "that a number is written in plain decimals: a schema sees the number alone"
    case .places: "of a sweep, that a place in the scenario exists and what may stand there"
    case .values: "of a sweep, that values are quantities of one kind, differ, rise, and are equally many"
    case .conditions: "of a sweep, that a condition can be read"
    case .kept: "of a sweep, that what is expected or waited for is among what is kept"
    case .document: "the text below the values: UTF-8, anchors and aliases, nesting, size"
    }
  }

  /// The keyword under which the schema lists these rules; draft-07 leaves unknown ones alone.
  package static let keyword = "x-known-to-validate-alone"

  package static var json: JSONValue {
    .object(allCases.map { ($0.rawValue, .text($0.reason)) })
  }
}
