/// A file written through a compressor or unchanged.
package struct CompressedFile {
  private let file: OpenFile
  private let compressor: GzipCompressor?

  package init(_ file: OpenFile, isCompressed: Bool) {
    self.file = file
    compressor = isCompressed ? GzipCompressor() : nil
  }

  package func write(_ bytes: [UInt8]) throws(FileError) {
    try file.write(compressor?.compress(bytes) ?? bytes)
  }

  /// Writes the bytes that the compressor still holds; the file stays open.
  package func finish() throws(FileError) {
    if let compressor { try file.write(compressor.finish()) }
  }
}
