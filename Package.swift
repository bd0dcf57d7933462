// swift-tools-version: 6.2
import PackageDescription

/// Settings shared by all targets; in CI, warnings are errors.
let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// For code that reads, prints or drives other modules: it compiles in a quarter of the time.
let unoptimized = SwiftSetting.unsafeFlags(["-Onone"])

func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], isOptimized: Bool = true
) -> Target {
  .target(
    name: name, dependencies: dependencies, swiftSettings: strict + (isOptimized ? [] : [unoptimized]))
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: ["TestSupport"] + dependencies, exclude: exclude,
    swiftSettings: strict + [unoptimized])
}

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "meetsim",
  platforms: [.macOS(.v26)],
  products: [.executable(name: "meetsim", targets: ["meetsim"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.4.0")
  ],
  // Bottom-up: a target may import only targets above it.
  targets: [
    // Module map for the GNU Scientific Library.
    .systemLibrary(
      name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"]), .brew(["gsl"])]),
    // Module map for libyaml.
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    // Module map for zlib.
    .systemLibrary(
      name: "CZLIB", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    // Styles and scripts of reports, embedded as bytes.
    .target(name: "CPages", exclude: ["Web"], cSettings: [.headerSearchPath("Web")]),
    // Exact time, rate and size types, and their text forms with units.
    module("Quantity"),
    // Declares each model parameter once, for the reader, the schema and `list`; registries of models.
    module("Parameters", ["Quantity"]),
    // Reads whole files, writes atomically, reads CSV (RFC 4180) record by record; the only user of zlib.
    module("Files", ["CZLIB"]),
    // Lays out text in the columns of a terminal: widths, lines, tables.
    module("TextLayout", ["Files"]),
    // Reads and writes JSON (RFC 8259).
    module("JSON"),
    // Parses YAML into values with source positions, and emits it; the only user of libyaml.
    module("YAML", ["CYAML"]),
    // Named random streams, distributions, quantiles, confidence intervals; the only user of GSL.
    module("Statistics", ["CGSL", "Quantity"]),
    // Runs timed events in a reproducible order.
    module("SimulationKernel", ["Quantity", "Statistics"]),
    // The encodings and layers that a source can offer, as values.
    module("Ladder", ["Quantity"]),
    // What a viewer's screen shows: tiles, their sizes and their visibility.
    module("Layout", ["Quantity", "Ladder"]),
    // What all allocators share: wishes, grants and limitations.
    module("Allocation", ["Quantity", "Ladder"]),
    // Bandwidth estimators: from transport feedback to a target rate.
    module("CongestionControl", ["Quantity", "Parameters"]),
    // What a system of a vendor is, and what systems share: clients, views, servers with rules.
    module("Systems", ["Quantity", "Parameters", "Ladder", "Layout", "Allocation", "CongestionControl"]),
    // One folder per vendor: its client, policy, publisher, parameters, ladders and grids.
    module(
      "Vendors",
      ["Quantity", "Parameters", "Ladder", "Layout", "Allocation", "CongestionControl", "Systems"]),
    // Competing traffic: TCP flows and constant-rate traffic.
    module("CrossTraffic", ["Quantity", "Statistics"]),
    // Queues packets and carries them across links; queue disciplines and capacity traces.
    module("Network", ["Quantity", "Parameters", "Files", "JSON", "Statistics", "SimulationKernel"]),
    // RTP between two endpoints: pacing, probing, transport-wide feedback, retransmission.
    module("Transport", ["Quantity", "CongestionControl", "Network"]),
    // Sources and encoders produce frames; receivers reassemble and score them.
    module("Media", ["Quantity", "Statistics", "Ladder"]),
    // Records what happens as interval tables and whole-run values, in CSV.
    module("Metrics", ["Quantity", "Ladder", "Allocation", "Files", "JSON", "Statistics"]),
    // Reads the tables that Metrics wrote.
    module("ResultReading", ["Files", "Metrics"]),
    // Compares two results, with statistical tests where there are repetitions.
    module(
      "Comparison", ["Files", "Statistics", "Metrics", "ResultReading"], isOptimized: false),
    // A meeting as planned: participants, sources, links, timeline and expectations, as values.
    module(
      "Plan",
      [
        "Quantity", "Statistics", "Ladder", "Allocation", "Systems", "CongestionControl", "CrossTraffic",
        "Network",
        "Media", "Metrics",
      ]),
    // A system's decision alone: a viewer's client at a moment, and its rule at each budget, without packets.
    module("Decision", ["Quantity", "Ladder", "Allocation", "Systems", "Network", "Plan"]),
    // What all ends share: paths over links, both halves of a connection, and the messages between the ends.
    module(
      "Endpoint",
      [
        "Quantity", "Statistics", "SimulationKernel", "Ladder", "Allocation", "Systems", "CongestionControl",
        "CrossTraffic", "Network", "Transport", "Media", "Plan",
      ]),
    // Participants as senders: speech, capture, encoders, and the sharing of the uplink.
    module(
      "Publishing",
      [
        "Quantity", "Statistics", "SimulationKernel", "Ladder", "Allocation", "Systems", "CongestionControl",
        "Network",
        "Transport", "Media", "Plan", "Endpoint",
      ]),
    // The SFU: forwarding, key frame requests, repairs, voices and decisions.
    module(
      "Serving",
      [
        "Quantity", "Statistics", "SimulationKernel", "Ladder", "Allocation", "Systems", "CongestionControl",
        "Network",
        "Transport", "Media", "Plan", "Endpoint",
      ]),
    // Participants as receivers: reception, repairs and the screen with its client.
    module(
      "Viewing",
      [
        "Quantity", "Statistics", "SimulationKernel", "Ladder", "Allocation", "Systems", "Network",
        "Transport", "Media",
        "Plan", "Endpoint",
      ]),
    // Wires the ends into one run, and records what happens; names no vendor.
    module(
      "Meeting",
      [
        "Quantity", "Statistics", "SimulationKernel", "Ladder", "Layout", "Allocation", "Systems",
        "CongestionControl", "CrossTraffic", "Network", "Transport", "Media", "Metrics", "Plan", "Decision",
        "Endpoint", "Publishing", "Serving", "Viewing",
      ]),
    // Turns a YAML file into a valid meeting plan or a list of diagnostics.
    .target(
      name: "Scenario",
      dependencies: [
        "Plan", "Decision", "Quantity", "Parameters", "Ladder", "Layout", "Allocation", "Systems", "Vendors",
        "CongestionControl", "CrossTraffic", "Network", "Media", "Metrics", "Files", "JSON", "YAML",
      ],
      resources: [.embedInCode("Presets/links.csv")], swiftSettings: strict + [unoptimized]),
    // Measures and evaluates expectations; writes JUnit and GitHub reports.
    module(
      "Expectations", ["Quantity", "Files", "Statistics", "Metrics", "ResultReading", "Plan"],
      isOptimized: false),
    // Makes pages of results for a browser; the only user of the embedded pages.
    module(
      "Report",
      [
        "CPages", "Quantity", "Files", "JSON", "Statistics", "Allocation", "Metrics", "ResultReading", "Plan",
        "Scenario", "Expectations",
      ]),
    // Reruns published experiments and compares the model with them.
    .target(
      name: "Verification",
      dependencies: [
        "Quantity", "Files", "Statistics", "CongestionControl", "CrossTraffic", "Network", "Transport",
        "Metrics", "ResultReading", "Plan", "Meeting", "Scenario",
      ],
      resources: [.embedInCode("Cases")], swiftSettings: strict + [unoptimized]),
    // Reads the statistics of real calls and infers the path that they saw.
    .target(
      name: "CallStatistics",
      dependencies: ["Quantity", "Files", "TextLayout", "JSON", "Statistics", "Ladder", "Media"],
      resources: [.embedInCode("Templates")], swiftSettings: strict + [unoptimized]),
    // Runs many plans on all cores, stores and merges their results.
    module(
      "Sweep",
      ["Quantity", "Files", "JSON", "Statistics", "Metrics", "Plan", "Meeting", "Scenario", "Expectations"]),
    // The command line: arguments, progress, exit codes.
    .executableTarget(
      name: "meetsim",
      dependencies: [
        "Quantity", "Parameters", "Files", "TextLayout", "JSON", "Statistics", "Network", "Ladder", "Systems",
        "Vendors", "Allocation", "CongestionControl", "CrossTraffic", "Media", "Plan", "Decision", "Meeting",
        "Metrics",
        "ResultReading", "Comparison",
        "Expectations", "Scenario", "Sweep", "Verification", "CallStatistics", "Report",
        argumentParser,
      ],
      resources: [.embedInCode("Templates")],
      swiftSettings: strict + [unoptimized]),
    .target(
      name: "TestSupport",
      dependencies: [
        "Quantity", "Parameters", "Files", "SimulationKernel", "Ladder", "Allocation", "Systems", "Network",
        "Metrics", "Plan", "Endpoint", "Meeting", "Scenario",
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    // A grid of meetings that checks that viewers keep receiving video, with the oracle as the reference.
    .target(
      name: "LivenessGrid",
      dependencies: [
        "Quantity", "Parameters", "Statistics", "Ladder", "Systems", "Vendors", "Media", "Metrics", "Plan",
        "Meeting",
        "Scenario", "TestSupport",
      ],
      path: "Tests/Liveness/Grid", swiftSettings: strict + [unoptimized]),
    tests("Quantity", ["Quantity"]),
    tests("Parameters", ["Quantity", "Parameters"]),
    tests("JSON", ["JSON"]),
    tests("YAML", ["YAML"]),
    tests("Files", ["Files", "Statistics", "Metrics"]),
    tests("TextLayout", ["TextLayout"]),
    tests("Statistics", ["Quantity", "Statistics"]),
    tests("SimulationKernel", ["Quantity", "Statistics", "SimulationKernel"]),
    tests("Network", ["Quantity", "Parameters", "Statistics", "SimulationKernel", "Network"]),
    tests("CongestionControl", ["Quantity", "Parameters", "Statistics", "CongestionControl"]),
    tests("Transport", ["Quantity", "Transport"]),
    tests("Metrics", ["Quantity", "Allocation", "Files", "JSON", "Metrics"]),
    tests("ResultReading", ["Files", "Statistics", "Metrics", "ResultReading"]),
    tests("Comparison", ["Statistics", "Metrics", "ResultReading", "Comparison"]),
    tests("CrossTraffic", ["Quantity", "CrossTraffic"]),
    tests("Verification", ["Quantity", "Files", "Plan", "Meeting", "Scenario", "Verification"]),
    tests("Ladder", ["Quantity", "Ladder", "Systems", "Vendors"]),
    tests("Allocation", ["Quantity", "Ladder", "Allocation"]),
    tests("Media", ["Quantity", "Statistics", "Ladder", "Systems", "Vendors", "Media"]),
    tests(
      "Systems",
      ["Quantity", "Parameters", "Ladder", "Layout", "Allocation", "CongestionControl", "Systems", "Vendors"]),
    tests(
      "Decision",
      [
        "Quantity", "Parameters", "Ladder", "Allocation", "Systems", "Vendors", "Plan", "Decision",
        "Scenario",
      ]),
    tests(
      "Endpoint",
      [
        "Quantity", "SimulationKernel", "Ladder", "CongestionControl", "Systems", "Network", "Plan",
        "Endpoint",
        "Scenario",
      ]),
    tests(
      "Publishing",
      [
        "Quantity", "SimulationKernel", "Ladder", "Systems", "Vendors", "CongestionControl", "Network",
        "Media", "Plan",
        "Endpoint", "Publishing",
      ]),
    tests(
      "Serving",
      [
        "Quantity", "Parameters", "SimulationKernel", "Ladder", "Allocation", "Systems", "CongestionControl",
        "Network", "Media", "Plan", "Endpoint", "Serving",
      ]),
    tests(
      "Viewing",
      [
        "Quantity", "SimulationKernel", "Ladder", "Allocation", "Systems", "Network", "Media", "Plan",
        "Endpoint", "Viewing",
      ]),
    tests(
      "Meeting",
      [
        "Quantity", "Parameters", "Files", "Statistics", "Ladder", "Allocation", "Systems", "Vendors",
        "CongestionControl", "Network",
        "Media", "Metrics", "Plan", "Endpoint", "Publishing", "Serving", "Viewing", "Meeting", "Scenario",
      ]),
    tests(
      "Scenario",
      [
        "Quantity", "Parameters", "Files", "JSON", "Statistics", "Ladder", "CongestionControl", "Network",
        "Metrics",
        "Plan", "Meeting", "Scenario",
      ],
      exclude: ["Broken"]),
    tests("Sweep", ["Files", "Scenario", "Sweep"]),
    tests("Expectations", ["Statistics", "Metrics", "ResultReading", "Plan", "Expectations"]),
    tests(
      "CallStatistics", ["Quantity", "Files", "Statistics", "Ladder", "Media", "CallStatistics"],
      exclude: ["Dumps"]),
    tests("Command", ["Files", "Metrics", "meetsim"]),
    tests("Liveness", ["LivenessGrid", "Metrics", "Vendors"]),
    tests("Architecture"),
  ]
)

// Benchmarks cost build time: they are part of the package only on request.
if Context.environment["MEETSIM_BENCHMARKS"] != nil {
  package.products.append(.executable(name: "meetsim-bench", targets: ["MeetsimBenchmarks"]))
  package.targets.append(
    .executableTarget(
      name: "MeetsimBenchmarks",
      dependencies: [
        "Quantity", "Parameters", "Statistics", "SimulationKernel", "Systems", "Vendors", "Plan", "Decision",
        "Meeting",
        "Scenario", "TestSupport",
      ],
      path: "Tests/Benchmarks/MeetsimBenchmarks", swiftSettings: strict))
}

// Running the whole grid takes minutes: its command is part of the package only on request.
if Context.environment["MEETSIM_LIVENESS"] != nil {
  package.products.append(.executable(name: "meetsim-liveness", targets: ["MeetsimLiveness"]))
  package.targets.append(
    .executableTarget(
      name: "MeetsimLiveness", dependencies: ["LivenessGrid", "Vendors"], path: "Tests/Liveness/Command",
      swiftSettings: strict))
}
