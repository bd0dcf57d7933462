"""Pages of sweeps of which runs have no results: some, all, or those of other shards."""

import pandas as pd
import pytest
from cut import cut_texts
from test_other_pages import serious

SWEEP = """
name: failing
scenario:
  name: pair
  duration: 3s
  participants:
    - {id: ann, publish: {camera: 720p30}, view: {stage: ben}}
    - {id: ben, publish: {camera: 720p30}, view: {tiles: {ann: 640x360}}}
    - {id: cat, down: home, view: {stage: ann, tiles: {ben: 320x180}}}
  links: {home: {capacity: 2 Mbps, delay: 20 ms}}
variables:
  policy: [janus, jitsi]
  length: {path: duration, values: [LENGTHS]}
  capacity: {path: links.home.capacity, values: [500 kbps, 2 Mbps]}
repetitions: 2
timeout: 1500 ms
expect:
  - {viewer: cat, source: ann, metric: mos, is: ">= 3"}
"""
# A run of 20 hours takes minutes.
KINDS = {"some": ("3 s, 20 h", ()), "all": ("20 h, 24 h", ()), "shard": ("3 s, 20 h", ("--shard", "1/3"))}


@pytest.fixture(scope="module", params=KINDS)
def failing(request, meetsim, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    lengths, options = KINDS[request.param]
    (folder / "sweep.yaml").write_text(SWEEP.replace("LENGTHS", lengths))
    meetsim("sweep", folder / "sweep.yaml", "-o", folder / "out", "-q", *options, codes=(3,))
    meetsim("report", folder / "out", "-o", folder / "out.html")
    return request.param, folder


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")])
def test_runs_without_results_are_listed_and_left_empty(opened, failing, width, scheme):
    kind, folder = failing
    runs = pd.read_csv(folder / "out/runs.csv")
    bad = runs[runs["status"] != "ok"]
    assert set(bad["status"]) == {"timeout"} and (len(bad) == len(runs)) == (kind == "all")
    browser = opened(folder / "out.html", width=width, height=780, scheme=scheme)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert cut_texts(browser) == []
    text = browser.find_element("css selector", "section[aria-label='Runs without results']").text
    assert f"Runs without results: {len(bad)}" in text and "the run took longer than 1.5 s" in text
    assert all(run in text for run in bad["run_id"])
    assert str(len(bad)) in browser.find_element("css selector", ".header-facts").text
    assert serious(browser) == []
    if kind == "all":
        assert "No run has results, so there is nothing to draw." in browser.find_element("css selector", "main").text
        return
    points = runs[runs["status"] == "ok"]["point_id"].nunique()
    cells = browser.find_elements("css selector", ".heat .cell")
    empty = browser.find_elements("css selector", ".heat .cell.is-empty")
    assert len(cells) - len(empty) == points
    assert len(browser.find_elements("css selector", ".panels:not(.wide) .marker title")) == points
    # Seconds, not 72,000,000 ms.
    ticks = browser.execute_script("return [...document.querySelectorAll('.xy .axis-title')].map((t) => t.textContent)")
    assert "length [s], logarithmic" in ticks
    words = browser.find_element("css selector", ".shown-words").text
    assert ("means of 2 runs each" if kind == "some" else "values of one run each, which have no interval") in words
