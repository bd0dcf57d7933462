#!/usr/bin/env bash
# Tries the README's commands on a machine that has nothing: a fresh Debian or Ubuntu that debootstrap makes, with empty
# package lists and an empty home folder, from which GitHub and swift.org can't be reached. Needs root and debootstrap, for
# Ubuntu also ubuntu-keyring.
#
#   bash Tests/Install/chroot.sh [option value]...
#
#   --release NAME              bookworm, trixie, jammy or noble (bookworm)
#   --swift FOLDER              a Swift that is put on the PATH (none: it has to be installed)
#   --user root|sudo            root without sudo, or a user with it (root)
#   --commands N                runs the first N commands of the README, 0 for .ci/install alone (2)
#   --as FILE                   an os-release that stands in for the system's
#   --from FOLDER               copies this root instead of making one
#   --keep FOLDER               where the root is made, and stays (a temporary folder)
#   --mirror URL                where the system comes from (http://deb.debian.org/debian, http://archive.ubuntu.com/ubuntu)
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/lib/common.sh

release=bookworm swift='' user=root commands=2 stand_in='' from='' keep='' mirror=''
while [ $# -ge 2 ]; do
  case "$1" in
    --release) release=$2 ;;
    --swift) swift=$2 ;;
    --user) user=$2 ;;
    --commands) commands=$2 ;;
    --as) stand_in=$2 ;;
    --from) from=$2 ;;
    --keep) keep=$2 ;;
    --mirror) mirror=$2 ;;
    *) fail "there is no option $1: see the head of $0" ;;
  esac
  shift 2
done
[ $# = 0 ] || fail "$1 needs a value"
[ "$(id -u)" = 0 ] || fail "run this as root: it makes a root folder for chroot"

root=${keep:-$(mktemp -d /tmp/meetsim-root-XXXXXX)}
# What is mounted is so in a namespace of its own, so that removing the root removes nothing else.
[ -n "$keep" ] || trap 'rm -rf --one-file-system "$root"' EXIT

# Runs a command in the root as a user with nothing but a home folder and a PATH.
inside() {
  local name=$1 home=/home/$1
  if [ "$name" = root ]; then home=/root; fi
  unshare --mount --propagation private bash -euc '
    root=$1 swift=$2 name=$3 home=$4 command=$5
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    if [ -n "$swift" ]; then mount --bind -o ro "$swift" "$root/opt/swift"; fi
    exec chroot --userspec="$name:$name" "$root" /usr/bin/env -i HOME="$home" USER="$name" LANG=C.UTF-8 TERM=dumb \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin${swift:+:/opt/swift/usr/bin} \
      bash -ec "cd; $command"
  ' bash "$root" "$swift" "$name" "$home" "$2"
}

make_root() {
  if [ -n "$from" ]; then
    cp -a "$from/." "$root"
  elif [ "$release" = jammy ] || [ "$release" = noble ]; then
    # Releases of Ubuntu that an older debootstrap does not know are made as the others.
    debootstrap --variant=minbase --components=main,universe --keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg \
      "$release" "$root" "${mirror:-http://archive.ubuntu.com/ubuntu}" /usr/share/debootstrap/scripts/gutsy
  else
    debootstrap --variant=minbase "$release" "$root" "${mirror:-http://deb.debian.org/debian}"
  fi
  # The network of this machine, but for two hosts.
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  { cat /etc/hosts; echo "127.0.0.1 github.com www.swift.org download.swift.org"; } > "$root/etc/hosts"
  grep -ls '^Acquire::' /etc/apt/apt.conf /etc/apt/apt.conf.d/* | xargs -r cp -t "$root/etc/apt/apt.conf.d" || true
  mkdir -p "$root/opt/swift"
  if [ "$user" = sudo ]; then
    inside root 'apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends sudo
      useradd -m -s /bin/bash newcomer && echo "newcomer ALL=(ALL) NOPASSWD: ALL" > /etc/sudoers.d/newcomer' > /dev/null
    user=newcomer
  fi
  if [ -n "$stand_in" ]; then rm "$root/etc/os-release"; cp "$stand_in" "$root/etc/os-release"; fi
  rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*.bin
}

make_clone() {
  local home=$root/home/$user
  if [ "$user" = root ]; then home=$root/root; fi
  find "$home" -mindepth 1 -delete
  git clone -q --no-hardlinks . "$home/meetsim"
  chown -R --reference="$home" "$home"
}

make_root
make_clone
say "$(sed -n 's/^PRETTY_NAME=//p' "$root/etc/os-release"), $user, Swift: ${swift:-none}, commit $(git rev-parse --short HEAD)"
steps=(.ci/install)
if [ "$commands" != 0 ]; then
  steps=()
  for number in $(seq "$commands"); do steps+=("$(.ci/readme "$number")"); done
fi
for step in "${steps[@]}"; do
  say "$(date -u +%H:%M:%S) \$ $step"
  start=$SECONDS
  inside "$user" "cd meetsim; $step"
  say "$(date -u +%H:%M:%S) done in $((SECONDS - start)) s"
done
say "Beside the home folder: $(ls "$root/etc/apt/sources.list.d" "$root/etc/apt/preferences.d" | xargs)"
