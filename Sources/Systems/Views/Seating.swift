import Ladder

/// Who sits where in a built-in layout, and who is on its main stage.
struct Seating: Sendable {
  /// The layout that the seats belong to.
  private(set) var layout: BuiltInLayout?
  /// `nil` is an empty seat.
  private(set) var seats: [Int?] = []
  var stage: Int?
  /// Whether the stage is to be looked at again.
  var awaitsStage = false

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

  /// The size of a seat's tile: on a main stage the person there has the large one, elsewhere it is the quality's.
  func tile(ofSeat seat: Int, _ request: [StreamRequest]) -> Resolution? {
    guard layout?.hasMainStage == true else { return request[seat].quality?.resolution }
    let isLarge = stage.map { seats[seat] == $0 } ?? (seat == 0)
    return isLarge ? request.first?.quality?.resolution : .p90
  }
}
