/// Who sits where in a built-in layout, with as little movement as possible (web SDK,
/// `ClientControlledLayoutOrderingStore`).
package enum LayoutSeats {
  /// Seats people anew: whoever stays keeps the seat, and a newcomer takes the seat of the least important of those who
  /// must go.
  ///
  /// A seat that somebody left and nobody took goes to whoever sits last (our model: the documents do not say how a gap
  /// closes).
  ///
  /// - Parameters:
  ///   - seats: who sat where; `nil` is an empty seat.
  ///   - order: everybody who could be shown, most important first.
  ///   - capacity: number of seats.
  ///   - hasMainStage: whether the first seat is for the most important person, who changes places with whoever was
  ///     there.
  package static func reseat(
    _ seats: [Int?], order: [Int], capacity: Int, hasMainStage: Bool = false
  ) -> [Int?] {
    let shown = order.prefix(capacity)
    var result = Array(seats.prefix(capacity))
    result += Array(repeating: nil, count: capacity - result.count)
    if hasMainStage, let first = shown.first, result[0] != first {
      if let seat = result.firstIndex(of: first) {
        result.swapAt(0, seat)
      } else {
        result[0] = first
      }
    }
    let rank = result.map { $0.flatMap { order.firstIndex(of: $0) } ?? .max }
    for seat in result.indices where result[seat].map({ !shown.contains($0) }) ?? false { result[seat] = nil }
    // Seats of the least important first; among empty ones the first seat.
    let free = result.indices.filter { result[$0] == nil }
      .sorted { rank[$0] != rank[$1] ? rank[$0] > rank[$1] : $0 < $1 }
    for (seat, newcomer) in zip(free, shown.filter { !result.contains($0) }) { result[seat] = newcomer }
    while let gap = result.firstIndex(of: nil), let last = result.lastIndex(where: { $0 != nil }), gap < last
    {
      result.swapAt(gap, last)
    }
    return result
  }
}
