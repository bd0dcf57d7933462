import Files
import Metrics

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A worker as seen by the sweep: a child process with a pipe in each direction.
final class WorkerProcess {
  private let process: pid_t
  private let input: Int32
  let output: Int32
  private var buffer: [UInt8] = []
  /// Run and deadline of the current task.
  private(set) var task: (run: Int, deadline: ContinuousClock.Instant)?

  /// Starts a program with arguments.
  init(_ command: [String]) throws(ResultError) {
    var toChild: [Int32] = [-1, -1]
    var toParent: [Int32] = [-1, -1]
    guard pipe(&toChild) == 0 else { throw ResultError(FileError(action: "start a worker")) }
    guard pipe(&toParent) == 0 else {
      let error = ResultError(FileError(action: "start a worker"))
      toChild.forEach { close($0) }
      throw error
    }
    for file in toChild + toParent { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, toParent[1], STDOUT_FILENO)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // A signal must not end a worker before it can ignore it.
    #if canImport(Glibc)
      var attributes = posix_spawnattr_t()
    #else
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var blocked = StopSignals.set
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let problem = posix_spawn(&process, command[0], &actions, &attributes, &arguments, environ)
    close(toChild[0])
    close(toParent[1])
    guard problem == 0 else {
      close(toChild[1])
      close(toParent[0])
      throw ResultError(action: "start a worker", cause: String(cString: strerror(problem)).lowercased())
    }
    self.process = process
    input = toChild[1]
    output = toParent[0]
  }

  /// Sends a task; returns `false` if the process is gone.
  ///
  /// - Throws: a ``ResultError`` for a task that cannot be encoded.
  func begin(_ task: WorkerTask, run: Int, deadline: ContinuousClock.Instant) throws(ResultError) -> Bool {
    let fields = try task.fields()
    self.task = (run, deadline)
    return Frames.send(fields, to: input)
  }

  /// Waits for output; returns `true` if there is any.
  func isReady(within time: Duration) -> Bool {
    var file = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    return poll(&file, 1, Int32(time / Duration.milliseconds(1))) > 0
  }

  /// Reads the available output: an answer, the end of the stream, or both.
  func receive() -> (answer: [String]?, isOver: Bool) {
    let isOpen = Frames.receive(from: output, into: &buffer)
    let answer = Frames.next(in: &buffer)
    if answer != nil { task = nil }
    return (answer, !isOpen)
  }

  /// Waits for the process to end, optionally killing it; returns the signal that terminated it, or 0.
  @discardableResult
  func end(killing: Bool) -> Int32 {
    if killing { kill(process, SIGKILL) }
    close(input)
    close(output)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7f
  }
}
