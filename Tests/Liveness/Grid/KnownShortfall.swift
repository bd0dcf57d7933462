/// Cells that fall short because the real systems do as well, each with its source.
enum KnownShortfall {
  /// Why a cell falls short; `nil` where it must not.
  static func reason(for shortfall: LivenessResult.Shortfall, of cell: LivenessCell) -> String? {
    nil
  }
}
