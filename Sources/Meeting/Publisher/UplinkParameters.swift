/// How a publisher's encodings follow its uplink where libwebrtc has no rule of its own: ladders without documented
/// limits.
struct UplinkParameters {
  /// An encoding runs at this share of its rate or more [our model; libwebrtc's minimum shares are 0.2 to 0.75].
  var leastShare = 0.6
  /// Targets of simulcast move in steps of this share of the full rate, so that offers do not change with every small
  /// move of the estimate [our model].
  var simulcastStep = 0.05
  /// The same of a source's only encoding [our model].
  var singleStep = 0.002
  /// Padding for an encoding that is off goes beyond the rate at which it begins by this factor, so that it does not go
  /// off again at once [libwebrtc's hysteresis, `video_stream_encoder.cc`: 1.2].
  var paddingFactor = 1.2
  /// An estimate below this share of the one that the encodings follow is followed at once; anything else with the
  /// next regular look [our model].
  var fallThreshold = 0.95
  /// The lowest encoding that is wanted runs at this share of its rate or more even if the estimate carries less:
  /// without media an estimate cannot grow [our model].
  var startShare = 0.1

  /// The share of its rate that is padded for before an encoding begins.
  var switchOnShare: Double { leastShare * paddingFactor }
}
