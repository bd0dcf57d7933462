import Plan

/// Entries with errors; references to them cause no further errors.
struct Faults {
  /// Ids of participants and names of flows.
  private var names: Set<String> = []
  /// Ids of groups whose size is unknown.
  private var groups: Set<String> = []
  /// Set if the name of an entry could not be read.
  private var hasNameless = false
  /// Indices of participants whose sources could not be read.
  var sources: Set<Int> = []
  /// Indices of participants whose view could not be read.
  var views: Set<Int> = []
  /// Set if the links could not be read.
  var links = false
  /// Set if the policy could not be read.
  var system = false

  mutating func note(_ name: String?, isGroup: Bool = false) {
    guard let name else {
      hasNameless = true
      return
    }
    names.insert(name)
    if isGroup { groups.insert(name) }
  }

  /// Checks whether an unknown name may belong to an entry with an error.
  func explain(_ name: String) -> Bool {
    // The name may be a link such as `ann/down`, a source such as `ann/screen`, or a member such as `student-3`.
    let owner = name.prefix { $0 != "/" }
    let group = owner.lastIndex(of: "-").map { String(owner[..<$0]) } ?? ""
    return hasNameless || names.contains(String(owner)) || groups.contains(group)
  }
}
