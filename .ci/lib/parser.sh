# The argument parser, the one package that is built with meetsim; sourced after the others.

parser=https://github.com/apple/swift-argument-parser
own_parser=${XDG_CACHE_HOME:-$HOME/.cache}/meetsim/swift-argument-parser

# Whether git can fetch the parser; a host that does not answer is found out in seconds.
parser_answers() {
  [ -n "$(git config --get-urlmatch http.proxy "$parser" || true)" ] || connects "$parser" || return 1
  GIT_TERMINAL_PROMPT=0 limited 15 git ls-remote -q "$parser" HEAD > /dev/null 2>&1
}

# Makes a repository of the copy that is in the sources of Debian's Swift.
fetch_parser() {
  local sources=$scratch/sources version made=2000-01-01T00:00:00Z
  partial=$own_parser.partial
  rm -rf "$partial"
  command -v xz > /dev/null || install_packages xz-utils
  is_debian || [ -e "$debian_keyring" ] || install_packages debian-archive-keyring
  fetch_source swiftlang "$sources" ||
    fail "the argument parser could be had neither from github.com nor from Debian's sources: run this again when one of them can be reached"
  mkdir -p "$partial"
  tar -x -C "$partial" --strip-components 2 --wildcards -f "$sources"/swiftlang_*.orig.tar.* \
    'swiftlang-*/swift-argument-parser'
  rm -rf "$sources"
  version=$(sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' "$partial/CHANGELOG.md" | head -n 1)
  git -C "$partial" init -q
  git -C "$partial" add -Af .
  # SwiftPM remembers a version's commit for good: a copy made again has to be the same.
  GIT_AUTHOR_DATE=$made GIT_COMMITTER_DATE=$made git -C "$partial" -c user.name=meetsim \
    -c user.email=meetsim@localhost -c commit.gpgsign=false commit -q -m "$version"
  git -C "$partial" -c tag.gpgsign=false tag "$version"
  rm -rf "$own_parser"
  mv "$partial" "$own_parser"
}

# Sees to it that 'swift build' finds the parser, from GitHub or, where that is out of reach, from Debian's sources.
provide_parser() {
  local mirror
  if [ -d .build/checkouts/swift-argument-parser ] && [ -e Package.resolved ]; then return; fi
  mirror=$("$swift" package config get-mirror --original "$parser" 2> /dev/null || true)
  if [ -n "$mirror" ] && git ls-remote -q "$mirror" > /dev/null 2>&1; then return; fi
  if parser_answers; then
    if [ -n "$mirror" ]; then "$swift" package config unset-mirror --original "$parser"; fi
    return
  fi
  if [ ! -d "$own_parser/.git" ]; then
    command -v apt-get > /dev/null ||
      fail "github.com can't be reached, and 'swift build' fetches $parser from there: run this again when it can"
    say "github.com can't be reached: fetching the argument parser from the sources of Debian's Swift (243 MB)"
    fetch_parser
  fi
  say "Using the argument parser in $own_parser"
  "$swift" package config set-mirror --original "$parser" --mirror "file://$own_parser" > /dev/null
}
