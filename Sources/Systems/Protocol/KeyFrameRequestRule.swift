package import Quantity

/// When an SFU asks publishers for key frames.
package struct KeyFrameRequestRule: Hashable, Sendable {
  /// Least time between two requests for an encoding, from the lowest encoding up, the last for all above; empty for
  /// ``RateParameters/keyFrameSpacing``.
  package var spacings: [SimDuration] = []
  /// The same for encodings of more than so many lines; `nil` for no difference.
  package var tall: Tall?
  /// Whether the spacing counts from the last request for any encoding of the source.
  package var isBySource = false
  /// Shortens the spacing to the round trip to the publisher and this much; `nil` for not at all.
  package var roundTripMargin: SimDuration?
  /// Most requests on behalf of one viewer; `nil` for any number.
  package var viewerLimit: ViewerLimit?
  /// What becomes of a request that comes too early.
  package var early = Early.deferredUnlessAnswered
  /// When a key frame that has not come is asked for again; `nil` for the spacing.
  package var retry: SimDuration?
  package var repetition = Repetition.whileAwaited

  package init() {}

  /// Least time between two requests for an encoding.
  ///
  /// - Parameter spacing: that of systems without a rule of their own.
  package func spacing(of encoding: Int, lines: Int, otherwise spacing: SimDuration) -> SimDuration {
    let own = encoding < spacings.count ? spacings[encoding] : spacings.last ?? spacing
    guard let tall, lines > tall.lines else { return own }
    return max(own, tall.spacing)
  }

  /// How long a key frame goes on being asked for.
  package enum Repetition: Hashable, Sendable {
    /// While a track waits for it.
    case whileAwaited
    /// While a track waits for it of which nothing is forwarded.
    case whileBlank
    /// While a track waits for it and packets come of an encoding that is nearer to it than what is forwarded; where none
    /// come of the source at all, it is not asked for to begin with.
    case whileArriving
    /// Once, and nothing else is sent until the key frame has come or has not come to that either; a request that comes
    /// meanwhile renews the repetition.
    case pending
  }

  package enum Early: Hashable, Sendable {
    case dropped
    /// It is sent when its time has come.
    case deferred
    /// The same unless a key frame comes before, since the viewer asks again after seconds only [our model].
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
    /// At most ``most``.
    package var count: Int
    /// The time in which they count.
    package var window: SimDuration

    package static let most = 8

    package init(count: Int, window: SimDuration) {
      self.count = count
      self.window = window
    }
  }
}
