/// A file that is written through a compressor, or as it is.
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

  /// Writes what the compressor still holds; the file stays open.
  package func finish() throws(FileError) {
    if let compressor { try file.write(compressor.finish()) }
  }
}
