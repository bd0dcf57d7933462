import Files
import Scenario
import Statistics
import TestSupport
import Testing

@Suite("Mutated scenarios")
struct FuzzTests {
  private static let names = [
    "one-to-one", "remote-education", "active-speaker", "agora-17-default-high", "gallery-scroll",
    "custom-source-24fps", "lte-drive", "household", "picture-in-picture", "uplink-limited-teacher",
  ]
  private static let hostile = [
    "-1", "1e308 Gbps", "{", "[", "}", "]", ": ", "- ", "\t", "\u{0}", "&a", "*a", "null", "~", "!!binary x",
    "99999999999999999999", "0x10", "nan", "", "\n", "%", "'", "\"", "@", "|", ">", "720p0", "0x0@0", "𝄞",
    "<<:",
  ]

  private func mutate(_ bytes: [UInt8], _ draws: inout RandomStream) -> [UInt8] {
    var bytes = bytes
    for _ in 0...draws.index(below: 3) {
      let place = draws.index(below: max(1, bytes.count))
      switch draws.index(below: 5) {
      case 0: if place < bytes.count { bytes[place] = UInt8(draws.index(below: 256)) }
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + draws.index(below: 20)))
      case 2:
        let end = min(bytes.count, place + draws.index(below: 60))
        bytes.insert(contentsOf: bytes[min(place, end)..<end], at: min(bytes.count, place))
      case 3:
        var lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
        lines.swapAt(draws.index(below: lines.count), draws.index(below: lines.count))
        bytes = Array(lines.joined(separator: [10]))
      default:
        bytes.insert(
          contentsOf: Self.hostile[draws.index(below: Self.hostile.count)].utf8, at: min(bytes.count, place))
      }
    }
    return bytes
  }

  @Test(arguments: names)
  func aThousandMutationsOfAScenarioAreReadOrRefusedWithAPlace(name: String) throws {
    let directory = "\(Repository.root)/scenarios/"
    let original = try FileReader.bytes(of: "\(directory)\(name).yaml", limit: 100_000)
    var draws = RandomStream(seed: 1, name: "fuzz/\(name)")
    var refused = 0
    for _ in 0..<1_000 {
      do {
        _ = try ScenarioReader.read(bytes: mutate(original, &draws), file: "f", directory: directory)
      } catch {
        refused += 1
        #expect(!error.diagnostics.isEmpty)
        #expect(error.diagnostics.allSatisfy { $0.line > 0 && $0.column > 0 && !$0.message.isEmpty })
      }
    }
    #expect(refused > 100)
  }
}
