import CZLIB

/// Expands gzip data (RFC 1952) in pieces; concatenated files count as one.
final class GzipExpander {
  enum Failure: Error {
    case damaged
  }

  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  /// Set while the bytes so far form complete files.
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

  /// - Returns: `false` if the input is damaged.
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
      // Without more input, `inflate` reports Z_BUF_ERROR when there is nothing left to write.
      guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status) else { return false }
      isComplete = status == Z_STREAM_END
      if left < room { body(buffer[..<(room - left)]) }
    } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0 && !isComplete
    return true
  }
}
