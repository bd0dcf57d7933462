# Swift itself: from swift.org, or from the distribution; sourced after the others.

# Another place may hold what swift.org publishes: the archives (MEETSIM_SWIFT_DOWNLOADS) and the keys
# (MEETSIM_SWIFT_KEYS). The signature has to be swift.org's all the same.
downloads=${MEETSIM_SWIFT_DOWNLOADS:-https://download.swift.org}
keys=${MEETSIM_SWIFT_KEYS:-https://www.swift.org/keys/all-keys.asc}
# Swift 6.x Release Signing Key, https://www.swift.org/keys/active.
swift_key=52BB7E3DE28A71BE22EC05FFEF80A866B47A981F
os_release=/etc/os-release

# What swift.org lists for its archives, less what only the debugger needs; g++ brings the linker and what belongs to it
# under names that differ by release.
swift_needs=(
  binutils ca-certificates g++ git libc6-dev libcurl4-openssl-dev libedit2 libncurses-dev libsqlite3-0 libxml2-dev tzdata
  uuid-dev zlib1g-dev
)

os_value() { sed -n "s/^$1=\"\\{0,1\\}\\([^\"]*\\)\"\\{0,1\\}\$/\\1/p" "$os_release" 2> /dev/null | head -n 1; }
is_debian() { [ "$(os_value ID)" = debian ]; }

# The name of swift.org's archive for this system; none where it publishes none that runs here.
swift_platform() {
  local codename suffix
  codename=$(os_value UBUNTU_CODENAME)
  codename=${codename:-$(os_value VERSION_CODENAME)}
  case "$(uname -m)" in
    x86_64) suffix= ;;
    aarch64 | arm64) suffix=-aarch64 ;;
    *) return 1 ;;
  esac
  case "$codename" in
    # There is no release for Debian 13 alone; it has the libraries of the one for 12.
    bookworm | trixie) echo "debian12$suffix" ;;
    jammy) echo "ubuntu22.04$suffix" ;;
    noble) echo "ubuntu24.04$suffix" ;;
    *) return 1 ;;
  esac
}

swift_url() {
  local platform
  platform=$(swift_platform) || return 1
  echo "$downloads/swift-$swift_release-release/${platform//./}/swift-$swift_release-RELEASE/swift-$swift_release-RELEASE-$platform.tar.gz"
}

download() {
  local progress=-sS
  if [ -t 2 ]; then progress=-#; fi
  curl $progress -fL --compressed --connect-timeout 5 --retry 3 --speed-limit 1024 --speed-time 30 -o "$2" "$1"
}

# Whether an archive carries swift.org's signature. A key that has expired since is as good as it was, a revoked one is not.
is_signed() {
  local archive=$1 signature=$2 keyring=$3 home=$scratch/gnupg status
  mkdir -p -m 700 "$home"
  gpg --homedir "$home" --batch --quiet --no-autostart --import "$keyring" 2> /dev/null || true
  status=$(gpg --homedir "$home" --batch --no-autostart --status-fd 1 --verify "$signature" "$archive" 2> /dev/null || true)
  rm -rf "$home"
  grep -Eq "^\[GNUPG:\] VALIDSIG .*\b$swift_key\$" <<< "$status" &&
    ! grep -Eq "^\[GNUPG:\] (BADSIG|ERRSIG|EXPSIG|REVKEYSIG) " <<< "$status"
}

# Unpacks swift.org's archive below the user's own folder; says by its status whether there is one to be had.
fetch_swift() {
  local url
  url=$(swift_url) && connects "$url" && connects "$keys" || return 1
  partial=$own_swift.partial
  rm -rf "$partial"
  mkdir -p "$partial/unpacked" || fail "$partial can't be made: Swift is unpacked there"
  download "$keys" "$partial/keys.asc" && download "$url.sig" "$partial/swift.tar.gz.sig" || return 1
  say "Fetching Swift $swift_release (1 GB) from $url"
  download "$url" "$partial/swift.tar.gz" || fail "the download of $url broke off: run this again"
  say "Checking its signature"
  is_signed "$partial/swift.tar.gz" "$partial/swift.tar.gz.sig" "$partial/keys.asc" ||
    fail "the signature of $url is not swift.org's; nothing was installed"
  say "Unpacking it into $own_swift"
  tar -xzf "$partial/swift.tar.gz" -C "$partial/unpacked" --strip-components 1 ||
    fail "the archive can't be unpacked into $own_swift: 4 GB are needed there"
  rm -rf "$own_swift"
  mv "$partial/unpacked" "$own_swift" || fail "Swift can't be put into $own_swift: have that folder writable"
  rm -rf "$partial"
}

# Installs the distribution's swiftlang and libraries of the same release, on Debian from unstable if need be. What that
# replaces is said and asked before.
install_swiftlang() {
  local packages=(swiftlang "$@") target=() plan replaced
  need_root "${packages[@]}"
  update_lists
  if ! { new_enough "$(apt-cache policy swiftlang | awk '/Candidate:/ { print $2 }')" &&
    plan=$(apt-get -s install --no-install-recommends "${packages[@]}" 2> /dev/null); }; then
    is_debian ||
      fail "swift.org can't be reached, and this system has no Swift $least_swift: put one on the PATH (https://www.swift.org/install) and run this again"
    add_unstable
    target=(-t sid)
    plan=$(apt-get -s "${target[@]}" install --no-install-recommends "${packages[@]}") ||
      fail "Debian unstable's swiftlang can't be installed here: put Swift $least_swift or later on the PATH (https://www.swift.org/install)"
  fi
  replaced=$(awk '$1 == "Inst" && $3 ~ /^\[/ { print $2 }' <<< "$plan" | xargs)
  if [ -n "$replaced" ]; then
    say "Swift comes from Debian unstable, which replaces packages of this system by newer versions: $replaced"
    confirm "Replace them?" || {
      remove_unstable
      fail "nothing was replaced: put Swift $least_swift or later on the PATH (https://www.swift.org/install)"
    }
  fi
  say "Installing ${packages[*]}"
  apt "${target[@]}" install -y --no-install-recommends -o Dpkg::Options::=--force-confold "${packages[@]}" ||
    fail "apt-get could not install ${packages[*]}: mend what it says above and run this again"
}

# Debian's package has the module _Testing_Foundation and forgets its library, which has no symbols that tests use.
mend_swiftlang() {
  local folder=/usr/libexec/swift/lib/swift/linux
  [ -d "$folder/_Testing_Foundation.swiftmodule" ] || return 0
  if ! ls "$folder"/lib_Testing_Foundation.* > /dev/null 2>&1; then
    say "Adding the empty library lib_Testing_Foundation.a, which Debian's Swift forgets"
    as_root ar rc "$folder/lib_Testing_Foundation.a"
  fi
}

# Whether a Swift builds a program here: it needs libraries and a linker of the system.
compiles() {
  printf 'import Foundation\nprint(Date())\n' > "$scratch/check.swift"
  { "$1" build --version && "${1}c" "$scratch/check.swift" -o "$scratch/check"; } > "$scratch/check.txt" 2>&1
}

# Sees to it that there is a Swift that is new enough and builds programs; takes the libraries that have to be of the
# same release as the distribution's Swift.
provide_swift() {
  local one version
  while read -r one <&3; do
    version=$(swift_version "$one")
    if [ -z "$version" ]; then
      say "$one does not start: it may lack libraries of the system"
      install_packages "${swift_needs[@]}"
      version=$(swift_version "$one")
    fi
    new_enough "$version" || say "$one is Swift ${version:-that does not start}; $least_swift or later is needed"
  done 3< <(swifts)
  if ! find_swift > /dev/null; then
    say "There is no Swift $least_swift or later here: looking for swift.org's"
    if connects "$downloads" && swift_platform > /dev/null; then install_packages curl gpg "${swift_needs[@]}"; fi
    fetch_swift || install_swiftlang "$@"
  fi
  swift=$(find_swift) || fail "the Swift that was installed does not start: run '$own_swift/usr/bin/swift --version'"
  say "Using $swift, Swift $(swift_version "$swift")"
  mend_swiftlang
  if ! compiles "$swift"; then
    install_packages "${swift_needs[@]}"
    compiles "$swift" || { cat "$scratch/check.txt" >&2; fail "$swift can't build a program here, as said above"; }
  fi
}
