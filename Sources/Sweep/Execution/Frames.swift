#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Messages between a sweep and its workers: a four-byte length, then zero-terminated fields.
enum Frames {
  /// Encodes a message.
  static func encode(_ fields: [String]) -> [UInt8] {
    var body: [UInt8] = []
    for field in fields {
      body += field.utf8
      body.append(0)
    }
    let length = UInt32(body.count)
    return (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + body
  }

  /// Removes and returns the first complete message in a buffer.
  static func next(in buffer: inout [UInt8]) -> [String]? {
    guard buffer.count >= 4 else { return nil }
    let length = (0..<4).reduce(0) { $0 | Int(buffer[$1]) << (8 * $1) }
    guard buffer.count >= 4 + length else { return nil }
    let fields = buffer[4..<4 + length].split(separator: 0, omittingEmptySubsequences: false)
      .dropLast().map { String(decoding: $0, as: UTF8.self) }
    buffer.removeFirst(4 + length)
    return fields
  }

  /// Writes a message; returns `false` if the reader is gone.
  static func send(_ fields: [String], to file: Int32) -> Bool {
    let bytes = encode(fields)
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      offset += count
    }
    return true
  }

  /// Appends the available bytes to a buffer; returns `false` at the end of the stream.
  static func receive(from file: Int32, into buffer: inout [UInt8]) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      buffer += chunk[..<count]
      return true
    }
  }
}
