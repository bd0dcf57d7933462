#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whether the tests run under a sanitizer, which needs memory and time of its own, takes signals, and forbids limits of
/// address space and of files: tests of these are skipped there.
package enum Sanitizer {
  package static let reason = "sanitizers need memory, time and signals of their own"
  package static let isOn = ["__asan_init", "__tsan_init"].contains { (name: String) in
    dlsym(nil, name) != nil
  }
}
