#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Double {
  /// Formats the number with fixed decimals, rounded from the exact binary value, as C and Python do.
  package func text(decimals: Int) -> String {
    // The longest number has 309 digits before the point.
    let room = 400
    var buffer = [CChar](repeating: 0, count: room)
    let count = withVaList([Int32(decimals), self]) { vsnprintf(&buffer, room, "%.*f", $0) }
    let written = buffer[..<max(0, min(Int(count), room - 1))]
    return String(decoding: written.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
