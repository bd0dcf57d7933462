private import CGSL

/// GSL's own Mersenne twister and distributions, the reference for tests of ``RandomStream``.
package final class ReferenceGenerator {
  private let generator: UnsafeMutablePointer<gsl_rng>

  /// - Precondition: GSL can allocate the generator.
  package init(seed: UInt) {
    guard GSLErrors.areReturned, let made = gsl_rng_alloc(cgsl_mt19937()) else {
      preconditionFailure("GSL has no memory for a generator")
    }
    generator = made
    gsl_rng_set(generator, seed)
  }

  deinit { gsl_rng_free(generator) }

  package func next() -> UInt { gsl_rng_get(generator) }

  package func exponential(mean: Double) -> Double { gsl_ran_exponential(generator, mean) }

  package func normal(mean: Double, sd: Double) -> Double { mean + gsl_ran_gaussian(generator, sd) }
}
