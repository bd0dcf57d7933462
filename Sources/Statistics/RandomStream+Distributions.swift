private import CGSL

/// Variates by inversion with GSL's quantile functions: exactly one draw each.
extension RandomStream {
  /// Draws an exponentially distributed number with this mean.
  package mutating func exponential(mean: Double) -> Double {
    gsl_cdf_exponential_Pinv(uniformOpen(), mean)
  }

  /// Draws a normally distributed number with this mean and standard deviation.
  package mutating func normal(mean: Double, sd: Double) -> Double {
    mean + gsl_cdf_gaussian_Pinv(uniformOpen(), sd)
  }

  /// Draws a Laplace-distributed number around zero; `scale` is the mean absolute deviation.
  package mutating func laplace(scale: Double) -> Double {
    gsl_cdf_laplace_Pinv(uniformOpen(), scale)
  }
}
