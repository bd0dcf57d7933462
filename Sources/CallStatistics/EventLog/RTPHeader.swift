/// Fields of RTP headers (RFC 3550) that identify a packet and its stream.
enum RTPHeader {
  /// Returns the SSRC, and the transport-wide sequence number if the header has that extension (RFC 8285); `nil` for
  /// bytes that are not an RTP header.
  static func read(
    _ header: ArraySlice<UInt8>, extension id: UInt8?
  ) -> (ssrc: UInt32, sequence: UInt16?)? {
    let start = header.startIndex
    guard header.count >= 12, header[start] >> 6 == 2 else { return nil }
    let ssrc = header[start + 8..<start + 12].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    var place = start + 12 + Int(header[start] & 0x0f) * 4
    guard let id, header[start] & 0x10 != 0, place + 4 <= header.endIndex else { return (ssrc, nil) }
    let profile = UInt16(header[place]) << 8 | UInt16(header[place + 1])
    let length = (Int(header[place + 2]) << 8 | Int(header[place + 3])) * 4
    place += 4
    let end = min(place + length, header.endIndex)
    while place < end {
      guard header[place] != 0 else {
        place += 1
        continue
      }
      let own: UInt8
      let size: Int
      if profile == 0xbede {
        (own, size) = (header[place] >> 4, Int(header[place] & 0x0f) + 1)
        place += 1
      } else if profile >> 4 == 0x100, place + 1 < end {
        (own, size) = (header[place], Int(header[place + 1]))
        place += 2
      } else {
        break
      }
      if own == id, size >= 2, place + 2 <= end {
        return (ssrc, UInt16(header[place]) << 8 | UInt16(header[place + 1]))
      }
      place += size
    }
    return (ssrc, nil)
  }
}
