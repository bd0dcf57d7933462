import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Independent runs in parallel.
package enum ParallelRuns {
  /// Stack size of a thread [byte]: that of a main thread, which on some systems exceeds other threads' default.
  private static let stackSize = 8 << 20

  private final class Work<Value: Sendable>: Sendable {
    let next = Atomic<Int>(0)
    let results: Mutex<[Value?]>
    init(count: Int) { results = Mutex(Array(repeating: nil, count: count)) }
  }

  /// Body of a thread.
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }

    /// Runs the body handed to a new thread.
    static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
      return nil
    }
  }

  /// Number of processors.
  package static let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// Maps each input, such as a seed, to a value; returns the values in the order of the inputs.
  ///
  /// - Parameter jobs: maximum number of runs at a time.
  package static func map<Input: Sendable, Value: Sendable>(
    _ inputs: [Input], jobs: Int = processors, _ function: @escaping @Sendable (Input) -> Value
  ) -> [Value] {
    let work = Work<Value>(count: inputs.count)
    let body = Body {
      while true {
        let place = work.next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard place < inputs.count else { return }
        let value = function(inputs[place])
        work.results.withLock { $0[place] = value }
      }
    }
    let count = min(jobs, inputs.count)
    var threads: [pthread_t] = []
    for _ in 1..<max(2, count) where count > 1 {
      if let thread = start(body) { threads.append(thread) }
    }
    body.run()
    for thread in threads { pthread_join(thread, nil) }
    return work.results.withLock { $0.compactMap(\.self) }
  }

  /// Starts a thread; `nil` if the system has none left.
  private static func start(_ body: Body) -> pthread_t? {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackSize)
    let argument = Unmanaged.passRetained(body)
    #if canImport(Glibc)
      var thread = pthread_t()
      let code = pthread_create(&thread, &attributes, { Body.run($0) }, argument.toOpaque())
    #else
      var thread: pthread_t?
      let code = pthread_create(&thread, &attributes, { Body.run($0) }, argument.toOpaque())
    #endif
    guard code == 0 else {
      argument.release()
      return nil
    }
    return thread
  }
}
