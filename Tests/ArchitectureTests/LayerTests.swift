import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The modules that each module may import; in order of the data, from the foundations up.
private let allowed: [String: Set<String>] = [
  "Quantity": [], "Parameters": ["Quantity"], "Files": ["CZLIB"], "JSON": [],
  "YAML": ["CYAML"], "TextLayout": ["Files"],
  "Statistics": ["CGSL", "Quantity"],
  "SimulationKernel": ["Quantity", "Statistics"], "Ladder": ["Quantity"], "Layout": ["Quantity", "Ladder"],
  "Allocation": ["Quantity", "Ladder"],
  "Systems": ["Quantity", "Parameters", "Ladder", "Layout", "Allocation", "CongestionControl"],
  "CongestionControl": ["Quantity", "Parameters"],
  "Vendors": ["Quantity", "Parameters", "Ladder", "Layout", "Allocation", "CongestionControl", "Systems"],
  "CrossTraffic": ["Quantity", "Statistics"],
  "Network": ["Quantity", "Parameters", "Files", "JSON", "Statistics", "SimulationKernel"],
  "Transport": ["Quantity", "CongestionControl", "Network"], "Media": ["Quantity", "Statistics", "Ladder"],
  "Metrics": [
    "Quantity", "Ladder", "Allocation", "Files", "JSON", "Statistics", "FoundationEssentials", "Foundation",
  ],
  "ResultReading": ["Files", "Metrics", "FoundationEssentials", "Foundation"],
  "Comparison": ["Files", "Statistics", "Metrics", "ResultReading"],
  "Plan": [
    "Quantity", "Statistics", "Ladder", "Allocation", "Systems", "CongestionControl", "CrossTraffic",
    "Network", "Media",
    "Metrics",
  ],
  "Decision": ["Quantity", "Ladder", "Allocation", "Systems", "Network", "Plan"],
  "Endpoint": [
    "Quantity", "Statistics", "SimulationKernel", "Ladder", "Allocation", "Systems", "CongestionControl",
    "CrossTraffic",
    "Network", "Transport", "Media", "Plan",
  ],
  // The ends do not know each other: only packets and messages pass between them.
  "Publishing": [
    "Quantity", "Statistics", "SimulationKernel", "Ladder", "Allocation", "Systems", "CongestionControl",
    "Network",
    "Transport", "Media", "Plan", "Endpoint",
  ],
  "Serving": [
    "Quantity", "SimulationKernel", "Ladder", "Allocation", "Systems", "CongestionControl", "Network",
    "Transport",
    "Media", "Plan", "Endpoint",
  ],
  "Viewing": [
    "Quantity", "Statistics", "SimulationKernel", "Ladder", "Layout", "Allocation", "Systems", "Network",
    "Transport",
    "Media",
    "Plan", "Endpoint",
  ],
  "Meeting": [
    "Quantity", "Statistics", "SimulationKernel", "Ladder", "Layout", "Allocation", "Systems",
    "CongestionControl",
    "Network", "Transport", "Media", "Metrics", "CrossTraffic", "Plan", "Decision", "Endpoint",
    "Publishing", "Serving", "Viewing",
  ],
  "Scenario": [
    "Plan", "Decision", "CrossTraffic", "Quantity", "Parameters", "Ladder", "Layout", "Allocation", "Systems",
    "Vendors",
    "CongestionControl", "Network", "Media", "Metrics", "Files", "JSON", "YAML",
  ],
  "Verification": [
    "Quantity", "Files", "Statistics", "CongestionControl", "CrossTraffic", "Network", "Transport", "Metrics",
    "ResultReading",
    "Plan",
    "Meeting",
    "Scenario",
  ],
  "Expectations": [
    "Quantity", "Files", "Statistics", "Metrics", "ResultReading", "Plan", "FoundationEssentials",
    "Foundation",
  ],
  "Sweep": [
    "Quantity", "Files", "JSON", "Statistics", "Metrics", "Plan", "Meeting", "Scenario", "Expectations",
    "FoundationEssentials", "Foundation",
  ],
  "Report": [
    "CPages", "Files", "JSON", "Quantity", "Statistics", "Allocation", "Metrics", "ResultReading", "Plan",
    "Scenario", "Expectations", "FoundationEssentials", "Foundation",
  ],
  "CallStatistics": [
    "Quantity", "Files", "TextLayout", "JSON", "Statistics", "Ladder", "Media", "FoundationEssentials",
    "Foundation",
  ],
  "meetsim": [
    "Quantity", "Parameters", "Files", "TextLayout", "JSON", "Statistics", "Network", "Ladder", "Allocation",
    "Systems", "Vendors", "CongestionControl", "CrossTraffic", "Media", "Plan", "Decision", "Meeting",
    "Metrics",
    "ResultReading",
    "Comparison",
    "Expectations", "Scenario", "Sweep", "Verification", "CallStatistics", "Report",
    "ArgumentParser",
  ],
]
private let system: Set<String> = ["Glibc", "Darwin", "Synchronization"]

/// Returns every Swift file below a folder, with its lines.
func sourceFiles(below folder: String) -> [(path: String, lines: [Substring])] {
  guard let stream = opendir(folder) else { return [] }
  defer { closedir(stream) }
  var found: [(String, [Substring])] = []
  while let entry = readdir(stream) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    guard !name.hasPrefix(".") else { continue }
    let path = "\(folder)/\(name)"
    if entry.pointee.d_type == UInt8(DT_DIR) {
      found += sourceFiles(below: path)
    } else if name.hasSuffix(".swift"), let file = fopen(path, "r") {
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let count = fread(&bytes, 1, bytes.count, file)
      fclose(file)
      found.append((path, String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")))
    }
  }
  return found
}

@Suite("Architecture")
struct LayerTests {
  @Test func modulesImportOnlyWhatLiesBelowThem() {
    var seen = 0
    for (module, permitted) in allowed {
      for file in sourceFiles(below: "\(Repository.root)/Sources/\(module)") {
        seen += 1
        for line in file.lines {
          let words = line.split(separator: " ").map(String.init)
          // 'meetsim import' is a command, not an import.
          guard let place = words.firstIndex(of: "import"), place <= 1, words.count > place + 1,
            words[0] != "meetsim"
          else { continue }
          let name = words[place + 1]
          #expect(permitted.contains(name) || system.contains(name), "\(file.path) imports \(name)")
        }
      }
    }
    #expect(seen > 60)
  }

  /// A vendor's rules are confined to its folder of `Vendors`: code elsewhere that named a vendor would branch on it.
  @Test(arguments: [
    "Plan", "Decision", "Endpoint", "Publishing", "Serving", "Viewing", "Meeting", "Media", "Network",
    "Transport", "Metrics", "Layout", "Ladder", "Allocation", "Systems", "Scenario", "Sweep",
    "Expectations",
    "Report", "Comparison", "ResultReading",
  ])
  func noVendorIsNamedOutsideItsFolder(module: String) {
    let sources = sourceFiles(below: "\(Repository.root)/Sources/\(module)")
    #expect(!sources.isEmpty)
    for file in sources {
      for (index, line) in file.lines.enumerated() {
        let text = line.lowercased()
        for vendor in Self.vendors.values.joined() where text.contains(vendor) {
          // Examples and sources in user-facing texts are not rules.
          guard !line.contains("\""), !line.contains("///") || !Self.citing.contains(module) else {
            continue
          }
          Issue.record("\(file.path):\(index + 1) names \(vendor)")
        }
      }
    }
  }

  /// Words by which code would name a vendor, by its folder; `Signal`, `Stream` and `Best` are ordinary words.
  private static let vendors = [
    "BlueJeans": ["bluejeans"], "Agora": ["agora"], "Janus": ["janus"], "Vonage": ["vonage"],
    "LiveKit": ["livekit"], "Stream": ["getstream", "stream-ios", "streamios"], "Jitsi": ["jitsi"],
    "Mediasoup": ["mediasoup"], "GSO": ["gsorule", "gsopolicy", "gsoclient", "gso("],
    "Signal": ["signalrule", "signalpolicy", "signalclient", "ringrtc"],
  ]
  /// Modules whose documentation cites vendors as sources of their models.
  private static let citing = [
    "Plan", "Decision", "Endpoint", "Publishing", "Serving", "Viewing", "Meeting", "Media", "Allocation",
    "Systems",
  ]

  /// No vendor's folder names another vendor.
  @Test func noVendorNamesAnother() {
    for folder in Self.vendors.keys {
      let sources = sourceFiles(below: "\(Repository.root)/Sources/Vendors/\(folder)")
      #expect(!sources.isEmpty)
      for file in sources {
        for line in file.lines where !line.contains("//") && !line.contains("\"") {
          for (other, words) in Self.vendors where other != folder {
            for word in words {
              #expect(!line.lowercased().contains(word), "\(file.path) names \(word)")
            }
          }
        }
      }
    }
  }

  @Test(arguments: [("Sources", 300), ("Tests", 500)])
  func noFileHasTwoSubjectsWorthOfLines(folder: String, limit: Int) {
    let sources = sourceFiles(below: "\(Repository.root)/\(folder)")
    #expect(!sources.isEmpty)
    for file in sources { #expect(file.lines.count <= limit, "\(file.path) has \(file.lines.count) lines") }
  }
}
