package import Quantity

/// Rules for an SFU's key frame requests to publishers.
package struct KeyFrameRequestRule: Hashable, Sendable {
  /// Minimum times between two requests for an encoding, from the lowest up; the last applies to all above. Empty for
  /// ``RateParameters/keyFrameSpacing``.
  package var spacings: [SimDuration] = []
  /// Larger minimum time for encodings above a number of lines; `nil` for no difference.
  package var tall: Tall?
  /// Set if the spacing counts from the last request for any encoding of the source.
  package var isBySource = false
  /// Margin that, added to the round trip to the publisher, may shorten the spacing; `nil` for no shortening.
  package var roundTripMargin: SimDuration?
  /// Limit on requests on behalf of one viewer; `nil` for no limit.
  package var viewerLimit: ViewerLimit?
  /// Treatment of a request that comes too soon.
  package var early = Early.deferredUnlessAnswered
  /// Time after which a key frame that has not arrived is requested again; `nil` for the spacing.
  package var retry: SimDuration?
  package var repetition = Repetition.whileAwaited

  package init() {}

  /// Returns the minimum time between two requests for an encoding.
  ///
  /// - Parameter spacing: default for systems without a rule of their own.
  package func spacing(of encoding: Int, lines: Int, otherwise spacing: SimDuration) -> SimDuration {
    let own = encoding < spacings.count ? spacings[encoding] : spacings.last ?? spacing
    guard let tall, lines > tall.lines else { return own }
    return max(own, tall.spacing)
  }

  /// Repetition of unanswered requests.
  package enum Repetition: Hashable, Sendable {
    /// Repeated while a track waits for the key frame.
    case whileAwaited
    /// Repeated while a track of which nothing is forwarded waits for the key frame.
    case whileBlank
    /// Repeated while a track waits for the key frame and packets of an encoding closer to it than the forwarded one
    /// arrive; if no packets of the source arrive at all, the key frame is not requested in the first place.
    case whileArriving
    /// Repeated once, and no other request is sent until the key frame has arrived or has failed to arrive after the
    /// repetition too; a request made in the meantime renews the repetition.
    case pending
  }

  package enum Early: Hashable, Sendable {
    case dropped
    /// Sent once it is due.
    case deferred
    /// Sent once it is due unless a key frame arrives first, since the viewer repeats its request only after seconds
    /// [our model].
    case deferredUnlessAnswered
  }

  package struct Tall: Hashable, Sendable {
    package var lines: Int
    package var spacing: SimDuration

    package init(above lines: Int, spacing: SimDuration) {
      self.lines = lines
      self.spacing = spacing
    }
  }

  package struct ViewerLimit: Hashable, Sendable {
    /// Number of requests, at most ``most``.
    package var count: Int
    /// Period in which the requests count.
    package var window: SimDuration

    package static let most = 8

    package init(count: Int, window: SimDuration) {
      self.count = count
      self.window = window
    }
  }
}
