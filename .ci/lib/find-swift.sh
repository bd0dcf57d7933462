# Where Swift is; sourced.

least_swift=6.2
# The release that is fetched where there is none; MEETSIM_SWIFT_RELEASE names another.
swift_release=${MEETSIM_SWIFT_RELEASE:-6.3.1}
own_swift=${XDG_DATA_HOME:-$HOME/.local/share}/meetsim/swift-$swift_release

# What a Swift says its version is; nothing where it does not start.
swift_version() {
  { "$1" --version < /dev/null 2> /dev/null || true; } | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1
}

new_enough() {
  [[ $1 = [0-9]* ]] && [ "$(printf '%s\n' "$least_swift" "$1" | sort -V | head -n 1)" = "$least_swift" ]
}

# Every Swift of the PATH, then the one that was unpacked below the user's own folder.
swifts() {
  type -aP swift || true
  if [ -x "$own_swift/usr/bin/swift" ]; then echo "$own_swift/usr/bin/swift"; fi
}

find_swift() {
  local one
  while read -r one; do
    if new_enough "$(swift_version "$one")"; then echo "$one"; return; fi
  done < <(swifts)
  return 1
}
