package import Quantity

/// Fitting of a ladder to a capture format.
extension Ladder {
  /// Fits the ladder to a source's capture format.
  ///
  /// Encodings run at no more than the capture's frame rate and take the sizes of ``sizes(carrying:)``. The bit rate of
  /// an encoding that is smaller than the ladder specifies is interpolated by pixels between that of the encoding below
  /// and its own, as libwebrtc interpolates its table (`video/config/simulcast.cc`). Vendors document only 16:9 sizes
  /// at 7.5, 15 and 30 fps; everything in between is our model.
  package func fitted(to capture: VideoFormat) -> Ladder {
    let slower = encodings.map { $0.limited(to: capture.milliFramesPerSecond) }
    var fitted: [Encoding] = []
    for (index, size) in sizes(carrying: capture.resolution).enumerated() {
      guard let size else { break }
      var encoding = slower[index]
      let planned = capture.resolution.fitted(into: encoding.format.resolution)
      if size.pixels < planned.pixels {
        encoding.shrink(to: size, from: planned, above: fitted.last)
      }
      encoding.format.resolution = size
      fitted.append(encoding)
    }
    var ladder = self
    ladder.encodings = fitted
    return ladder
  }

  /// Returns the sizes at which the encodings send frames of a given size.
  ///
  /// Each encoding uses the largest even size of the frame's aspect ratio within its own size, in the frame's
  /// orientation, and never upscales; encodings above the first that sends the frame unscaled would duplicate it and
  /// stay off. Our model, after libwebrtc's `VideoStreamEncoder`, which only downscales.
  ///
  /// - Parameter frame: size of a captured or pushed frame, above zero.
  /// - Returns: a size per encoding; `nil` for one that stays off.
  package func sizes(carrying frame: Resolution) -> [Resolution?] {
    var isWhole = false
    return encodings.map { encoding in
      guard !isWhole else { return nil }
      let box = encoding.format.resolution
      isWhole = frame.fits(in: box)
      return isWhole ? frame : frame.fitted(into: box)
    }
  }
}

extension Ladder {
  /// Returns the layers that carry frames of a given size; for `nil`, all layers at the encodings' own sizes.
  ///
  /// - Parameter off: encodings that are off.
  package func layers(carrying frame: Resolution?, without off: EncodingSet = []) -> [Layer] {
    let layers = off.isEmpty ? layers : layers.filter { !off.contains($0.id.encoding) }
    guard let frame else { return layers }
    let sizes = sizes(carrying: frame)
    return layers.compactMap { layer in
      guard let size = sizes[layer.id.encoding] else { return nil }
      var layer = layer
      layer.format.resolution = size
      return layer
    }
  }
}

extension Encoding {
  /// Returns the encoding limited to a frame rate [1/1000 Hz], with all its temporal layers. Bit rates are kept if the
  /// sender's limits are known; otherwise they follow the frame rate as in ``Ladder/fitted(to:)``.
  package func slowed(to limit: Int) -> Encoding {
    guard format.milliFramesPerSecond > limit else { return self }
    var slower = self
    slower.format.milliFramesPerSecond = limit
    if layerRates != nil {
      slower.layerRates = slower.cumulativeBitrates.indices.map { limit >> (temporalLayers - 1 - $0) }
    }
    guard !hasLimits else { return slower }
    slower.cumulativeBitrates = cumulativeBitrates.indices.map {
      bitrate(atMilliFramesPerSecond: limit >> (temporalLayers - 1 - $0))
    }
    return slower
  }

  /// Returns the encoding at another frame size: libwebrtc's rates for the old size become those for the new one
  /// (`video/config/simulcast.cc`), an app's rates are kept, and documented rates fall with the pixels [our model].
  package func resized(to size: Resolution) -> Encoding {
    guard size != format.resolution else { return self }
    var resized = self
    resized.format.resolution = size
    let share = Double(size.pixels) / Double(format.resolution.pixels)
    guard hasLimits else {
      if share < 1 { resized.cumulativeBitrates = cumulativeBitrates.map { $0.scaled(by: share) } }
      return resized
    }
    let usual = LibwebrtcSimulcast.rates(of: format.resolution)
    guard maximum == usual.maximum, bitrate == usual.target else { return resized }
    let rates = LibwebrtcSimulcast.rates(of: size)
    resized.maximum = rates.maximum
    if minimum == usual.minimum { resized.minimum = rates.minimum }
    let change = Double(rates.target.bitsPerSecond) / Double(usual.target.bitsPerSecond)
    resized.cumulativeBitrates = cumulativeBitrates.map { $0.scaled(by: change) }
    return resized
  }

  /// Caps the bit rate.
  package mutating func limit(to most: BitRate) {
    if bitrate > most {
      let share = Double(most.bitsPerSecond) / Double(bitrate.bitsPerSecond)
      cumulativeBitrates = cumulativeBitrates.map { $0.scaled(by: share) }
    }
    minimum = minimum.map { min($0, most) }
    maximum = maximum.map { min($0, most) }
  }

  /// Raises the bit rate to a new, higher maximum.
  package mutating func raise(to most: BitRate) {
    let share = Double(most.bitsPerSecond) / Double(max(bitrate.bitsPerSecond, 1))
    cumulativeBitrates = cumulativeBitrates.map { $0.scaled(by: share) }
    maximum = most
  }

  /// Limits the encoding to a frame rate [1/1000 Hz]: drops the temporal layers that would exceed it, and lowers the
  /// frame rate if the limit lies between two layers.
  fileprivate func limited(to limit: Int) -> Encoding {
    var slower = self
    while slower.temporalLayers > 1, slower.format.milliFramesPerSecond >= 2 * limit {
      slower.cumulativeBitrates.removeLast()
      slower.format.milliFramesPerSecond /= 2
    }
    guard slower.format.milliFramesPerSecond > limit else { return slower }
    let full = slower
    slower.format.milliFramesPerSecond = limit
    slower.cumulativeBitrates = full.cumulativeBitrates.indices.map {
      full.bitrate(atMilliFramesPerSecond: slower.milliFramesPerSecond(upTo: $0))
    }
    return slower
  }

  /// Returns the bit rate at a frame rate: linear between the temporal layers' rates, proportional below the base
  /// layer's, and the full rate above the top layer's.
  fileprivate func bitrate(atMilliFramesPerSecond rate: Int) -> BitRate {
    var lower = (frames: 0, bits: 0.0)
    for layer in cumulativeBitrates.indices {
      let frames = milliFramesPerSecond(upTo: layer)
      let bits = Double(cumulativeBitrates[layer].bitsPerSecond)
      if rate <= frames {
        let share = Double(rate - lower.frames) / Double(frames - lower.frames)
        return BitRate(bitsPerSecond: Int64((lower.bits + (bits - lower.bits) * share).rounded()))
      }
      lower = (frames, bits)
    }
    return bitrate
  }

  /// Lowers the bit rates for a picture smaller than planned, interpolating by pixels from the rates of the encoding
  /// below, or from zero.
  fileprivate mutating func shrink(to size: Resolution, from planned: Resolution, above lower: Encoding?) {
    let floor = lower?.format.resolution.pixels ?? 0
    let share = Double(size.pixels - floor) / Double(max(planned.pixels - floor, 1))
    for layer in cumulativeBitrates.indices {
      let below =
        lower?.bitrate(atMilliFramesPerSecond: milliFramesPerSecond(upTo: layer)) ?? .zero
      cumulativeBitrates[layer] = below + (cumulativeBitrates[layer] - below).scaled(by: share)
    }
  }
}

extension Resolution {
  /// Returns the size divided by a factor, even and at least 2x2.
  package func divided(by factor: Double) -> Resolution {
    Resolution(
      width: max(2, Int(Double(width) / factor) / 2 * 2), height: max(2, Int(Double(height) / factor) / 2 * 2)
    )
  }

  /// Returns the largest even size of this aspect ratio whose shorter side is within a limit [px].
  package func limited(toLines limit: Int) -> Resolution {
    guard lines > limit else { return self }
    return isPortrait
      ? Resolution(width: max(2, limit / 2 * 2), height: max(2, height * limit / width / 2 * 2))
      : Resolution(width: max(2, width * limit / height / 2 * 2), height: max(2, limit / 2 * 2))
  }

  /// Returns the largest even size of this aspect ratio that fits another size, which is rotated to this orientation
  /// first; rounded down, and at least 2x2.
  func fitted(into size: Resolution) -> Resolution {
    let box = size.turned(like: self)
    // The width is the limiting side; compared in integers.
    let isWide = width * box.height >= height * box.width
    let fittedWidth = isWide ? box.width : width * box.height / height
    let fittedHeight = isWide ? height * box.width / width : box.height
    return Resolution(width: max(2, fittedWidth / 2 * 2), height: max(2, fittedHeight / 2 * 2))
  }
}
