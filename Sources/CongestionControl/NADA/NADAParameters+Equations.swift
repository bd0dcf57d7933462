package import Quantity

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Equations of RFC 8698 sections 4.2 and 4.3. Signals are in milliseconds, rates in bits per second.
extension NADAParameters {
  /// Computes equation 1: non-linear warping of the queuing delay, which lets losses dominate when competing with
  /// loss-based flows.
  package func warped(_ queuing: SimDuration) -> Double {
    guard queuing >= warpThreshold else { return queuing.milliseconds }
    let threshold = warpThreshold.milliseconds
    return threshold * exp(-warpExponent * (queuing.milliseconds - threshold) / threshold)
  }

  /// Computes the warped queuing delay, `packets` after a loss with mean loss interval `interval`: warped for
  /// MULTILOSS intervals. Fading to the plain delay over one more interval is from the authors' ns3-rmcat.
  package func warped(_ queuing: SimDuration, packetsSinceLoss packets: Double, interval: Double) -> Double {
    let share = interval > 0 ? packets / interval - lossMemory : 1
    if share < 0 { return warped(queuing) }
    guard share < 1 else { return queuing.milliseconds }
    return share * queuing.milliseconds + (1 - share) * warped(queuing)
  }

  /// Computes equation 2 without ECN, which is not modelled.
  package func signal(delay: Double, loss: Double) -> Double {
    let ratio = loss / referenceLoss
    return min(delay + lossPenalty.milliseconds * ratio * ratio, maximumSignal.milliseconds)
  }

  /// Computes equation 3: relative increase of a ramp-up step over the receiving rate.
  package func rampUp(roundTrip: SimDuration) -> Double {
    let horizon = roundTrip + updateInterval + filterDelay
    return min(maximumRampUp, rampUpQueueBound.milliseconds / horizon.milliseconds)
  }

  /// Computes equations 5 to 7: the rate after a gradual update.
  ///
  /// - Parameters:
  ///   - signal: x_curr [ms].
  ///   - previous: x_prev [ms].
  ///   - maximum: RMAX [bit/s].
  ///   - interval: delta, time since the last update.
  package func gradual(
    from rate: Double, signal: Double, previous: Double, maximum: Double, interval: SimDuration
  ) -> Double {
    let horizon = horizon.milliseconds
    let offset = signal - priority * referenceSignal.milliseconds * maximum / rate
    let drift = interval.milliseconds / horizon * offset / horizon
    let change = changeWeight * (signal - previous) / horizon
    return rate - gain * (drift + change) * rate
  }
}
