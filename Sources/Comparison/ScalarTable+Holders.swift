import Metrics
import ResultReading

extension ScalarTable {
  /// The table without the viewers that are named with values of the meeting, such as the one in the worst seat, so that
  /// a value has one key in all runs.
  var withoutHolders: ScalarTable {
    var keys: [ScalarKey] = []
    var values: [[Double]] = []
    var places: [ScalarKey: Int] = [:]
    for (key, own) in zip(self.keys, self.values) {
      let name = key.scope == "meeting" ? key.withoutViewer : key
      guard let place = places[name] else {
        places[name] = keys.count
        keys.append(name)
        values.append(own)
        continue
      }
      for run in own.indices where !own[run].isNaN { values[place][run] = own[run] }
    }
    return ScalarTable(keys: keys, values: values)
  }
}

extension ScalarKey {
  fileprivate var withoutViewer: ScalarKey {
    ScalarKey(
      scope: scope, viewer: "", source: source, metric: metric, stat: stat, unit: unit, direction: direction)
  }
}
