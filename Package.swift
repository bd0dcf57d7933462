// swift-tools-version: 6.2
import PackageDescription

/// Strictness that every target shares; no change lands with a warning.
let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

func module(
  _ name: String, _ dependencies: [Target.Dependency] = []
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: ["TestSupport"] + dependencies, exclude: exclude,
    swiftSettings: strict)
}

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "meetsim",
  platforms: [.macOS(.v26)],
  products: [.executable(name: "meetsim", targets: ["meetsim"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.4.0")
  ],
  // Bottom-up: a target may import only those above it.
  targets: [
    // The GNU Scientific Library, as Swift sees it.
    .systemLibrary(
      name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"]), .brew(["gsl"])]),
    // libyaml, as Swift sees it.
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    // Exact time, rate, size and their text forms with units.
    module("Quantity"),
    // Declares a model's parameters once, for all who read, check or list them.
    module("Parameters", ["Quantity"]),
    // Reads whole files and writes such as appear whole; reads RFC 4180 tables record by record.
    module("Files"),
    // YAML documents as values with places; the only user of libyaml.
    module("YAML", ["CYAML"]),
    // Random streams, distributions, quantiles and intervals; the only user of GSL.
    module("Statistics", ["CGSL", "Quantity"]),
    // Runs timed events in a reproducible order.
    module("SimulationKernel", ["Quantity", "Statistics"]),
    // The encodings and layers that a source may offer, as values.
    module("Ladder", ["Quantity"]),
    // What a viewer's screen shows: tiles, their sizes and their visibility.
    module("Layout", ["Quantity", "Ladder"]),
    // Who gets what: from wishes and a budget to granted layers, with reasons.
    module("Allocation", ["Quantity", "Ladder", "Layout"]),
    // What a path can carry: from what is known of it to a target rate.
    module("CongestionControl", ["Quantity", "Parameters"]),
    // Traffic that is no meeting's: TCP flows and packets at a rate.
    module("CrossTraffic", ["Quantity", "Statistics"]),
    // Moves packets across queues and links.
    module("Network", ["Quantity", "Parameters", "Statistics", "SimulationKernel"]),
    // RTP between two ends: pacing, probing, transport-wide feedback, packets to send again.
    module("Transport", ["Quantity", "CongestionControl", "Network"]),
    // Sources and encoders make frames; receivers put them together again and judge them.
    module("Media", ["Quantity", "Statistics", "Ladder"]),
    // Turns what happens into series, whole-run values and CSV.
    module("Metrics", ["Quantity", "Files", "Statistics"]),
    // Reads back the tables that Metrics wrote.
    module("ResultReading", ["Files", "Metrics"]),
    // Holds one result against another, with a test where there is more than one run.
    module("Comparison", ["Files", "Statistics", "Metrics", "ResultReading"]),
    // Participants, viewers and the SFU: wires everything above into one run.
    module(
      "Meeting",
      [
        "Quantity", "Statistics", "SimulationKernel", "Ladder", "Layout", "Allocation",
        "CongestionControl", "CrossTraffic", "Network", "Transport", "Media", "Metrics",
      ]),
    // Turns a YAML file into a valid meeting plan, or a list of diagnostics.
    .target(
      name: "Scenario",
      dependencies: [
        "Meeting", "Quantity", "Parameters", "Ladder", "Layout", "Allocation", "CongestionControl",
        "CrossTraffic",
        "Network", "Media", "Metrics", "Files", "YAML",
      ],
      resources: [.embedInCode("Presets/links.csv")], swiftSettings: strict),
    // Holds results against what was expected of them, and tells JUnit's and GitHub's readers.
    module("Expectations", ["Files", "Statistics", "Metrics", "ResultReading", "Meeting"]),
    // Reruns published experiments and holds the model against them.
    .target(
      name: "Verification",
      dependencies: [
        "Quantity", "Files", "Statistics", "CongestionControl", "Network", "Transport", "Metrics", "Meeting",
        "Scenario",
      ],
      resources: [.embedInCode("Cases")], swiftSettings: strict),
    // Runs many plans on all cores, keeps and joins their results.
    module("Sweep", ["Quantity", "Files", "Statistics", "Metrics", "Meeting", "Scenario"]),
    // The command line: arguments, progress, exit codes.
    .executableTarget(
      name: "meetsim",
      dependencies: [
        "Quantity", "Parameters", "Files", "Statistics", "Network", "Ladder", "Allocation",
        "CongestionControl",
        "Meeting", "Metrics", "ResultReading", "Comparison", "Expectations", "Scenario", "Sweep",
        "Verification",
        argumentParser,
      ],
      swiftSettings: strict),
    .target(
      name: "TestSupport",
      dependencies: ["Quantity", "Files", "SimulationKernel", "Network", "Metrics", "Meeting", "Scenario"],
      path: "Tests/TestSupport", swiftSettings: strict),
    tests("Quantity", ["Quantity"]),
    tests("Parameters", ["Quantity", "Parameters"]),
    tests("Files", ["Files", "Statistics", "Metrics"]),
    tests("Statistics", ["Quantity", "Statistics"]),
    tests("SimulationKernel", ["Quantity", "Statistics", "SimulationKernel"]),
    tests("Network", ["Quantity", "Parameters", "Statistics", "SimulationKernel", "Network"]),
    tests("CongestionControl", ["Quantity", "Statistics", "CongestionControl"]),
    tests("Transport", ["Quantity", "Transport"]),
    tests("ResultReading", ["Files", "Statistics", "Metrics", "ResultReading"]),
    tests("Comparison", ["Statistics", "Metrics", "ResultReading", "Comparison"]),
    tests("CrossTraffic", ["Quantity", "CrossTraffic"]),
    tests("Verification", ["Verification"]),
    tests("Media", ["Quantity", "Statistics", "Ladder", "Media"]),
    tests("Layout", ["Layout"]),
    tests("Allocation", ["Quantity", "Ladder", "Allocation"]),
    tests(
      "Meeting",
      ["Quantity", "Parameters", "Ladder", "CongestionControl", "Network", "Metrics", "Meeting", "Scenario"]),
    tests(
      "Scenario",
      [
        "Quantity", "Parameters", "Files", "Statistics", "Ladder", "CongestionControl", "Network", "Metrics",
        "Meeting",
        "Scenario",
      ],
      exclude: ["Broken"]),
    tests("Sweep", ["Files", "Scenario", "Sweep"]),
    tests("Expectations", ["Statistics", "Metrics", "ResultReading", "Meeting", "Expectations"]),
    tests("Command", ["Files", "Metrics", "meetsim"]),
    tests("Architecture"),
  ]
)

// Benchmarks cost build time: they are part of the package only when asked for.
if Context.environment["MEETSIM_BENCHMARKS"] != nil {
  package.products.append(.executable(name: "meetsim-bench", targets: ["MeetsimBenchmarks"]))
  package.targets.append(
    .executableTarget(
      name: "MeetsimBenchmarks", dependencies: ["Quantity", "Statistics", "SimulationKernel", "TestSupport"],
      path: "Tests/Benchmarks/MeetsimBenchmarks", swiftSettings: strict))
}
