package import Ladder

/// Seats and main stage of a built-in layout.
package struct Seating: Sendable {
  package private(set) var layout: BuiltInLayout?
  /// Participants by seat; `nil` for an empty seat.
  package private(set) var seats: [Int?] = []
  /// Participant on the main stage.
  package var stage: Int?

  mutating func choose(_ layout: BuiltInLayout?) {
    guard layout != self.layout else { return }
    self.layout = layout
    seats = []
    stage = nil
  }

  mutating func reseat(_ order: [Int], capacity: Int) {
    seats = LayoutSeats.reseat(
      seats, order: order, capacity: capacity, hasMainStage: layout?.hasMainStage ?? false)
  }

  /// Returns the tile size of a seat: with a main stage, large for the participant on it and a thumbnail for all
  /// others; else the requested size.
  package func tile(ofSeat seat: Int, _ request: [StreamRequest]) -> Resolution? {
    guard layout?.hasMainStage == true else { return request[seat].quality?.resolution }
    let isLarge = stage.map { seats[seat] == $0 } ?? (seat == 0)
    return isLarge ? request.first?.quality?.resolution : .p90
  }
}
