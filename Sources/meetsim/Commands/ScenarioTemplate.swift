import ArgumentParser

/// Scenarios for `meetsim init`, from files in `Templates/`.
enum ScenarioTemplate: String, ExpressibleByArgument, CaseIterable {
  case pair, classroom, gallery, webinar
  case screenShare = "screen-share"

  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// Content of the scenario file.
  var text: String {
    let bytes =
      switch self {
      case .pair: PackageResources.pair_yaml
      case .classroom: PackageResources.classroom_yaml
      case .gallery: PackageResources.gallery_yaml
      case .webinar: PackageResources.webinar_yaml
      case .screenShare: PackageResources.screen_share_yaml
      }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Title in the scenario file.
  var title: String {
    let line = text.split(separator: "\n").first { $0.hasPrefix("title: ") } ?? ""
    return String(line.dropFirst("title: ".count))
  }
}
