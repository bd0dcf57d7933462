import Meeting

/// What was written with an error: a reference to it is no further error.
struct Faults {
  /// Ids of participants, and names of flows.
  private var names: Set<String> = []
  /// Ids of groups whose size is not known.
  private var groups: Set<String> = []
  /// Whether an entry has no name that could be read.
  private var hasNameless = false
  /// Participants by index: those whose sources, and those whose view, could not be read.
  var sources: Set<Int> = []
  var views: Set<Int> = []
  /// Whether the links could not be read.
  var links = false
  /// Whether the policy could not be read.
  var system = false

  mutating func note(_ name: String?, isGroup: Bool = false) {
    guard let name else {
      hasNameless = true
      return
    }
    names.insert(name)
    if isGroup { groups.insert(name) }
  }

  /// Whether a name that is not known may be that of an entry with an error.
  func explain(_ name: String) -> Bool {
    // Of a link such as `ann/down`, a source such as `ann/screen`, a member such as `student-3`.
    let owner = name.prefix { $0 != "/" }
    let group = owner.lastIndex(of: "-").map { String(owner[..<$0]) } ?? ""
    return hasNameless || names.contains(String(owner)) || groups.contains(group)
  }
}
