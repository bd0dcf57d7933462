import CZLIB

/// Compresses bytes in the gzip format (RFC 1952), in pieces.
///
/// The header contains no time, name or operating system: the same bytes in the same pieces yield the same file with
/// the same version of zlib.
package final class GzipCompressor {
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let header = UnsafeMutablePointer<gz_header>.allocate(capacity: 1)
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// The operating system "unknown" (RFC 1952, section 2.3.1).
  private static let operatingSystem: Int32 = 255

  package init() {
    stream.initialize(to: z_stream())
    header.initialize(to: gz_header())
    header.pointee.os = Self.operatingSystem
    let status = czlib_deflate_init(stream)
    precondition(status == Z_OK, "zlib cannot begin to compress: \(status)")
    deflateSetHeader(stream, header)
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
    header.deallocate()
  }

  /// Returns the compressed bytes that the next piece adds to the file, possibly none yet.
  package func compress(_ bytes: [UInt8]) -> [UInt8] { deflated(bytes, Z_NO_FLUSH) }

  /// Returns the rest of the file.
  package func finish() -> [UInt8] { deflated([], Z_FINISH) }

  private func deflated(_ bytes: [UInt8], _ flush: Int32) -> [UInt8] {
    var output: [UInt8] = []
    bytes.withUnsafeBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(input.count)
      repeat {
        let room = buffer.count
        let left = buffer.withUnsafeMutableBufferPointer { part in
          stream.pointee.next_out = part.baseAddress
          stream.pointee.avail_out = UInt32(room)
          deflate(stream, flush)
          return Int(stream.pointee.avail_out)
        }
        output += buffer[..<(room - left)]
      } while stream.pointee.avail_out == 0
    }
    return output
  }
}
