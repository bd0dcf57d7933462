package import Systems

/// The SFU's announcements to all participants, in order.
///
/// They reach everybody in the same order, so a viewer's knowledge is given by the number of them that have reached it:
/// its position. One log is stored here instead of a directory at each viewer.
package struct Announcements {
  package enum Change {
    /// A participant has joined or left, begun or ended a turn of speech, muted or unmuted; with the state announced
    /// before, and the number of others present.
    case presence(Int, Directory.Presence, before: Directory.Presence, known: Int)
    /// A source has started or stopped, or offers other layers.
    case source(Int, Roster.Source, wasCapturing: Bool)
  }

  private var changes: [Change] = []
  /// Number of the first change that is kept.
  private var first = 0
  /// State before the first change that is kept.
  private var oldest: Directory
  /// Directories at the positions that were requested last; a few suffice, since announcements are in transit only for
  /// a moment.
  private var recent: [(position: Int, directory: Directory)] = []
  private var nextReplaced = 0
  private var trimmedAt = leastTrim

  private static let recentCount = 4
  private static let leastTrim = 1024

  init(_ directory: Directory) { oldest = directory }

  /// Position at which all announcements have arrived.
  package var end: Int { first + changes.count }

  /// Appends an announcement.
  ///
  /// - Returns: its number.
  package mutating func append(_ change: Change) -> Int {
    changes.append(change)
    return end - 1
  }

  package subscript(number: Int) -> Change? { number < first ? nil : changes[number - first] }

  /// Returns the directory after all announcements before a position.
  package mutating func directory(at position: Int) -> Directory {
    if let known = recent.first(where: { $0.position == position }) { return known.directory }
    let place = placeForDirectory(at: position)
    while recent[place].position < position {
      recent[place].directory.apply(changes[recent[place].position - first])
      recent[place].position += 1
    }
    return recent[place].directory
  }

  /// Finds the place of a directory from which a position can be reached: the nearest one before it, or a copy.
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

  /// `true` if enough changes are kept for it to be worth forgetting those that everybody knows.
  package var isLong: Bool { changes.count >= trimmedAt }

  /// Forgets the changes before a position.
  package mutating func forget(before position: Int) {
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

  /// Returns the position for an earlier message: changes that have been forgotten since are known as well.
  package func position(from number: Int) -> Int { max(number, first) }
}

extension Directory {
  package mutating func apply(_ change: Announcements.Change) {
    switch change {
    case .presence(let number, let presence, _, _): set(presence, of: number)
    case .source(let number, let source, _): set(source, at: number)
    }
  }
}
