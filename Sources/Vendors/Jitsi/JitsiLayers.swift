import Ladder
import Quantity
import Systems

/// Layers of one source that the bridge considers, ascending by preference and not always by rate
/// (`SingleSourceAllocation.kt`).
///
/// Heights are the shorter sides of pictures, and a frame rate of 0 is an unknown one [our model].
struct JitsiLayers: BitwiseCopyable {
  struct Entry: BitwiseCopyable {
    /// Index among all layers of the source.
    var index: Int
    /// Measured rate, including the layers below it [bit/s]; 0 for one that does not arrive.
    var rate: Int64
    var lines: Int
  }

  /// Index of the source's first layer among the entries of all sources.
  let start: Int
  private(set) var count = 0
  /// Layer up to which a source on the stage is served before others; -1 for none.
  private(set) var preferred = -1
  /// Layer up to which a source may exceed the budget; -1 for none.
  private(set) var oversend = -1

  /// Selects the layers of a source and appends them to those of the sources before it.
  ///
  /// - Parameters:
  ///   - layers: all layers of the source, by encoding and temporal layer, with their measured rates.
  ///   - lines: the constraint after last-N; 0 for none, `nil` for any.
  init(
    of layers: [Layer], isScreen: Bool, isOnStage: Bool, lines: Int?, to entries: inout [Entry],
    _ parameters: JitsiParameters
  ) {
    start = entries.count
    guard lines != 0, !layers.isEmpty else { return }
    if isScreen {
      selectScreen(layers, within: lines, isOnStage: isOnStage, &entries, parameters)
    } else {
      selectCamera(layers, within: lines, &entries, parameters)
    }
  }

  private mutating func append(_ layer: Layer, at index: Int, to entries: inout [Entry]) {
    entries.append(
      Entry(index: index, rate: layer.bitrate.bitsPerSecond, lines: layer.format.resolution.lines))
    count += 1
  }

  /// Selects all frame rates below the preferred height, and only full ones from it on.
  ///
  /// Layers below the preferred height count even above the constraint, as upstream: a constraint of 200 lines admits
  /// layers of 270 lines.
  private mutating func selectCamera(
    _ layers: [Layer], within lines: Int?, _ entries: inout [Entry], _ parameters: JitsiParameters
  ) {
    var lowest = Int.max
    var fastest = 0
    var isAnyActive = false
    for layer in layers {
      lowest = min(lowest, layer.format.resolution.lines)
      fastest = max(fastest, layer.format.milliFramesPerSecond)
      if layer.bitrate > .zero { isAnyActive = true }
    }
    let isPreferring = lines.map { $0 > parameters.thumbnailHeight } ?? true
    let height = isPreferring ? parameters.preferredHeight : -1
    let full = isPreferring ? parameters.preferredFrameRate * 1000 : -1
    let floor = fastest > 0 ? min(fastest, full) : full
    for index in layers.indices where layers[index].bitrate > .zero || !isAnyActive {
      let format = layers[index].format
      let isWithin = lines.map { format.resolution.lines <= $0 } ?? true
      let isFull = format.milliFramesPerSecond == 0 || format.milliFramesPerSecond >= floor
      if format.resolution.lines < height || isWithin && isFull || format.resolution.lines == lowest {
        append(layers[index], at: index, to: &entries)
      }
    }
    for place in 0..<count where entries[start + place].lines <= max(height, lowest) { preferred = place }
  }

  /// Selects layers so that resolution comes before frame rate, and before other sources.
  private mutating func selectScreen(
    _ layers: [Layer], within lines: Int?, isOnStage: Bool, _ entries: inout [Entry],
    _ parameters: JitsiParameters
  ) {
    let isAnyActive = layers.contains { $0.bitrate > .zero }
    var lowest = Int.max
    for layer in layers where layer.bitrate > .zero || !isAnyActive {
      lowest = min(lowest, layer.format.resolution.lines)
    }
    let most = lines ?? .max
    let limit = most < lowest ? lowest : most
    for index in layers.indices where layers[index].bitrate > .zero || !isAnyActive {
      if layers[index].format.resolution.lines <= limit { append(layers[index], at: index, to: &entries) }
    }
    // VP9 screen shares have layers of one size and unknown frame rates.
    if most < lowest, !isOnStage, layers[entries[start].index].format.milliFramesPerSecond == 0 {
      entries.removeLast(count - 1)
      count = 1
    }
    let cheapest = cheapestOfTallest(entries)
    preferred = parameters.prefersResolution ? cheapest : count - 1
    if isOnStage, parameters.oversends { oversend = cheapest }
  }

  /// Returns the first of the cheapest layers among the tallest.
  private func cheapestOfTallest(_ entries: [Entry]) -> Int {
    var best = 0
    for place in 0..<count {
      let (one, other) = (entries[start + place], entries[start + best])
      if one.lines > other.lines || one.lines == other.lines && one.rate < other.rate { best = place }
    }
    return best
  }
}
