import Systems

/// What the SFU has announced to everybody, in order.
///
/// Announcements reach everybody in the same order, so what a viewer knows is how many of them have reached it: its
/// position. The log stands here once instead of a directory at each viewer.
struct Announcements {
  enum Change {
    /// A participant has joined or left, begun or ended a turn of speech, muted or unmuted; what was announced of it
    /// before, and how many others were there.
    case presence(Int, Directory.Presence, before: Directory.Presence, known: Int)
    /// A source has started or stopped, or offers other layers.
    case source(Int, Roster.Source, wasCapturing: Bool)
  }

  private var changes: [Change] = []
  /// Number of the first change that is kept, and everything before it.
  private var first = 0
  private var oldest: Directory
  /// Directories at the positions that were asked for last; few, since announcements are under way for a moment only.
  private var recent: [(position: Int, directory: Directory)] = []
  private var nextReplaced = 0
  private var trimmedAt = leastTrim

  private static let recentCount = 4
  private static let leastTrim = 1024

  init(_ directory: Directory) { oldest = directory }

  /// The position of one who has been told everything.
  var end: Int { first + changes.count }

  /// - Returns: the announcement's number.
  mutating func append(_ change: Change) -> Int {
    changes.append(change)
    return end - 1
  }

  subscript(number: Int) -> Change? { number < first ? nil : changes[number - first] }

  /// What one knows who has been told everything before a position.
  mutating func directory(at position: Int) -> Directory {
    if let known = recent.first(where: { $0.position == position }) { return known.directory }
    let place = placeForDirectory(at: position)
    while recent[place].position < position {
      recent[place].directory.apply(changes[recent[place].position - first])
      recent[place].position += 1
    }
    return recent[place].directory
  }

  /// Where a directory stands that leads to a position: the nearest one before it, or a copy.
  private mutating func placeForDirectory(at position: Int) -> Int {
    let nearest = recent.indices.filter { recent[$0].position <= position }
      .max { recent[$0].position < recent[$1].position }
    if recent.count < Self.recentCount {
      recent.append(nearest.map { recent[$0] } ?? (first, oldest))
      return recent.count - 1
    }
    if let nearest { return nearest }
    nextReplaced = (nextReplaced + 1) % recent.count
    recent[nextReplaced] = (first, oldest)
    return nextReplaced
  }

  /// Whether so many changes are kept that it is worth forgetting those that everybody knows.
  var isLong: Bool { changes.count >= trimmedAt }

  /// Forgets the changes before a position.
  mutating func forget(before position: Int) {
    let known = min(position, end) - first
    if known > 0 {
      for change in changes[..<known] { oldest.apply(change) }
      changes.removeFirst(known)
      first += known
      recent.removeAll { $0.position < first }
      nextReplaced = 0
    }
    trimmedAt = max(Self.leastTrim, 2 * changes.count)
  }

  /// The position for a message of the past: what was forgotten since is known as well.
  func position(from number: Int) -> Int { max(number, first) }
}

extension Directory {
  mutating func apply(_ change: Announcements.Change) {
    switch change {
    case .presence(let number, let presence, _, _): set(presence, of: number)
    case .source(let number, let source, _): set(source, at: number)
    }
  }
}
