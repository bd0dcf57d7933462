import Glibc

/// `meetsim-bench fwd SECONDS`, `meetsim-bench hold PENDING OPERATIONS [ties]`, `meetsim-bench table [FOLDER]`,
/// `meetsim-bench decide [POLICY]…`: benchmarks, all in CPU time. FOLDER holds the built C++ references `hold` and
/// `forward`.
@main
enum MeetsimBenchmarks {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "fwd":
      print(Forward.line(seconds: arguments.dropFirst().first.flatMap(Double.init) ?? 60))
    case "hold":
      let figures = arguments.dropFirst().compactMap(Int.init)
      let pending = figures.first ?? 100
      let operations = figures.dropFirst().first ?? 10_000_000
      let time = Hold.nanoseconds(
        pending: pending, operations: operations, ties: arguments.last == "ties")
      print("meetsim N=\(pending): \(time) ns/hold")
    case "table":
      print(try BenchmarkTable(reference: arguments.dropFirst().first).markdown())
    case "decide":
      print(try Decisions.markdown(of: Array(arguments.dropFirst())))
    default:
      print(
        "usage: meetsim-bench fwd SECONDS | hold PENDING OPERATIONS [ties] | table [FOLDER] | decide [POLICY]…"
      )
      exit(2)
    }
  }
}
