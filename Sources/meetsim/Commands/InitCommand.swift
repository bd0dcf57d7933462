import ArgumentParser
import Files

/// Writes a commented scenario to start from.
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Writes a commented scenario to start from; without a template, lists them.",
    discussion: """
      A scenario of one's own needs no more than participants; 'meetsim list keys' has what else it can say:

        participants:
          - id: teacher
            publish: {camera: 720p30}
            view: {everybody: 320x180}
          - id: student
            count: 5
            down: home
            publish: {camera: 360p30}
            view: {stage: teacher, everybody: 160x90}
        links:
          home: {capacity: 2 Mbps, delay: 30 ms, loss: 1 %}

      EXAMPLES
        meetsim init
        meetsim init classroom
        meetsim init pair -o my-call.yaml
      """)

  @Argument(help: "The template: pair, classroom, gallery, webinar or screen-share.")
  var template: ScenarioTemplate?

  @Option(
    name: .shortAndLong,
    help: "File to write, in a directory that is made if necessary; by default TEMPLATE.yaml.")
  var output: String?

  @Flag(help: "Replaces an existing file.")
  var force = false

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    try Output.checkName(output)
    if template == nil, output != nil || force {
      throw ValidationError("name a template: \(ScenarioTemplate.names)")
    }
  }

  func run() throws {
    guard let template else {
      let width = ScenarioTemplate.allCases.map(\.rawValue.count).max() ?? 0
      for template in ScenarioTemplate.allCases {
        let space = String(repeating: " ", count: width - template.rawValue.count)
        Terminal.line("\(template.rawValue)\(space)  \(template.title)")
      }
      return
    }
    let path = output ?? "\(template.rawValue).yaml"
    guard try NewScenarioFile.write(template.text, to: path, force: force) else { return }
    Terminal.line("\(path): written; run it with 'meetsim run \(path) -o out'")
  }
}

/// A scenario file written for people to edit.
enum NewScenarioFile {
  /// Writes a file, in a new directory if there is none, but replaces an existing one only if forced, so that no edited
  /// scenario is lost. Prints the error and exits with 2 in that case, as for unsuitable names.
  ///
  /// - Returns: `true` for a regular file, `false` for a pipe or a device.
  static func write(_ text: String, to path: String, force: Bool) throws(ExitCode) -> Bool {
    let place: OutputPlace
    do throws(FileError) {
      place = try OutputPlace(path)
    } catch {
      throw Output.exitCode(after: error)
    }
    var isFile = false
    if case .file(let file, let permissions) = place {
      isFile = true
      guard force || permissions == nil else {
        Terminal.error(
          "error: cannot write to '\(path)': it exists; use --force to replace it, or -o for another name")
        throw ExitCode(2)
      }
      do throws(FileError) {
        try Directory.makeParent(of: file)
      } catch {
        throw Output.exitCode(after: error)
      }
    }
    try Output.write(text, to: path)
    return isFile
  }
}
