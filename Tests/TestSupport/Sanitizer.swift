#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Detection of sanitizers, which need extra memory and time, intercept signals, and rule out limits on address space
/// and file size: tests of these are skipped under one.
package enum Sanitizer {
  package static let reason = "sanitizers need memory, time and signals of their own"
  package static let isOn = ["__asan_init", "__tsan_init"].contains { (name: String) in
    dlsym(nil, name) != nil
  }
}
