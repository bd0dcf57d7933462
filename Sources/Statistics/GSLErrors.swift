private import CGSL

/// GSL's default error handler aborts the process; it is turned off, and every wrapper here checks its own domain.
enum GSLErrors {
  /// Always `true`; the first access turns the handler off, once per process.
  static let areReturned: Bool = {
    gsl_set_error_handler_off()
    return true
  }()
}
