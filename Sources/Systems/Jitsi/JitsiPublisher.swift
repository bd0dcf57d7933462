import Quantity

/// lib-jitsi-meet's publisher: it sends the encodings up to the tallest that any receiver may get.
///
/// The bridge tells it the maximum of the receivers' constraints, after last-N and at every change, up or down. Bandwidth
/// does not count: a starved receiver keeps the top encoding running.
package struct JitsiPublisher: Publisher, Hashable {
  package init() {}

  package var pauseRule: EncodingPauseRule? { EncodingPauseRule(delay: .zero, start: .zero) }
}
