import TestSupport
import Testing

/// Types stay small: lines over all extensions in their module, and stored properties.
@Suite("The sizes of types")
struct TypeSizeTests {
  /// Lines that are not empty, over all extensions in a module, of types that may exceed ``mostLines``.
  private static let largeTypes: [String: (lines: Int, reason: String)] = [
    "Publishing/Publishers": (745, "sources of one uplink share it, in tables that each packet indexes"),
    "Serving/SFU": (810, "hands messages, estimates and packets to its parts"),
  ]

  /// Lines of types that have to stay smaller than ``mostLines``.
  private static let smallTypes: [String: (lines: Int, reason: String)] = [
    "Meeting/MeetingSimulation": (400, "hands events to the parts, which decide")
  ]

  /// Stored properties of types that may exceed ``mostProperties``, beside parameters, of which each is one.
  private static let wideTypes: [String: (properties: Int, reason: String)] = [
    "Network/LinkState": (28, "a link's state in one place of a table"),
    "Allocation/Subscription": (23, "the constraints of all systems' clients"),
    "Sweep/SweepSettings": (27, "the keys of a sweep"),
    "Verification/PacedFlow": (25, "a whole loop of sender, link and receiver"),
    "CrossTraffic/BBR3Window": (24, "the state variables of draft-ietf-ccwg-bbr"),
    "Media/VideoReceiver": (24, "a receiver's state in one place of a table"),
    "CongestionControl/ProbeController": (23, "the state variables of libwebrtc's"),
    "SimulationKernel/EventQueue": (22, "two queues with their buffers"),
    "Media/JitterEstimator": (22, "the state variables of libwebrtc's"),
    "CongestionControl/GoogleCongestionControl2019": (21, "the state variables of libwebrtc's"),
    "CongestionControl/GoogleCongestionControl": (20, "the state variables of libwebrtc's"),
    "Metrics/StreamRow": (24, "the columns of a table"),
    "Metrics/VisibleSummary": (19, "the columns of a table"),
    "Plan/VideoSourcePlan": (21, "the keys of a source"),
    "Plan/MeetingPlan": (19, "the keys of a scenario"),
    "Systems/ViewPlan": (18, "the keys of a view"),
    "Systems/SystemTraits": (16, "one property for each difference between systems"),
    "Systems/ForwardingRules": (20, "one property for each difference between servers"),
    "CrossTraffic/TCPSender": (19, "the state variables of RFC 9293, 6675 and 6298"),
    "CongestionControl/SendSideEstimator": (18, "the state variables of libwebrtc's"),
    "Vendors/LiveKitServer": (17, "the state variables of its server's"),
    "Vendors/MediasoupConsumer": (16, "the state variables of its server's"),
    "meetsim/RunCommand": (17, "the options of a command"),
  ]

  private static let mostLines = 600
  private static let mostProperties = 15

  private struct Size {
    var lines = 0
    /// Stored properties of the type and of the types in it, by name.
    var properties: [String: Int] = [:]

    mutating func add(_ other: Size) {
      lines += other.lines
      properties.merge(other.properties, uniquingKeysWith: +)
    }
  }

  /// Adds the types of a file to sizes by name, by indentation: a type's members are two spaces deeper than its
  /// declaration, and a computed property has a brace on its line.
  private static func add(_ lines: [Substring], to sizes: inout [String: Size]) {
    var open: [(name: String, indent: Int)] = []
    for line in lines {
      let indent = line.prefix { $0 == " " }.count
      let words = line.split(separator: " ").map(String.init)
      if let place = words.firstIndex(where: { ["struct", "class", "enum", "extension"].contains($0) }),
        place + 1 < words.count, !words[0].hasPrefix("/"), !line.hasSuffix("}")
      {
        open.append((words[place + 1].filter { $0 != ":" && $0 != "{" }, indent))
      }
      guard let outermost = open.first, let owner = open.last else { continue }
      sizes[outermost.name, default: Size()].lines += 1
      if indent == owner.indent, line.drop(while: { $0 == " " }) == "}" { open.removeLast() }
      guard indent == owner.indent + 2,
        let place = words.firstIndex(where: { $0 == "var" || $0 == "let" }), !words.contains("static"),
        words[..<place].allSatisfy({
          $0.hasPrefix("@") || $0.hasPrefix("private") || $0.hasPrefix("package") || $0 == "public"
            || $0 == "fileprivate"
        }),
        !line.contains("{")
      else { continue }
      let name = open.map(\.name).joined(separator: ".")
      sizes[outermost.name, default: Size()].properties[name, default: 0] += 1
    }
  }

  /// Returns the sizes of all types by module and name.
  private func sizes() -> [String: Size] {
    let folder = "\(Repository.root)/Sources/"
    var sizes: [String: Size] = [:]
    for file in sourceFiles(below: folder) {
      let module = file.path.dropFirst(folder.count).drop { $0 == "/" }.prefix { $0 != "/" }
      var own: [String: Size] = [:]
      Self.add(file.lines, to: &own)
      for (name, size) in own { sizes["\(module)/\(name)", default: Size()].add(size) }
    }
    return sizes
  }

  @Test func typesHaveFewLines() {
    let sizes = sizes()
    #expect(sizes.count > 500)
    for (name, size) in sizes {
      guard let large = Self.largeTypes[name] else {
        #expect(size.lines <= Self.smallTypes[name]?.lines ?? Self.mostLines, "\(name)")
        continue
      }
      #expect(size.lines > Self.mostLines && size.lines <= large.lines, "\(name) has \(size.lines)")
    }
    #expect(Self.largeTypes.keys.allSatisfy { sizes[$0] != nil })
    #expect(Self.smallTypes.keys.allSatisfy { sizes[$0] != nil })
  }

  @Test func typesHaveFewProperties() {
    var exceptions = Set(Self.wideTypes.keys)
    for (module, size) in sizes() {
      for (type, count) in size.properties where !type.hasSuffix("Parameters") {
        let name = "\(module.prefix { $0 != "/" })/\(type)"
        guard let wide = Self.wideTypes[name] else {
          #expect(count <= Self.mostProperties, "\(name)")
          continue
        }
        exceptions.remove(name)
        #expect(count > Self.mostProperties && count <= wide.properties, "\(name) has \(count)")
      }
    }
    #expect(exceptions.isEmpty, "\(exceptions)")
  }

  @Test func linesAndPropertiesAreCounted() throws {
    let lines: [Substring] = [
      "/// A struct that counts.", "struct A: B {", "  let a: Int", "  private(set) var b = 1",
      "  var c: Int { 1 }", "  static let d = 1", "  struct E {", "    var f = 1", "  }", "  func g() {",
      "    let h = 1", "  }", "}", "extension A {", "  var i: Int { 1 }", "}", "let j = 1",
    ]
    var sizes: [String: Size] = [:]
    Self.add(lines, to: &sizes)
    #expect(sizes.keys.sorted() == ["A"])
    let own = try #require(sizes["A"])
    #expect(own.lines == 15 && own.properties == ["A": 2, "A.E": 1])
  }
}
