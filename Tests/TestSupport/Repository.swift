import Files

/// Paths in the checkout that tests read from.
package enum Repository {
  /// The checkout's root folder.
  package static let root: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    if parts.isEmpty { parts = ["."] }
    return parts.joined(separator: "/")
  }()

  /// Folder of real capacity traces, beside the checkout if present; their licences keep them out of the repository.
  package static let traces = root + "/../shared/traces"

  /// Returns the bytes of a file; `nil` if it does not exist.
  package static func bytes(of path: String) -> [UInt8]? { try? FileReader.bytes(of: path, limit: .max) }
}
