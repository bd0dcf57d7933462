/// Assignment of the seats of a built-in layout with minimal movement (web SDK, `ClientControlledLayoutOrderingStore`).
package enum LayoutSeats {
  /// Reassigns seats: participants who stay keep their seats, and a newcomer takes the seat of the lowest-ranked
  /// participant to be removed.
  ///
  /// A seat left vacant is filled by the participant in the last seat (our model; undocumented).
  ///
  /// - Parameters:
  ///   - seats: current participants by seat; `nil` for an empty seat.
  ///   - order: all candidates, highest rank first.
  ///   - capacity: number of seats.
  ///   - hasMainStage: `true` if the first seat is reserved for the top-ranked participant, who swaps seats with its
  ///     current occupant.
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
    // Seats of the lowest-ranked participants first; empty seats by index.
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
