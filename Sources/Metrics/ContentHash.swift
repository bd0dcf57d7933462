/// 64-bit FNV-1a hash; distinguishes contents, but is not cryptographic.
package struct ContentHash: Hashable, Sendable {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package init(of bytes: some Sequence<UInt8>) { update(bytes) }

  package init(of bytes: [UInt8]) { update(bytes) }

  /// Adds bytes to the hash; not generic, so that calls from other modules are specialized: sweeps hash gigabytes.
  package mutating func update(_ bytes: [UInt8]) {
    var value = value
    bytes.withUnsafeBufferPointer { bytes in
      for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    self.value = value
  }

  package mutating func update(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// Hash in the form used in manifests: method and digits.
  package var text: String { "fnv1a64:" + hexadecimal }

  /// Hash as 16 hexadecimal digits.
  package var hexadecimal: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
