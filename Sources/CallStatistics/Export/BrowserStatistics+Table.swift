import JSON
import Quantity

extension BrowserStatistics {
  /// Table of samples as `meetsim import getstats` reads it: the estimate, the camera's sent data, round trips and
  /// losses; up to three encodings have separate columns.
  package var table: String {
    let camera = objects.first { $0.type == "media-source" }?.id
    let encodings = objects.filter {
      $0.type == "outbound-rtp" && camera != nil && $0.text("mediaSourceId") == camera
        && ($0.largest("bytesSent") ?? 0) > 0
    }
    let reports = encodings.compactMap { encoding in objects.first { $0.id == encoding.text("remoteId") } }
    let pair = objects.first { $0.type == "candidate-pair" }
    let prefixes = encodings.count == 1 ? [""] : ["l_", "m_", "h_"].prefix(encodings.count).map { $0 }
    var header = ["time_s", "availableOutgoingBitrate"]
    header +=
      encodings.count == 1
      ? ["bytesSent", "frameHeight", "targetBitrate"] : prefixes.flatMap { [$0 + "bytes", $0 + "h"] }
    header += ["roundTripTime", "packetsLost"]
    // Smallest first.
    let ordered = encodings.sorted { ($0.largest("frameHeight") ?? 0) < ($1.largest("frameHeight") ?? 0) }
    var text = header.joined(separator: ",") + "\n"
    for (index, time) in times.enumerated() {
      var row = [Self.field((time - start) / 1000)]
      row.append(Self.field(pair?.number("availableOutgoingBitrate", index)))
      for encoding in ordered.prefix(prefixes.count) {
        let bytes = encoding.number("bytesSent", index).map {
          let headers = encoding.number("headerBytesSent", index) ?? 0
          let packets = encoding.number("packetsSent", index)
          return $0 + headers - CallRecord.padding(headers: headers, packets: packets)
        }
        row += [Self.field(bytes), Self.field(encoding.number("frameHeight", index))]
        if encodings.count == 1 { row.append(Self.field(encoding.number("targetBitrate", index))) }
      }
      row.append(Self.field(reports.first?.number("roundTripTime", index)))
      row.append(
        Self.field(
          reports.isEmpty ? nil : reports.compactMap { $0.number("packetsLost", index) }.reduce(0, +)))
      text += row.joined(separator: ",") + "\n"
    }
    return text
  }

  private static func field(_ value: Double?) -> String {
    guard let value else { return "" }
    let number = JSONValue.number(value)
    guard case .real(let real) = number else { return number.compact }
    return real.decimalText
  }
}

extension BrowserStatistics.Object {
  fileprivate func values(_ name: String) -> [JSONValue?] {
    members.first { $0.name == name }?.values ?? []
  }

  fileprivate func text(_ name: String) -> String? {
    values(name).last??.text
  }

  fileprivate func number(_ name: String, _ index: Int) -> Double? {
    let values = values(name)
    return values.indices.contains(index) ? values[index]?.number : nil
  }

  fileprivate func largest(_ name: String) -> Double? {
    values(name).compactMap { $0?.number }.max()
  }
}
