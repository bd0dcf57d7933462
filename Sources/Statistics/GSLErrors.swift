private import CGSL

/// GSL's default error handler ends the process; every wrapper here checks its domain itself instead.
enum GSLErrors {
  /// Touching this turns the handler off, once per process.
  static let areReturned: Bool = {
    gsl_set_error_handler_off()
    return true
  }()
}
