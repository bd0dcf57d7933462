# Packages of Debian and Ubuntu; sourced.

unstable_sources=/etc/apt/sources.list.d/meetsim-unstable.sources
unstable_pin=/etc/apt/preferences.d/meetsim-unstable
debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 "$@"; }

# Ends with what has to be installed where this user cannot do it.
need_root() {
  [ "$(id -u)" = 0 ] || command -v sudo > /dev/null ||
    fail "$* must be installed: run this as root or as a user with sudo, or have them installed"
}

missing() {
  local name
  for name; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2> /dev/null)" = installed ] || echo "$name"
  done
}

# A fresh image has no package lists. A broken source of somebody else's need not stop what the others have.
update_lists() {
  [ -z "${lists_are_new:-}" ] || return 0
  lists_are_new=yes
  say "Fetching package lists"
  apt update || say "Not every package list could be fetched; going on with the others"
}

install_packages() {
  local wanted
  wanted=$(missing "$@" | xargs)
  [ -n "$wanted" ] || return 0
  need_root "$wanted"
  update_lists
  say "Installing $wanted"
  # shellcheck disable=SC2086
  apt install -y --no-install-recommends $wanted ||
    fail "apt-get could not install $wanted: mend what it says above and run this again"
}

# Mirrors of Debian, the system's own first.
debian_mirrors() {
  if is_debian; then
    apt-get indextargets --format '$(CREATED_BY) $(COMPONENT) $(REPO_URI)' 2> /dev/null |
      awk '$1 == "Packages" && $2 == "main" && $3 ~ /^http/ && $3 !~ /security/ { sub("/$", "", $3); print $3 }'
  fi
  echo http://deb.debian.org/debian
}

# A source entry for a release of Debian on a mirror, of the given type.
entry() {
  printf 'Types: %s\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' "$1" "$3" "$2" "$debian_keyring"
}

# Makes Debian unstable known to the system, at a priority at which nothing comes from it unasked.
add_unstable() {
  local mirror
  while read -r mirror <&3; do
    entry deb sid "$mirror" | as_root tee "$unstable_sources" > /dev/null
    printf 'Package: *\nPin: release n=sid\nPin-Priority: 50\n' | as_root tee "$unstable_pin" > /dev/null
    say "Fetching the package list of Debian unstable"
    if apt -o Dir::Etc::sourcelist="$unstable_sources" -o Dir::Etc::sourceparts="$scratch" \
      -o APT::Get::List-Cleanup=0 -o APT::Update::Error-Mode=any update; then return; fi
  done 3< <(debian_mirrors | awk '!seen[$0]++')
  remove_unstable
  fail "Debian unstable can't be reached either: put Swift $least_swift or later on the PATH (https://www.swift.org/install)"
}

remove_unstable() { as_root rm -f "$unstable_sources" "$unstable_pin"; }

# Runs apt-get with one source entry and package lists of its own: as any user, and nothing of the system's changes.
apt_apart() {
  local folder=$scratch/apart
  mkdir -p "$folder/parts" "$folder/lists/partial" "$folder/cache/archives/partial"
  apt-get -q -o Dir::Etc::sourcelist="$scratch/apart.sources" -o Dir::Etc::sourceparts="$folder/parts" \
    -o Dir::Etc::preferences="$folder/none" -o Dir::Etc::preferencesparts="$folder/parts" \
    -o Dir::State::lists="$folder/lists" -o Dir::Cache="$folder/cache" -o APT::Sandbox::User=root \
    -o APT::Update::Error-Mode=any "$@"
}

# The keys that Debian signs with today, where those of an older Ubuntu are only of the years before: they are in the
# release that Debian signed with both.
fetch_newer_keys() {
  local folder=$1 archive
  say "Fetching the keys of Debian unstable, which this system does not know yet"
  for archive in http://deb.debian.org/debian http://archive.debian.org/debian; do
    entry deb bullseye "$archive" > "$scratch/apart.sources"
    if apt_apart update && (cd "$folder" && apt_apart download debian-archive-keyring); then
      dpkg-deb -x "$folder"/debian-archive-keyring_*.deb "$folder/keys"
      debian_keyring=$folder/keys/$debian_keyring
      return
    fi
  done
  return 1
}

# Fetches the sources of a package of Debian unstable into a folder.
fetch_source() {
  local name=$1 folder=$2 mirror
  mkdir -p "$folder"
  while read -r mirror <&3; do
    entry deb-src sid "$mirror" > "$scratch/apart.sources"
    if ! apt_apart update; then
      ! is_debian && fetch_newer_keys "$folder" || continue
      entry deb-src sid "$mirror" > "$scratch/apart.sources"
      apt_apart update || continue
    fi
    if (cd "$folder" && apt_apart source --download-only --tar-only "$name"); then return; fi
  done 3< <(debian_mirrors | awk '!seen[$0]++')
  return 1
}
