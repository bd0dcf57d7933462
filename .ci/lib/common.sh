# What the scripts of this folder share; they source it, on Linux and on the bash 3.2 of macOS.

say() { echo "-- $*"; }
fail() { echo "$(basename "$0"): $*" >&2; exit 1; }

# Runs a command that has to end within some seconds; macOS has no 'timeout'.
limited() {
  if command -v timeout > /dev/null; then timeout "$@"; else perl -e 'alarm shift; exec @ARGV or die' "$@"; fi
}

# Whether the host of a URL takes connections, told within five seconds. Behind a proxy only a transfer can tell.
connects() {
  [ -z "${https_proxy:-}${HTTPS_PROXY:-}${all_proxy:-}${ALL_PROXY:-}" ] || return 0
  local authority=${1#*://} port=443
  authority=${authority%%/*}
  case "$1" in http://*) port=80 ;; esac
  case "$authority" in *:*) port=${authority##*:} ;; esac
  limited 5 bash -c 'exec 3<> "/dev/tcp/$0/$1"' "${authority%%:*}" "$port" 2> /dev/null
}

# Asks on a terminal; where nobody can answer it goes on.
confirm() {
  if [ ! -t 0 ] || [ ! -t 1 ]; then return 0; fi
  local answer
  read -r -p "$1 [y/N] " answer
  case "$answer" in [yY]*) return 0 ;; *) return 1 ;; esac
}

# A folder for what is needed while a script runs.
make_scratch() {
  scratch=$(mktemp -d)
  chmod 755 "$scratch"
  trap 'rm -rf "$scratch" ${partial:+"$partial"}' EXIT
}
