import CZLIB

/// Expands a gzip file (RFC 1952) piece by piece; several that are written one after the other are one.
final class GzipExpander {
  enum Failure: Error {
    case damaged
  }

  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  /// Whether the bytes so far are whole files.
  private(set) var isComplete = false

  init() {
    stream.initialize(to: z_stream())
    let status = czlib_inflate_init(stream)
    precondition(status == Z_OK, "zlib cannot begin to expand: \(status)")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Expands the next bytes of the file.
  func expand(_ bytes: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>) -> Void) throws(Failure) {
    let isWhole = bytes.withUnsafeBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(input.count)
      return inflateAll(body)
    }
    if !isWhole { throw .damaged }
  }

  /// - Returns: whether the stream's input was valid.
  private func inflateAll(_ body: (ArraySlice<UInt8>) -> Void) -> Bool {
    repeat {
      if isComplete, stream.pointee.avail_in > 0 {
        isComplete = false
        inflateReset(stream)
      }
      let room = buffer.count
      let (status, left) = buffer.withUnsafeMutableBufferPointer { part in
        stream.pointee.next_out = part.baseAddress
        stream.pointee.avail_out = UInt32(room)
        return (inflate(stream, Z_NO_FLUSH), Int(stream.pointee.avail_out))
      }
      // Without input there may be nothing left to write either.
      guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status) else { return false }
      isComplete = status == Z_STREAM_END
      if left < room { body(buffer[..<(room - left)]) }
    } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0 && !isComplete
    return true
  }
}
