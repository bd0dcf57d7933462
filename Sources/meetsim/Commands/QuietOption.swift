import ArgumentParser

/// The option `--quiet` of commands whose results are all on standard output.
struct QuietOption: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Prints no warnings, remarks or progress.")
  var quiet = false

  func validate() {
    if quiet { Terminal.silence() }
  }
}
