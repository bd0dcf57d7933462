/// How far the SFU pads a downlink whose estimate keeps a tile below its request.
struct DownlinkPadding {
  /// The next step is padded for with this much to spare, so that its first packets do not bring the estimate below it
  /// [our model].
  var headroom = 1.05
}
