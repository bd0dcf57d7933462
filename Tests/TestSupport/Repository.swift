import Files

/// Places in the checkout that tests read from.
package enum Repository {
  /// The checkout's folder.
  package static let root: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    if parts.isEmpty { parts = ["."] }
    return parts.joined(separator: "/")
  }()

  /// Real capacity traces, beside the checkout where they are present; their licences keep them out of it.
  package static let traces = root + "/../shared/traces"

  /// The bytes of a file; `nil` when it is not there.
  package static func bytes(of path: String) -> [UInt8]? { try? FileReader.bytes(of: path, limit: .max) }
}
