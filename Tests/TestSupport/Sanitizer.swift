#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whether the tests run under a sanitizer, which needs memory of its own, takes signals for itself, and forbids limits of
/// address space: tests of these are skipped there.
package enum Sanitizer {
  package static let reason = "sanitizers need memory and signals of their own"
  package static let isOn = ["__asan_init", "__tsan_init"].contains { (name: String) in
    dlsym(nil, name) != nil
  }
}
