import Allocation
import Ladder
import Quantity
import Testing

@Suite("Limitations of decided tiles")
struct GrantedTileTests {
  /// 180p15, 180p30, 360p30 and 720p30.
  private static let ladder = [
    layer(0, 0, 320, 180, 15, 60), layer(0, 1, 320, 180, 30, 100), layer(1, 0, 640, 360, 30, 500),
    layer(2, 0, 1280, 720, 30, 1500),
  ]

  private static func layer(
    _ encoding: Int, _ temporal: Int, _ width: Int, _ height: Int, _ rate: Int, _ kilobits: Int64
  ) -> Layer {
    Layer(
      id: LayerID(encoding: encoding, temporal: temporal),
      format: VideoFormat(Resolution(width: width, height: height), framesPerSecond: rate),
      bitrate: .kilobits(kilobits))
  }

  /// - Parameters:
  ///   - layers: how many of the ladder's layers the source sends.
  ///   - given: index in the ladder; `nil` for nothing.
  private func limitation(
    asked: Int, sends layers: Int = 4, given: Int?, desire: Int?, _ word: Limitation,
    hasIdleCap: Bool = false, isSentToOrder: Bool = false,
    _ change: (inout GrantedTile.Circumstances) -> Void = { _ in }
  ) -> Limitation {
    let format = VideoFormat(Resolution(width: asked * 16 / 9, height: asked), framesPerSecond: 30)
    let wish = Subscription(
      source: 0, requested: format, offers: Array(Self.ladder.prefix(layers)), ladder: Self.ladder)
    let grant = Grant(source: 0, layer: given.map { Self.ladder[$0] }, limitation: word)
    var tile = GrantedTile(wish, grant, desire: desire.map { Self.ladder[$0] })
    tile.hasIdleCap = hasIdleCap
    tile.isSentToOrder = isSentToOrder
    change(&tile.circumstances)
    return tile.limitation
  }

  /// For a tile of 450 lines the rule takes the next larger picture, 720 lines: while that is off, the uplink is the
  /// limit.
  @Test func anEncodingThatIsOffIsTheUplinks() {
    #expect(limitation(asked: 450, sends: 3, given: 2, desire: 3, .layerMissing) == .senderUplink)
    #expect(limitation(asked: 450, sends: 3, given: 2, desire: 2, .layerMissing) == .layerMissing)
    #expect(limitation(asked: 720, sends: 0, given: nil, desire: 3, .layerMissing) == .senderUplink)
    let starting = limitation(asked: 450, sends: 3, given: 2, desire: 3, .layerMissing) {
      $0.isSourceStarting = true
    }
    #expect(starting == .starting)
  }

  /// The budget denies 720p, but what interrupts the tile is the key frame of 360p; it is the budget again if the downlink
  /// loses that, or once the picture is there.
  @Test func aTileThatIsInterruptedWaitsForItsKeyFrame() {
    func word(_ change: (inout GrantedTile.Circumstances) -> Void) -> Limitation {
      limitation(asked: 720, given: 2, desire: 3, .bandwidth, change)
    }
    #expect(word { ($0.isInterrupted, $0.isSwitching) = (true, true) } == .switching)
    let isLost = word { ($0.isInterrupted, $0.isSwitching, $0.losing) = (true, true, .bandwidth) }
    #expect(isLost == .bandwidth)
    #expect(word { $0.isSwitching = true } == .bandwidth)
    let isGivenNothing = limitation(asked: 720, given: nil, desire: 3, .bandwidth) { $0.isInterrupted = true }
    #expect(isGivenNothing == .bandwidth)
  }

  /// A fallback that only waits for its recovery time is no lack of bandwidth.
  @Test func aFallbackThatOnlyWaitsHolds() {
    #expect(limitation(asked: 720, given: nil, desire: 3, .bandwidth) { $0.isRecovering = true } == .hold)
    #expect(
      limitation(asked: 720, given: nil, desire: 3, .requestCap) { $0.isRecovering = true } == .requestCap)
  }

  /// The uplink does not carry the 720p that was asked for, but what is given is lost on the downlink: most of it is the
  /// uplink's all the same, all of it is not.
  @Test func aDownlinkThatLosesAllIsToBlame() {
    func word(isLosingAll: Bool) -> Limitation {
      limitation(asked: 720, sends: 3, given: 2, desire: 3, .layerMissing) {
        ($0.losing, $0.isDesireCutOff, $0.isLosingAll) = (.bandwidth, true, isLosingAll)
      }
    }
    #expect(word(isLosingAll: false) == .senderUplink && word(isLosingAll: true) == .bandwidth)
  }

  /// A server that sees only packets grants 720p although it is off, whatever arrives in its place.
  @Test func whatIsGivenAndOffIsTheUplinks() {
    let switching: (inout GrantedTile.Circumstances) -> Void = { $0.isSwitching = true }
    #expect(limitation(asked: 720, sends: 3, given: 3, desire: 3, .senderUplink, switching) == .senderUplink)
    #expect(limitation(asked: 720, given: 3, desire: 3, .senderUplink, switching) == .switching)
    let starting = limitation(asked: 720, sends: 3, given: 3, desire: 3, .senderUplink) {
      $0.isSourceStarting = true
    }
    #expect(starting == .starting)
  }

  /// 720p is paused at the sender while nobody requests it: it is still offered, and comes on request.
  @Test func anEncodingThatIsOfferedAndNotThereYetIsASwitch() {
    #expect(limitation(asked: 720, given: 1, desire: 3, .layerMissing) == .switching)
  }

  /// The uplink has cut 720p off, or has only just brought it back.
  @Test func anEncodingThatTheUplinkHasCutOffIsNotASwitch() {
    for given in [1, nil] {
      let word = limitation(asked: 720, given: given, desire: 3, .layerMissing) { $0.isDesireCutOff = true }
      #expect(word == .senderUplink)
    }
    #expect(limitation(asked: 720, given: 3, desire: 3, .none) { $0.isDesireCutOff = true } == .none)
    #expect(
      limitation(asked: 720, given: 1, desire: 3, .bandwidth) { $0.isDesireCutOff = true } == .bandwidth)
  }

  /// If most of 360p is lost, the loss is the limitation, whatever else denies 720p.
  @Test func whatALinkLosesComesBeforeWhatIsNotGiven() {
    for word in [Limitation.requestCap, .layerMissing, .hold] {
      #expect(limitation(asked: 720, given: 2, desire: 2, word) { $0.losing = .bandwidth } == .bandwidth)
      #expect(
        limitation(asked: 720, given: 2, desire: 2, word) { $0.losing = .senderUplink } == .senderUplink)
    }
  }

  /// The rule stops at 180p30 though 360p30 is within the request and sent.
  @Test func aRuleThatGivesNoMoreIsThePolicy() {
    #expect(limitation(asked: 360, given: 1, desire: 1, .layerMissing) == .policy)
    #expect(limitation(asked: 359, given: 1, desire: 1, .layerMissing) == .layerMissing)
    #expect(limitation(asked: 180, given: nil, desire: nil, .layerMissing) == .policy)
    #expect(limitation(asked: 179, given: nil, desire: nil, .layerMissing) == .layerMissing)
  }

  /// 180p30 is granted where 180p15, or any other rate, was requested.
  @Test func moreFramesThanWereAskedForAreThePolicys() {
    func word(asked rate: Int, _ change: (inout GrantedTile.Circumstances) -> Void = { _ in }) -> Limitation {
      let wish = Subscription(
        source: 0, requested: VideoFormat(.p180, framesPerSecond: rate), offers: Self.ladder,
        ladder: Self.ladder)
      var tile = GrantedTile(
        wish, Grant(source: 0, layer: Self.ladder[1], limitation: .none), desire: Self.ladder[1])
      change(&tile.circumstances)
      return tile.limitation
    }
    #expect([15, 29, 30, 0].map { word(asked: $0) } == [.policy, .policy, .none, .none])
    #expect(word(asked: 15) { $0.isSwitching = true } == .switching)
  }

  @Test func theLaddersTopIsTheSenders() {
    #expect(limitation(asked: 1080, given: 3, desire: 3, .layerMissing) == .sender)
    #expect(limitation(asked: 1080, given: 2, desire: 2, .sender) == .policy)
    #expect(limitation(asked: 1080, sends: 3, given: 2, desire: 3, .sender) == .senderUplink)
  }

  /// A limitation that the rule states itself is kept, except for a viewer whose estimate is still ramping up.
  @Test func aRulesOwnWordsStay() {
    for word in [Limitation.device, .requestCap, .hold, .muted, .offScreen] {
      #expect(limitation(asked: 720, given: 1, desire: 3, word) { $0.isViewerStarting = true } == word)
    }
    #expect(limitation(asked: 720, given: 1, desire: 3, .bandwidth) == .bandwidth)
    #expect(
      limitation(asked: 720, given: 1, desire: 3, .bandwidth) { $0.isViewerStarting = true } == .starting)
    #expect(limitation(asked: 720, given: 3, desire: 3, .none) == .none)
    #expect(limitation(asked: 720, given: 3, desire: 3, .none) { $0.isSwitching = true } == .switching)
  }

  /// A key frame that is dropped because more is granted than the link carries is limited by bandwidth.
  @Test func aKeyFrameThatDoesNotFitIsTheBandwidths() {
    let both = limitation(asked: 720, given: 3, desire: 3, .none) {
      $0.isSwitching = true
      $0.isBeyondBudget = true
    }
    #expect(both == .bandwidth)
  }

  /// A window of 640x480 leaves 360p at 20 fps of a source that has 720p at 30 fps: the sender limits neither lines nor
  /// frame rate.
  @Test func whatAWindowCutsOffIsNotTheSenders() {
    let format = VideoFormat(Resolution(width: 640, height: 480), framesPerSecond: 30)
    let layers = [Self.layer(0, 0, 640, 360, 20, 500), Self.layer(1, 0, 1280, 720, 30, 1500)]
    var wish = Subscription(source: 0, requested: format, offers: layers)
    wish.confine(to: format.resolution)
    let grant = Grant(source: 0, layer: layers[0], limitation: .layerMissing)
    #expect(GrantedTile(wish, grant, desire: layers[0]).limitation == .layerMissing)
  }

  /// 720p30 is all that the camera sends, whatever the cap; 360p30 is not all.
  @Test func aCapIsNoneOfWhoHasAllThatIsSent() {
    #expect(limitation(asked: 1080, given: 3, desire: 3, .requestCap) == .sender)
    #expect(limitation(asked: 1080, given: 2, desire: 3, .requestCap) == .requestCap)
    #expect(limitation(asked: 1080, given: 3, desire: 3, .bandwidth) == .sender)
  }

  /// A layer with the requested lines and frame rate is enough, even if the rule would have a better one.
  @Test func whatIsAsAskedLacksNothing() {
    #expect(limitation(asked: 360, given: 2, desire: 3, .bandwidth) == .none)
    #expect(limitation(asked: 361, given: 2, desire: 3, .bandwidth) == .bandwidth)
    #expect(limitation(asked: 360, given: 2, desire: 3, .hold) { $0.isBeyondBudget = true } == .bandwidth)
    #expect(limitation(asked: 360, given: 2, desire: 3, .muted) == .muted)
  }

  /// 720p30 is granted, but sent with 540 lines.
  @Test func aSmallerPictureOfTheSameEncodingHasACause() {
    let small = VideoFormat(Resolution(width: 960, height: 540), framesPerSecond: 30)
    for word in [Limitation.sender, .senderUplink, .hold, .policy] {
      #expect(
        limitation(asked: 720, given: 3, desire: 3, .none) { $0.encoded = .init(small, because: word) }
          == word)
      #expect(
        limitation(asked: 540, given: 3, desire: 3, .none) { $0.encoded = .init(small, because: word) }
          == .none)
    }
    let starting = limitation(asked: 720, given: 3, desire: 3, .none) {
      $0.encoded = .init(small, because: .senderUplink)
      $0.isSourceStarting = true
    }
    #expect(starting == .starting)
    // The smaller pictures do not arrive either, since the stream takes more than the budget.
    for (isSlow, word) in [(true, Limitation.bandwidth), (false, .senderUplink)] {
      let lost = limitation(asked: 720, given: 3, desire: 3, .none) {
        $0.encoded = .init(small, because: .senderUplink, isSlow: isSlow)
        $0.isBeyondBudget = true
        $0.isSwitching = true
      }
      #expect(lost == word)
    }
    // With the camera off, the encoder waits for nothing.
    let off = limitation(asked: 720, given: 3, desire: 3, .none) {
      $0.encoded = .init(small, because: .hold, isSlow: true)
      $0.isSourceOff = true
    }
    #expect(off == .muted)
  }

  /// If the rule denies an offered layer, the tile is not waiting for a switch.
  @Test func aRuleThatDeniesALayerIsThePolicy() {
    #expect(limitation(asked: 720, given: 2, desire: 3, .policy) == .policy)
    #expect(limitation(asked: 720, given: 2, desire: 3, .layerMissing) == .switching)
    #expect(limitation(asked: 720, sends: 3, given: 2, desire: 3, .policy) == .senderUplink)
  }

  /// A server starts with 360p at 7 fps and later grants the requested 180p30, which may or may not be sent.
  @Test(arguments: [(3, Limitation.switching), (0, .senderUplink)])
  func aHigherEncodingWithFewerFramesIsWaitedFor(sends: Int, word: Limitation) {
    let layers = [
      Self.layer(0, 0, 320, 180, 30, 150), Self.layer(1, 0, 640, 360, 7, 250),
      Self.layer(1, 1, 640, 360, 30, 500),
    ]
    let format = VideoFormat(.p180, framesPerSecond: 30)
    let offers = sends == 0 ? Array(layers.dropFirst()) : layers
    let wish = Subscription(source: 0, requested: format, offers: offers, ladder: layers)
    let grant = Grant(source: 0, layer: layers[1], limitation: .layerMissing)
    #expect(GrantedTile(wish, grant, desire: layers[0]).limitation == word)
  }

  /// With a controller that orders rates, the budget may deny no more than a higher rate of the same layer.
  @Test func moreBitsOfALayerAreNoMoreOfIt() {
    let format = VideoFormat(.p720, framesPerSecond: 30)
    func limitation(_ word: Limitation, desire: Int, isSentToOrder: Bool = true) -> Limitation {
      var wish = Subscription(source: 0, requested: format, offers: Self.ladder)
      wish.gate(at: .p360)
      let grant = Grant(source: 0, layer: Self.ladder[2], limitation: word, missing: .kilobits(200))
      return GrantedTile(
        wish, grant, desire: Self.ladder[desire], by: BoundedPolicy(), isSentToOrder: isSentToOrder
      ).limitation
    }
    for word in [Limitation.bandwidth, .hold] {
      #expect(limitation(word, desire: 2) == .requestCap)
      #expect(limitation(word, desire: 3) == word)
      #expect(limitation(word, desire: 2, isSentToOrder: false) == word)
    }
  }

  /// A rule that stops an encoding knows before the sender does: 360p is still being sent when it is withdrawn.
  @Test func aRuleThatStopsALayerIsNotWaitedFor() {
    func word(asked: Int, _ word: Limitation, isOrdered: Bool = true, isStarting: Bool = false) -> Limitation
    {
      limitation(asked: asked, sends: 3, given: 1, desire: 2, word, isSentToOrder: isOrdered) {
        $0.isSourceStarting = isStarting
      }
    }
    #expect(word(asked: 360, .senderUplink) == .senderUplink)
    #expect(word(asked: 360, .layerMissing) == .switching)
    #expect(word(asked: 360, .senderUplink, isStarting: true) == .starting)
    // The uplink keeps 720p off, but 360p has to come first.
    #expect(word(asked: 720, .senderUplink) == .switching)
    // A server that stops no encodings has yet to notice that 360p is sent.
    #expect(word(asked: 360, .senderUplink, isOrdered: false) == .switching)
  }

  /// Nothing above 180p30 is sent any more: the layer that the rule held back is off.
  @Test func aHoldIsForSomethingThatIsSent() {
    #expect(limitation(asked: 720, sends: 3, given: 1, desire: 3, .hold) == .hold)
    #expect(limitation(asked: 720, sends: 2, given: 1, desire: 3, .hold) == .senderUplink)
    // Where a controller orders what is sent, the layer is off because it was not ordered.
    #expect(limitation(asked: 720, sends: 2, given: 1, desire: 3, .hold, isSentToOrder: true) == .hold)
    #expect(limitation(asked: 720, sends: 1, given: nil, desire: 3, .hold) == .hold)
  }

  /// 360p30 for a request of 450 lines: the next layer would exceed the request, with or without a cap.
  @Test func aCapThatKeepsNothingIsNone() {
    #expect(
      limitation(asked: 450, given: 2, desire: 2, .requestCap, hasIdleCap: true) == .layerMissing)
    #expect(limitation(asked: 450, given: 2, desire: 2, .requestCap) == .requestCap)
  }

  /// 180p30 is all that the uplink carries of a camera whose 360p was requested: the cap withholds nothing that is
  /// sent.
  @Test func whatIsOffIsTheUplinksBeforeItIsACaps() {
    #expect(limitation(asked: 360, sends: 2, given: 1, desire: 1, .requestCap) == .senderUplink)
    #expect(limitation(asked: 360, sends: 3, given: 1, desire: 1, .requestCap) == .requestCap)
    #expect(
      limitation(asked: 360, sends: 2, given: 1, desire: 1, .requestCap) { $0.isSourceStarting = true }
        == .requestCap)
    // Where a controller orders what is sent, a missing layer says nothing about the uplink.
    #expect(
      limitation(asked: 360, sends: 2, given: 1, desire: 1, .requestCap, isSentToOrder: true) == .requestCap)
  }

  /// The server has yet to hear that the camera is muted.
  @Test func whatIsOffForAMuteIsMuted() {
    #expect(
      limitation(asked: 720, sends: 0, given: nil, desire: 3, .none) { $0.isSourceOff = true } == .muted)
    #expect(limitation(asked: 720, given: 2, desire: 3, .bandwidth) { $0.isSourceOff = true } == .bandwidth)
  }

  /// A phone's tile of 382x836: a picture of 640x360 is wide enough for rules that compare widths, but has only 360 of
  /// 836 lines. The camera's largest has 720 lines; 836 would be enough.
  @Test(arguments: [(2, Limitation.layerMissing), (3, .sender)])
  func aTallTileLacksHeight(given: Int, word: Limitation) {
    let format = VideoFormat(Resolution(width: 382, height: 836), framesPerSecond: 30)
    let wish = Subscription(source: 0, requested: format, offers: Self.ladder)
    let grant = Grant(source: 0, layer: Self.ladder[given], limitation: .none)
    #expect(GrantedTile(wish, grant, desire: Self.ladder[given]).limitation == word)
  }

  @Test func aTallTileIsMetByItsHeight() {
    let format = VideoFormat(Resolution(width: 382, height: 720), framesPerSecond: 30)
    let wish = Subscription(source: 0, requested: format, offers: Self.ladder)
    let grant = Grant(source: 0, layer: Self.ladder[3], limitation: .none)
    #expect(GrantedTile(wish, grant, desire: Self.ladder[3]).limitation == .none)
  }

  /// A device decodes up to 360p30. The gap of a 15 fps camera below a request for 30 fps is the sender's, and a rule
  /// that gives any device at most 360p for 450 lines leaves the gap to the ladder.
  @Test func aDeviceIsTheLimitOfWhatTheRuleWouldGiveWithoutIt() {
    func limitation(
      asked: Int, _ layers: [Layer], given: Int, wanted: Int, _ word: Limitation = .layerMissing,
      below: Int = 0
    ) -> Limitation {
      let format = VideoFormat(Resolution(width: asked * 16 / 9, height: asked), framesPerSecond: 30)
      var wish = Subscription(source: 0, requested: format, offers: layers)
      wish.confine(toDecoded: layers[given], isCut: given < wanted)
      let grant = Grant(source: 0, layer: layers[given - below], limitation: word)
      return GrantedTile(wish, grant, desire: layers[given]).limitation
    }
    #expect(limitation(asked: 720, Self.ladder, given: 2, wanted: 3) == .device)
    // At the highest layer that the device decodes, the rule's own word gives way; at a lower layer it stays.
    for word in [Limitation.requestCap, .bandwidth, .hold] {
      #expect(limitation(asked: 720, Self.ladder, given: 2, wanted: 3, word) == .device)
      #expect(limitation(asked: 720, Self.ladder, given: 2, wanted: 3, word, below: 1) == word)
    }
    #expect(limitation(asked: 450, Self.ladder, given: 2, wanted: 2) == .layerMissing)
    let slow = [Self.layer(0, 0, 320, 180, 15, 100), Self.layer(1, 0, 640, 360, 15, 500)]
    #expect(limitation(asked: 90, slow, given: 0, wanted: 1) == .sender)
  }

  /// The device could decode 360p30, but the server grants 180p30.
  @Test(
    arguments: [
      (3, true, Limitation.device), (3, false, .switching), (2, true, .senderUplink),
      (2, false, .senderUplink),
    ])
  func whatAServerChoosesForADeviceIsTheDevices(sends layers: Int, isCut: Bool, word: Limitation) {
    let format = VideoFormat(.p720, framesPerSecond: 30)
    var wish = Subscription(
      source: 0, requested: format, offers: Array(Self.ladder.prefix(layers)), ladder: Self.ladder)
    wish.confine(toDecoded: Self.ladder[2], isCut: isCut)
    let grant = Grant(source: 0, layer: Self.ladder[1], limitation: .layerMissing)
    #expect(GrantedTile(wish, grant, desire: Self.ladder[2]).limitation == word)
  }

  /// 720p30 behind a gate that admits 360p30, which takes 6.9 million px/s; 180p30 takes 1.7 million.
  @Test(
    arguments: [
      (27_648_000, 2, Limitation.requestCap), (27_647_999, 2, .device), (6_912_000, 2, .device),
      (6_911_999, 1, .device),
    ])
  func aDeviceComesBeforeAGate(pixels: Int, given: Int, word: Limitation) {
    let format = VideoFormat(.p720, framesPerSecond: 30)
    var wishes = [Subscription(source: 0, requested: format, offers: Self.ladder)]
    wishes[0].gate(at: .p360)
    BoundedPolicy().confine(&wishes, to: DecoderLimit(pixelsPerSecond: pixels))
    let grant = BoundedPolicy().allocate(budget: .unlimited, wishes: wishes)[0]
    #expect(grant.layer == Self.ladder[given])
    var tile = GrantedTile(wishes[0], grant, desire: Self.ladder[given])
    tile.hasIdleCap = !BoundedPolicy().isCapped(wishes[0], at: grant)
    #expect(tile.limitation == word)
  }

  /// 720p30 is the only layer: nothing passes the gate.
  @Test(arguments: [(27_648_000, Limitation.requestCap), (27_647_999, .device)])
  func aDeviceComesBeforeAGateThatLeavesNothing(pixels: Int, word: Limitation) {
    var wishes = [
      Subscription(source: 0, requested: VideoFormat(.p720, framesPerSecond: 30), offers: [Self.ladder[3]])
    ]
    wishes[0].gate(at: .p360)
    BoundedPolicy().confine(&wishes, to: DecoderLimit(pixelsPerSecond: pixels))
    #expect(wishes[0].absence == word)
  }

  @Test(arguments: [
    (Visibility.onScreen, Limitation.requestCap), (.offScreen, .offScreen), (.hidden, .offScreen),
  ])
  func whatIsNotOnTheScreenIsNotAGates(visibility: Visibility, word: Limitation) {
    let format = VideoFormat(.p720, framesPerSecond: 30)
    var wish = Subscription(source: 0, requested: format, offers: [Self.ladder[3]], visibility: visibility)
    wish.gate(at: .p360)
    #expect(wish.exclusion == word)
  }

  /// The best layer within a request, whatever the budget.
  private struct BoundedPolicy: AllocationPolicy {
    func allocate(
      budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin
    ) -> [Grant] {
      wishes.map { wish in
        Grant.excluded(wish)
          ?? .unhindered(tile: wish, wish.offers.last { $0.format.isWithin(wish.maximum) })
      }
    }
  }

  /// The requested size is a box, one column too narrow for 360p: the next layer does not fit it.
  @Test(arguments: [(640, Limitation.policy), (639, .layerMissing)])
  func aLayerThatIsTooWideIsMissing(width: Int, word: Limitation) {
    let format = VideoFormat(Resolution(width: width, height: 360), framesPerSecond: 30)
    let wish = Subscription(source: 0, requested: format, offers: Self.ladder)
    let grant = Grant(source: 0, layer: Self.ladder[1], limitation: .layerMissing)
    #expect(GrantedTile(wish, grant, desire: Self.ladder[1]).limitation == word)
  }

  /// A client that has fallen back takes 180p15 of a camera whose 720p is off anyway.
  @Test func whatIsOffIsTheUplinksAfterAFallbackToo() {
    let asked = VideoFormat(Resolution(width: 1280, height: 720), framesPerSecond: 30)
    var wish = Subscription(source: 0, requested: asked, offers: [Self.ladder[0]], ladder: Self.ladder)
    wish.withheld = .kilobits(1500)
    let grant = Grant(source: 0, layer: Self.ladder[0], limitation: .senderUplink)
    #expect(GrantedTile(wish, grant, desire: Self.ladder[0]).limitation == .senderUplink)
  }

  /// A source with one encoding drops to what its receivers can take: that limitation is theirs until they show what
  /// they requested.
  @Test func aRateThatAReceiverBearsIsItsOwn() {
    let format = VideoFormat(Resolution(width: 1280, height: 720), framesPerSecond: 30)
    let single = [Self.ladder[3]]
    var grant = Grant(source: 0, layer: single[0], limitation: .requestCap, missing: .kilobits(500))
    grant.bearable = .kilobits(1000)
    var tile = GrantedTile(
      Subscription(source: 0, requested: format, offers: single, ladder: single), grant, desire: single[0])
    #expect(tile.limitation == .requestCap)
    tile.circumstances.showsRequest = true
    #expect(tile.limitation == .none)
  }
}
