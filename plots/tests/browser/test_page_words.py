"""Words of pages, and pages of results at the limits: large sweeps, a run with freezes on a phone, in the dark."""

import re
import subprocess

import pandas as pd
import pytest
from built import binary
from cut import cut_texts

LESSON = """
name: lesson
duration: 12s
policy: livekit
links: {thin: {capacity: [{at: 0s, to: 2 Mbps}, {at: 6s, to: 300 kbps}], delay: 20 ms, loss: 3 %}}
participants:
  - {id: ann, publish: {camera: 720p30, screen: {capture: 1080p15, on: false}}}
  - {id: eve, publish: {camera: 720p30}}
  - {id: bob, down: thin, publish: {camera: 360p30}, view: {stage: ann, everybody: 320x180, per-page: 2}}
timeline:
  - {at: 3s, participant: eve, mute: video}
  - {at: 5s, participant: eve, unmute: video}
  - {at: 8s, participant: ann, share: screen}
expect:
  - {viewer: bob, source: ann, metric: mos, is: ">= 1"}
  - {viewer: every, source: every, metric: frame_height, stat: p50, is: ">= 2000"}
"""
SWEEP = """
name: lesson
scenario: lesson.yaml
set: {duration: 4s, timeline: []}
variables: {policy: [livekit, jitsi], loss: {path: links.thin.loss, values: [0 %, 3 %]}}
repetitions: 3
expect:
  - {viewer: bob, source: ann, metric: mos, is: ">= 3"}
"""
# Heads, labels and legends without what a user has named.
WORDS = """
const own = (each) => [...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent).join("")
const all = (which, text) => [...document.querySelectorAll(which)].map(text)
return [
  ...all("thead th", (each) => each.textContent), ...all("dt", (each) => each.textContent),
  ...all(".legend li", (each) => own(each)), ...all(".legend li span", (each) => each.textContent),
  ...all("label", own), ...all(".verdict", (each) => each.textContent),
]
"""
STATISTIC = re.compile(r" (mean|min|max|total|p\d\d)$")


@pytest.fixture(scope="module")
def pages(meetsim, tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    (folder / "lesson.yaml").write_text(LESSON)
    (folder / "sweep.yaml").write_text(SWEEP)
    meetsim("run", folder / "lesson.yaml", "-q", "-o", folder / "a", "--report", folder / "one.html")
    meetsim("run", folder / "lesson.yaml", "-q", "-o", folder / "b", "--set", "policy=jitsi")
    meetsim("report", folder / "a", folder / "b", "-o", folder / "two.html")
    meetsim("sweep", folder / "sweep.yaml", "-q", "-o", folder / "s")
    meetsim("report", folder / "s", "-o", folder / "sweep.html")
    return folder


@pytest.mark.parametrize("page", ["one", "two", "sweep"])
def test_every_word_of_a_page_is_in_the_reference(opened, pages, page):
    browser = opened(pages / f"{page}.html")
    if page != "sweep":
        browser.execute_script("report.clock.seek(9)")
    named = {"", "ann", "eve", "bob", "ann/screen", "livekit", "jitsi", "A", "B", "loss", "?"}
    # A label's count of events and the sign before what is taken away are no parts of a word.
    words = {re.sub(r" \(\d+\)$|^− ", "", word).strip() for word in browser.execute_script(WORDS)} - named
    words = {STATISTIC.sub("", word) for word in words if not re.search(r"[←→]|^[A-Z]{1,2}$|Home|Space|Shift|^−\+$", word)}
    # A choice may be a sentence.
    words = {word for word in words if len(word.split()) < 6}
    unknown = [word for word in sorted(words) if subprocess.run([binary(), "reference", word], capture_output=True).returncode]
    assert unknown == [] and len(words) >= (12 if page == "sweep" else 25)


def test_a_page_explains_limitations_as_the_reference_does(opened, pages):
    meanings = opened(pages / "one.html").execute_script("return report.panes[0].viewer.run.data.limitations")
    assert len(meanings) == 13
    for word, meaning in meanings.items():
        text = subprocess.run([binary(), "reference", f"{word}"], capture_output=True, text=True, check=True).stdout
        assert meaning in " ".join(text.split()), word


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (360, "dark")])
@pytest.mark.parametrize("page", ["one", "two"])
def test_freezes_and_shares_can_be_read_by_everybody(opened, pages, page, width, scheme):
    axe = pytest.importorskip("axe_core_python.selenium")
    browser = opened(pages / f"{page}.html", width=width, height=780, scheme=scheme)
    for time in (2, 4, 9, 12):
        browser.execute_script("report.clock.seek(arguments[0])", time)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    found = axe.Axe().run(browser)["violations"]
    assert [v["id"] for v in found if v["impact"] in ("serious", "critical") or v["id"] == "landmark-unique"] == []


LARGE = """
name: large
scenario:
  name: pair
  duration: 1s
  participants:
    - {id: ann, publish: {camera: 360p15}}
    - {id: cat, down: home, view: {stage: ann}}
  links: {home: {capacity: 2 Mbps, delay: 20 ms}}
variables:
  policy: [janus, jitsi, mediasoup, signal]
  capacity: {path: links.home.capacity, range: {from: 300 kbps, to: 3 Mbps, count: 8}}
  loss: {path: links.home.loss, values: [0 %, 1 %, 3 %, 5 %]}
repetitions: 16
expect:
  - {viewer: cat, source: ann, metric: mos, is: ">= 2"}
"""


def test_a_sweep_of_2048_runs_is_drawn(opened, meetsim, tmp_path):
    (tmp_path / "large.yaml").write_text(LARGE)
    meetsim("sweep", tmp_path / "large.yaml", "-o", tmp_path / "large", "-q")
    meetsim("report", tmp_path / "large", "-o", tmp_path / "large.html")
    assert len(pd.read_csv(tmp_path / "large/runs.csv")) == 2048
    for width in (1280, 360):
        browser = opened(tmp_path / "large.html", width=width, height=780)
        assert "of 128 hold" in browser.find_element("css selector", ".header-facts").text
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        assert cut_texts(browser) == []
        markers = browser.find_elements("css selector", ".panels:not(.wide) .marker title")
        assert len(markers) == 128
    words = browser.find_element("css selector", ".shown-words").text
    assert "means of 16 runs each" in words
