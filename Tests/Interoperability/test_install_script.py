"""Installation of Swift and the argument parser by .ci/install, with local stand-ins for swift.org and GitHub."""

import functools
import http.server
import io
import os
import pty
import select
import shutil
import socket
import subprocess
import tarfile
import threading
import time
from pathlib import Path

import pytest
from conftest import ROOT

PARTS = ["common", "find-swift", "packages", "swift", "parser"]
RELEASE = "6.3.1"

needs_gpg = pytest.mark.skipif(not (shutil.which("gpg") and shutil.which("curl")), reason="gpg or curl is missing")


def bash(script, home, *arguments, **environment):
    """Returns the output of a script with the functions of .ci/install, and only a home folder and a PATH."""
    sourced = "".join(f". {ROOT}/.ci/lib/{part}.sh\n" for part in PARTS)
    return subprocess.run(
        ["bash", "-c", f"set -euo pipefail\n{sourced}{script}", "install", *map(str, arguments)],
        env={"HOME": str(home), "PATH": "/usr/bin:/bin"} | environment, cwd=home,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.fixture
def home(tmp_path):
    """A home folder in which commands are run."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def serve(tmp_path):
    """Serves a folder over HTTP; returns the folder and its address."""
    folder = tmp_path / "served"
    folder.mkdir()

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield folder, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def program(path, version):
    """Creates a stand-in for Swift that prints its version."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho 'Swift version {version} (swift-{version}-RELEASE)'\n", encoding="utf-8")
    path.chmod(0o755)
    return path


# Distributions

SYSTEMS = {
    "debian-12": ('ID=debian\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\n', "debian12"),
    "debian-13": ('ID=debian\nVERSION_ID="13"\nVERSION_CODENAME=trixie\n', "debian12"),
    "ubuntu-22.04": ('ID=ubuntu\nID_LIKE=debian\nVERSION_ID="22.04"\nVERSION_CODENAME=jammy\n', "ubuntu22.04"),
    "ubuntu-24.04": ('ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\nVERSION_CODENAME=noble\n', "ubuntu24.04"),
    "mint": ("ID=linuxmint\nVERSION_CODENAME=zara\nUBUNTU_CODENAME=noble\n", "ubuntu24.04"),
    "sid": ("ID=debian\nVERSION_CODENAME=forky\n", None),
    "fedora": ("ID=fedora\nVERSION_ID=43\n", None),
}


@pytest.mark.parametrize("machine", ["x86_64", "aarch64", "riscv64"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_each_system_has_its_archive(system, machine, home):
    text, platform = SYSTEMS[system]
    (home / "os-release").write_text(text, encoding="utf-8")
    done = bash(f"os_release=os-release; uname() {{ echo {machine}; }}; swift_url", home)
    if platform is None or machine == "riscv64":
        assert (done.returncode, done.stdout) == (1, "")
        return
    suffix = "" if machine == "x86_64" else "-aarch64"
    assert done.stdout.strip() == (
        f"https://download.swift.org/swift-{RELEASE}-release/{platform.replace('.', '')}{suffix}"
        f"/swift-{RELEASE}-RELEASE/swift-{RELEASE}-RELEASE-{platform}{suffix}.tar.gz"
    )


# The archive of swift.org


@pytest.fixture(scope="module")
def signer(tmp_path_factory):
    """Signs files with separate keys, one of which has since expired; takes the key's name."""
    # gpg's sockets need short paths.
    homes = {}

    def home_of(name):
        if name not in homes:
            homes[name] = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
            identity = f"{name} <{name}@localhost>"
            gpg(name, "--faked-system-time", "20250101T000000", "--quick-generate-key", identity, "rsa2048", "sign",
                EXPIRY.get(name, "0"))  # fmt: skip
        return homes[name]

    def gpg(name, *arguments, **options):
        folder = homes.get(name) or home_of(name)
        return subprocess.run(
            ["gpg", "--homedir", folder, "--batch", "--quiet", "--passphrase", "", "--pinentry-mode", "loopback",
             *arguments], capture_output=True, check=True, **options,
        ).stdout  # fmt: skip

    class Signer:
        def fingerprint(self, name):
            home_of(name)
            listing = gpg(name, "--with-colons", "--list-keys").decode()
            return next(line.split(":")[9] for line in listing.splitlines() if line.startswith("fpr"))

        def public(self, name):
            home_of(name)
            return gpg(name, "--armor", "--export")

        def sign(self, name, data):
            home_of(name)
            return gpg(name, "--faked-system-time", "20250102T000000", "--detach-sign", "--output", "-", input=data)

        def revoke(self, name):
            folder = home_of(name)
            certificate = next((folder / "openpgp-revocs.d").iterdir()).read_text(encoding="utf-8")
            gpg(name, "--import", input=certificate.replace(":-----BEGIN", "-----BEGIN").encode())

    EXPIRY = {"expired": "2025-06-01"}
    yield Signer()
    for folder in homes.values():
        subprocess.run(["gpgconf", "--homedir", folder, "--kill", "all"], check=False)
        shutil.rmtree(folder)


def archive(release=RELEASE):
    """As swift.org's: one folder, with usr/bin/swift."""
    script = f"#!/bin/sh\necho 'Swift version {release} (swift-{release}-RELEASE)'\n".encode()
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        entry = tarfile.TarInfo(f"swift-{release}-RELEASE-debian12/usr/bin/swift")
        entry.mode, entry.size = 0o755, len(script)
        tar.addfile(entry, io.BytesIO(script))
    return buffer.getvalue()


FETCH = """
os_release=os-release
swift_key=$1
uname() { echo x86_64; }
make_scratch
fetch_swift || { echo "there is none"; exit 3; }
find_swift
"""


def publish(folder, data, signature, public, release=RELEASE):
    place = folder / f"swift-{release}-release/debian12/swift-{release}-RELEASE"
    place.mkdir(parents=True)
    name = f"swift-{release}-RELEASE-debian12.tar.gz"
    (place / name).write_bytes(data)
    (place / f"{name}.sig").write_bytes(signature)
    (folder / "keys.asc").write_bytes(public)


def fetch(home, address, key, **environment):
    (home / "os-release").write_text(SYSTEMS["debian-12"][0], encoding="utf-8")
    places = {"MEETSIM_SWIFT_DOWNLOADS": address, "MEETSIM_SWIFT_KEYS": f"{address}/keys.asc"}
    return bash(FETCH, home, key, **places, **environment)


def left(home):
    """Returns what is left below the user's own folder."""
    return sorted(path.name for path in (home / ".local/share/meetsim").glob("*"))


@needs_gpg
@pytest.mark.parametrize("key", ["current", "expired"])
def test_a_signed_archive_is_unpacked_and_found(key, home, serve, signer):
    """A signature outlives its key, which swift.org renews every other year."""
    folder, address = serve
    data = archive()
    publish(folder, data, signer.sign(key, data), signer.public(key))
    done = fetch(home, address, signer.fingerprint(key))
    swift = home / f".local/share/meetsim/swift-{RELEASE}/usr/bin/swift"
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, str(swift)), done.stdout + done.stderr
    assert left(home) == [f"swift-{RELEASE}"]
    found = subprocess.run(
        [ROOT / ".ci/swift", "--version"], env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert RELEASE in found.stdout


@needs_gpg
def test_another_release_is_fetched_where_it_is_named(home, serve, signer):
    folder, address = serve
    data = archive("6.2.3")
    publish(folder, data, signer.sign("current", data), signer.public("current"), release="6.2.3")
    done = fetch(home, address, signer.fingerprint("current"), MEETSIM_SWIFT_RELEASE="6.2.3")
    swift = home / ".local/share/meetsim/swift-6.2.3/usr/bin/swift"
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, str(swift)), done.stdout + done.stderr
    assert left(home) == ["swift-6.2.3"]


@needs_gpg
@pytest.mark.parametrize("fault", ["changed", "truncated", "another key", "revoked key", "no signature"])
def test_what_is_not_signed_is_refused_and_leaves_nothing(fault, home, serve, signer):
    folder, address = serve
    data = archive()
    key = {"another key": "stranger", "revoked key": "revoked"}.get(fault, "current")
    signature = b"" if fault == "no signature" else signer.sign(key, data)
    expected = signer.fingerprint("current" if key == "stranger" else key)
    if fault == "revoked key":
        signer.revoke(key)
    served = {"changed": data[:-9] + b"x" + data[-8:], "truncated": data[: len(data) // 2]}.get(fault, data)
    publish(folder, served, signature, signer.public("current") + signer.public(key))
    done = fetch(home, address, expected)
    assert done.returncode == 1
    assert "is not swift.org's; nothing was installed" in done.stderr
    assert left(home) == []


@needs_gpg
def test_a_download_that_breaks_off_is_no_swift(home, signer):
    """The host promises more than it sends."""
    data = archive()
    signature, public = signer.sign("current", data), signer.public("current")

    class Broken(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = public if "keys" in self.path else signature if self.path.endswith(".sig") else data[:100]
            self.send_response(200)
            self.send_header("Content-Length", str(len(data) if body == data[:100] else len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Broken)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    done = fetch(home, f"http://127.0.0.1:{server.server_port}", signer.fingerprint("current"))
    server.shutdown()
    server.server_close()
    assert done.returncode == 1 and "broke off: run this again" in done.stderr, done.stderr
    assert left(home) == []


@needs_gpg
def test_a_host_without_the_archive_has_none(home, serve):
    """The distribution comes next."""
    (serve[0] / "keys.asc").write_text("", encoding="utf-8")
    done = fetch(home, serve[1], "0" * 40)
    assert (done.returncode, done.stdout.strip()) == (3, "there is none")
    assert left(home) == []


# Unreachable hosts


def closed_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.mark.parametrize("address", ["http://127.0.0.1:{port}", "https://nowhere.invalid"])
def test_a_host_that_refuses_or_has_no_name_is_found_out_at_once(address, home):
    start = time.monotonic()
    done = bash('connects "$1"', home, address.format(port=closed_port()))
    assert done.returncode == 1 and time.monotonic() - start < 5


def test_a_host_that_drops_packets_is_found_out_in_seconds(home):
    """A host whose connection queue is full behaves like that."""
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        waiting = []
        for _ in range(3):
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(deaf.getsockname())
            waiting.append(one)
        start = time.monotonic()
        done = bash('connects "$1"', home, f"http://127.0.0.1:{deaf.getsockname()[1]}")
        taken = time.monotonic() - start
        for one in waiting:
            one.close()
    assert done.returncode != 0 and 4 < taken < 15


def test_behind_a_proxy_the_transfer_tells(home):
    assert bash("connects https://nowhere.invalid", home, https_proxy="http://proxy.invalid:3128").returncode == 0


# Swift on the PATH


@pytest.mark.parametrize(
    ("version", "enough"),
    [("5.10", False), ("6.1.3", False), ("6.2", True), ("6.2.3", True), ("6.10", True), ("7.0", True), ("", False)],
)
def test_least_version(version, enough, home):
    assert (bash('new_enough "$1"', home, version).returncode == 0) == enough


def test_an_old_or_broken_swift_hides_no_other(home):
    """For example, if the distribution has an old one, or libraries for a new one are missing."""
    program(home / "old/swift", "5.10.1")
    broken = program(home / "broken/swift", "9")
    broken.write_text("#!/bin/sh\necho 'libncurses.so.6: cannot open' >&2\nexit 127\n", encoding="utf-8")
    new = program(home / "new/swift", "6.2.3")
    path = f"{home}/broken:{home}/old:{home}/new:/usr/bin:/bin"
    assert bash("find_swift", home, PATH=path).stdout.strip() == str(new)
    shutil.rmtree(home / "new")
    assert bash("find_swift", home, PATH=path).returncode == 1


def test_without_swift_the_wrapper_says_what_to_do(home):
    done = subprocess.run(
        [ROOT / ".ci/swift", "build"], env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode == 0 or "error:" in done.stderr:
        pytest.skip("the system has a Swift of its own")
    assert done.stderr == "swift: there is no Swift 6.2 or later here: run .ci/install first\n"


# Questions and messages


def test_nobody_is_asked_where_nobody_can_answer(home):
    assert bash("confirm 'Replace them?'", home).returncode == 0


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("yes", 0), ("n", 1), ("", 1)])
def test_a_terminal_is_asked(answer, code, home):
    main, terminal = pty.openpty()
    child = subprocess.Popen(
        ["bash", "-c", f". {ROOT}/.ci/lib/common.sh; confirm 'Replace them?'"],
        stdin=terminal, stdout=terminal, stderr=terminal, close_fds=True,
    )  # fmt: skip
    os.close(terminal)
    shown = b""
    while b"[y/N]" not in shown and select.select([main], [], [], 20)[0]:
        shown += os.read(main, 1000)
    assert b"Replace them? [y/N]" in shown
    os.write(main, answer.encode() + b"\n")
    assert child.wait(20) == code
    os.close(main)


INSTALL = """
os_release=os-release
log() { echo "$*" >> log; }
id() { echo 0; }
say() { echo "-- $*"; }
confirm() { log asked; return $1; }
apt() { log "apt $*"; }
add_unstable() { log "unstable added"; }
remove_unstable() { log "unstable removed"; }
apt-cache() { echo "  Candidate: $candidate"; }
apt-get() {
  log "simulated $*"
  if [ "$candidate" != "6.2.3-1+b1" ] || [[ "$*" = *"-t sid"* ]]; then
    printf 'Inst libc6 [2.36-9] (2.43-7 Debian:unstable [amd64])\\nInst swiftlang (6.2.3-1+b1 Debian:unstable [amd64])\\n'
  else
    printf 'Inst swiftlang (6.2.3-1+b1 Debian:unstable [amd64])\\n'
  fi
}
answer=$1 candidate=$2
confirm() { log asked; return $answer; }
install_swiftlang libgsl-dev
"""


def install(home, answer, candidate, system="debian-12"):
    (home / "os-release").write_text(SYSTEMS[system][0], encoding="utf-8")
    done = bash(INSTALL, home, answer, candidate)
    log = home / "log"
    return done, log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def test_what_unstable_replaces_is_said_and_asked_first(home):
    done, log = install(home, 0, "(none)")
    assert done.returncode == 0, done.stderr
    assert "newer versions: libc6\n" in done.stdout
    assert log[-2] == "asked" and "unstable added" in log
    assert log[-1].startswith("apt -t sid install -y") and log[-1].endswith("swiftlang libgsl-dev")


def test_who_declines_keeps_the_system(home):
    done, log = install(home, 1, "6.0.3-2")
    assert done.returncode == 1 and "nothing was replaced: put Swift 6.2 or later on the PATH" in done.stderr
    assert log[-2:] == ["asked", "unstable removed"]
    assert not any(line.startswith("apt ") and "install" in line for line in log)


def test_a_release_with_a_new_enough_swift_of_its_own_replaces_nothing(home):
    done, log = install(home, 1, "6.2.3-1+b1")
    assert done.returncode == 0, done.stderr
    assert "asked" not in log and "unstable added" not in log


def test_ubuntu_gets_nothing_from_debian(home):
    done, log = install(home, 0, "5.10-1", "ubuntu-24.04")
    assert done.returncode == 1
    assert "swift.org can't be reached, and this system has no Swift 6.2" in done.stderr
    assert not any("install" in line and line.startswith("apt ") for line in log)


def test_without_root_the_packages_are_named(home):
    done = bash('id() { echo 1000; }; command() { [ "$2" != sudo ]; }; install_packages no-such-package', home)
    assert done.returncode == 1
    assert done.stderr == (
        "install: no-such-package must be installed: run this as root or as a user with sudo, or have them installed\n"
    )


def test_a_broken_source_of_somebody_elses_stops_nothing(home):
    script = 'id() { echo 0; }; missing() { echo xz-utils; }; apt() { echo "apt $*"; [ "$1" != update ]; }\n'
    done = bash(script + "install_packages xz-utils", home)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "apt install -y --no-install-recommends xz-utils"


# The argument parser

PARSER = """
swift=$PWD/swift
fetch_source() {
  echo "fetched $1" >> log
  mkdir -p "$2"
  mkdir -p swiftlang-6.2.3/swift-argument-parser
  printf '# CHANGELOG\\n\\n## [1.6.1] - 2025-07-30\\n' > swiftlang-6.2.3/swift-argument-parser/CHANGELOG.md
  tar -cJf "$2/swiftlang_6.2.3.orig.tar.xz" swiftlang-6.2.3
}
is_debian() { true; }
make_scratch
provide_parser
"""


@pytest.fixture
def github(home):
    """A home folder whose git uses another address instead of GitHub, and a stand-in for Swift that keeps mirrors."""

    def use(address):
        (home / ".gitconfig").write_text(
            f'[url "{address}"]\n\tinsteadOf = https://github.com/apple/swift-argument-parser\n', encoding="utf-8"
        )
        swift = home / "swift"
        swift.write_text(
            '#!/bin/sh\ncase "$3" in\nget-mirror) cat mirror ;;\nunset-mirror) rm mirror ;;\n'
            'set-mirror) echo "$7" > mirror ;;\nesac\n', encoding="utf-8",
        )  # fmt: skip
        swift.chmod(0o755)
        return home

    return use


def test_github_is_taken_where_it_answers(github):
    home = github("file://repository")
    subprocess.run(["git", "init", "-q", "--bare", "repository"], cwd=home, check=True)
    (home / ".gitconfig").write_text(
        f'[url "file://{home}/repository"]\n\tinsteadOf = https://github.com/apple/swift-argument-parser\n',
        encoding="utf-8",
    )
    (home / "mirror").write_text("file:///gone\n", encoding="utf-8")
    done = bash("connects() { true; }\n" + PARSER, home)
    assert done.returncode == 0, done.stderr
    # A mirror that has disappeared is dropped.
    assert not (home / "log").exists() and not (home / "mirror").exists()


def test_without_github_the_sources_of_the_distribution_have_it(github):
    home = github(f"http://127.0.0.1:{closed_port()}")
    start = time.monotonic()
    for _ in range(2):
        done = bash("connects() { false; }\n" + PARSER, home)
        assert done.returncode == 0, done.stdout + done.stderr
    assert time.monotonic() - start < 20
    copy = home / ".cache/meetsim/swift-argument-parser"
    assert (home / "mirror").read_text(encoding="utf-8") == f"file://{copy}\n"
    tags = subprocess.run(["git", "-C", copy, "tag"], capture_output=True, text=True, check=True).stdout
    assert tags == "1.6.1\n"
    # Once is enough, even for another checkout.
    (home / "mirror").unlink()
    assert bash("connects() { false; }\n" + PARSER, home).returncode == 0
    assert (home / "log").read_text(encoding="utf-8") == "fetched swiftlang\n"


def test_a_copy_made_again_is_the_same(github):
    """SwiftPM refuses a version whose commit differs from the one it has seen, whatever has been deleted."""
    home = github(f"http://127.0.0.1:{closed_port()}")
    commits = []
    for _ in range(2):
        assert bash("connects() { false; }\n" + PARSER, home).returncode == 0
        copy = home / ".cache/meetsim/swift-argument-parser"
        commits.append(subprocess.run(["git", "-C", copy, "rev-parse", "HEAD"], capture_output=True, check=True).stdout)
        shutil.rmtree(copy)
        (home / "mirror").unlink()
        time.sleep(1.1)
    assert commits[0] == commits[1]


def test_an_interrupted_copy_counts_for_nothing(github):
    home = github(f"http://127.0.0.1:{closed_port()}")
    (home / ".cache/meetsim/swift-argument-parser.partial/.git").mkdir(parents=True)
    done = bash("connects() { false; }\n" + "git() { false; }\n" + PARSER, home)
    assert done.returncode != 0
    assert list((home / ".cache/meetsim").iterdir()) == []
    assert bash("connects() { false; }\n" + PARSER, home).returncode == 0


def test_neither_github_nor_the_distribution(github):
    home = github(f"http://127.0.0.1:{closed_port()}")
    done = bash("connects() { false; }\n" + PARSER.replace("is_debian", "fetch_source() { false; }\nis_debian", 1), home)
    assert done.returncode == 1
    assert "could be had neither from github.com nor from Debian's sources" in done.stderr
