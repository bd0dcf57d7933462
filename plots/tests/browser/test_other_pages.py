"""The pages of two runs and of a sweep, in a browser."""

import re

import pandas as pd
import pytest
from cut import cut_texts
from synthetic import write_details, write_run


@pytest.fixture(scope="module")
def two(meetsim, tmp_path_factory):
    """Two lessons; in the second, students' small pictures have 90 lines where the first have 180."""
    folder = tmp_path_factory.mktemp("results")
    runs = [write_details(write_run(folder / name)) for name in "ab"]
    rows = (
        (runs[1] / "streams.csv")
        .read_text()
        .replace("15,180,320,180", "15,180,160,90")
        .replace("30,180,320,180", "30,180,160,90")
    )
    (runs[1] / "streams.csv").write_text(rows)
    meetsim("report", *runs, "-o", folder / "two.html")
    return folder / "two.html"


BEFORE_AND_AFTER = """
name: dip
duration: 20s
seed: 3
policy: mediasoup
links: {home: {capacity: 5 Mbps, delay: 20 ms}}
participants:
  - {id: ann, publish: {camera: 720p30}, view: {stage: ben}}
  - {id: ben, publish: {camera: 720p30}, view: {stage: ann}}
  - {id: cat, down: home, view: {stage: ann}}
"""


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_two_runs_open_where_the_worse_one_is_worth_seeing(opened, meetsim, tmp_path, order):
    (tmp_path / "a.yaml").write_text(BEFORE_AND_AFTER)
    dip = "timeline: [{at: 12s, link: cat/down, capacity: 200 kbps}]\n"
    (tmp_path / "b.yaml").write_text(BEFORE_AND_AFTER + dip)
    for name in "ab":
        meetsim("run", tmp_path / f"{name}.yaml", "-q", "-o", tmp_path / name)
    meetsim("report", *(tmp_path / name for name in order), "-o", tmp_path / "two.html")
    browser = opened(tmp_path / "two.html")
    viewer, selected, time = browser.execute_script("return [report.viewerId, report.selected, report.clock.time]")
    assert (viewer, selected) == ("cat", "ann")
    assert 12 < time <= 15


SWEEP = """
name: narrow
title: A narrow downlink
scenario:
  name: pair
  duration: 6s
  participants:
    - {id: ann, publish: {camera: 720p30}, view: {stage: ben}}
    - {id: ben, publish: {camera: 720p30}, view: {tiles: {ann: 640x360}}}
    - {id: cat, down: home, view: {stage: ann, tiles: {ben: 320x180}}}
  links: {home: {capacity: 2 Mbps, delay: 20 ms}}
variables:
  policy: [janus, {label: pausing livekit, value: {name: livekit, allow-pause: true}}]
  capacity: {path: links.home.capacity, values: [500 kbps, 1 Mbps, 2 Mbps]}
  loss: {path: links.home.loss, values: [0 %, 2 %]}
where: loss == 0 % or capacity > 500 kbps
repetitions: 4
expect:
  - {viewer: cat, source: ann, metric: mos, is: ">= 3"}
"""


@pytest.fixture(scope="module")
def sweep(meetsim, tmp_path_factory):
    """Ten of twelve points, with a label and an expectation."""
    folder = tmp_path_factory.mktemp("results")
    (folder / "narrow.yaml").write_text(SWEEP)
    meetsim("sweep", folder / "narrow.yaml", "-o", folder / "narrow", "-q")
    meetsim("report", folder / "narrow", "-o", folder / "sweep.html")
    return folder / "sweep.html"


def serious(browser):
    """What a check of accessibility finds that is serious."""
    axe = pytest.importorskip("axe_core_python.selenium")
    found = axe.Axe().run(browser)["violations"]
    return [
        (v["id"], [n["html"][:150] for n in v["nodes"][:3]]) for v in found if v["impact"] in ("serious", "critical")
    ]


def choose(browser, name, value):
    """Chooses a value by its text."""
    from selenium.webdriver.support.select import Select

    Select(browser.find_element("css selector", f"[data-name='{name}'] select")).select_by_visible_text(value)
    browser.execute_async_script("report.show().then(arguments[0])")


def test_two_screens_show_one_moment_and_mark_what_differs(opened, two):
    browser = opened(two)
    browser.execute_async_script("report.setViewer('teacher').then(arguments[0])")
    browser.execute_script("report.clock.seek(10)")
    screens = browser.find_elements("css selector", ".screen")
    shown = [
        {
            tile.text.split("\n")[-2]: tile.get_attribute("data-height")
            for tile in screen.find_elements("css selector", ".tile")
        }
        for screen in screens
    ]
    assert set(shown[0].values()) == {"180"} and set(shown[1].values()) == {"90"} and set(shown[0]) == set(shown[1])
    assert len(browser.find_elements("css selector", ".tile.is-different")) == 2 * len(shown[0])
    table = browser.find_element("css selector", "section[aria-label='Differences at this moment']").text
    assert "5 of 5 sources differ" in table and "180p" in table and "90p" in table
    assert serious(browser) == []


def rows_of(sweep, metric, viewer):
    """A metric of a viewer at each point, as summary.csv has it."""
    summary = pd.read_csv(sweep.parent / "narrow/summary.csv")
    return summary[(summary["metric"] == metric) & (summary["viewer"] == viewer) & (summary["scope"] == "participant")]


def test_a_sweep_says_and_draws_what_is_chosen(opened, sweep):
    browser = opened(sweep)
    words = lambda: browser.find_element("css selector", ".shown-words").text  # noqa: E731
    # The expectation's metric comes first, with its bound, over the whole range of scores.
    assert words().startswith("mos, mean [1 to 5] of cat, of source ann: means of 4 runs each, with 95 % Student-t intervals")
    assert [each.text for each in browser.find_elements("css selector", ".panels:not(.wide) figcaption")] == [
        "policy janus",
        "policy pausing livekit",
    ]
    bounds = browser.find_elements("css selector", ".panels:not(.wide) .bound-text")
    assert [each.text for each in bounds] == ["expected >= 3"] * 2
    ticks = browser.execute_script(
        "return [...document.querySelector('.xy').querySelectorAll('text.tick[text-anchor=end]')].map((t) => t.textContent)"
    )
    assert (ticks[0], ticks[-1]) == ("1", "5")
    assert "of 10 hold" in browser.find_element("css selector", ".header-facts").text
    assert len(browser.find_elements("css selector", ".panels:not(.wide) .marker title")) == 10
    # A cell for each combination; two of twelve are no points.
    cells = browser.find_elements("css selector", ".heat .cell")
    assert len(cells) == 12 and len(browser.find_elements("css selector", ".heat .cell.is-empty")) == 2
    choose(browser, "metric", "utility")
    choose(browser, "viewer", "cat")
    held = browser.execute_async_script(
        "report.sweep.summaryOf(report.choices.current).then((found) => arguments[0]([...found.values()]))"
    )
    rows = rows_of(sweep, "utility", "cat")
    for column in ["n", "mean", "sd", "ci_lo", "ci_hi", "p50", "max"]:
        assert [each[column] for each in held] == pytest.approx(rows[column].tolist(), rel=1e-6), column
    choose(browser, "panels", "none")
    assert "Here policy is janus." in words()
    assert len(browser.find_elements("css selector", ".panels:not(.wide) .marker")) == 5
    assert len(browser.find_elements("css selector", ".pairs tbody tr")) >= 9


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (360, "light")])
def test_everybody_can_read_a_sweep(opened, sweep, width, scheme):
    browser = opened(sweep, width=width, height=780, scheme=scheme)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert cut_texts(browser) == []
    cut = "return [...document.querySelectorAll('.scroll')].filter((each) => each.scrollWidth > each.clientWidth).length"
    assert width > 640 or browser.execute_script(cut) == 0
    assert serious(browser) == []


def test_paired_differences_are_those_of_the_runs_from_the_baseline_that_is_chosen(opened, sweep):
    from selenium.webdriver.support.select import Select

    browser = opened(sweep)
    choose(browser, "metric", "utility")
    choose(browser, "viewer", "cat")
    runs, scalars = pd.read_csv(sweep.parent / "narrow/runs.csv"), pd.read_csv(sweep.parent / "narrow/scalars.csv")
    rows = scalars[(scalars["metric"] == "utility") & (scalars["viewer"] == "cat")].merge(runs, on="run_id")
    of = lambda point: rows[rows["point_id"] == point].set_index("repetition")["value"]  # noqa: E731
    for base, point in [("p1", "p4"), ("p4", "p2")]:
        words = [browser.execute_script(f"return report.sweep.pointInWords({int(p[1:]) - 1})") for p in (base, point)]
        Select(browser.find_element("css selector", "[data-name='baseline'] select")).select_by_visible_text(words[0])
        browser.execute_async_script("setTimeout(arguments[0], 200)")
        found = [row.text for row in browser.find_elements("css selector", ".pairs tbody tr") if words[1] in row.text]
        difference = of(point) - of(base)
        half = 3.182446 * difference.std() / 2
        assert f"{abs(difference.mean()):.3g}" in found[-1], found
        assert f"{abs(difference.mean() - half):.3g}" in found[-1] and len(difference) == 4


SWEEPS = {
    "one variable": ("variables:\n  capacity: {path: links.home.capacity, values: [500 kbps, 2 Mbps]}", "2"),
    "points": (
        "points:\n  - {links.home.capacity: 500 kbps, duration: 4s}\n  - {links.home.capacity: 2 Mbps, duration: 5s}",
        "2",
    ),
    "nothing varies": ("", "2"),
    "one run each": ("variables:\n  policy: [janus, jitsi]", "1"),
    "failed runs": ("variables:\n  view: {path: participants.cat.view.stage, values: [ann, nobody]}", "2"),
    "samples": (
        "variables:\n  capacity: {path: links.home.capacity, range: {from: 500 kbps, to: 5 Mbps}}\n"
        "  loss: {path: links.home.loss, range: {from: 0 %, to: 5 %}}\nsample: {method: sobol, count: 8}",
        "1",
    ),
}


@pytest.mark.parametrize("kind", SWEEPS)
def test_a_sweep_of_any_kind_is_drawn(opened, meetsim, tmp_path, kind):
    design, repetitions = SWEEPS[kind]
    scenario = SWEEP[SWEEP.index("scenario:") : SWEEP.index("variables:")]
    (tmp_path / "any.yaml").write_text(f"name: any\n{scenario}{design}\nrepetitions: {repetitions}\n")
    meetsim("sweep", tmp_path / "any.yaml", "-o", tmp_path / "any", "-q", codes=(0, 3))
    meetsim("report", tmp_path / "any", "-o", tmp_path / "any.html")
    for width in (1280, 360):
        browser = opened(tmp_path / "any.html", width=width, height=780)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        assert cut_texts(browser) == []
        assert browser.find_element("css selector", ".shown-words").text
    if kind == "failed runs":
        text = browser.find_element("css selector", "section[aria-label='Runs without results']").text
        assert "Runs without results: 2" in text and "nobody" in text


MANY = """
name: many
scenario:
  name: gallery
  duration: 3s
  participants:
    - {id: pupil, count: 9, publish: {camera: 360p30}, view: {everybody: 320x180}}
    - {id: weak, down: home, publish: {camera: 360p30}, view: {everybody: 320x180}}
  links: {home: {capacity: 1 Mbps, delay: 20 ms}}
variables:
  capacity: {path: links.home.capacity, values: [200 kbps, 2 Mbps]}
repetitions: REPETITIONS
expect:
  - {viewer: weak, source: pupil-9, metric: mos, is: ">= 5"}
  - {viewer: weak, source: pupil-9, metric: freezes_duration, is: ">= 0"}
"""


@pytest.mark.parametrize("repetitions", [1, 2])
def test_menus_of_many_series_offer_the_one_that_is_shown(opened, meetsim, tmp_path, repetitions):
    from selenium.webdriver.support.select import Select

    (tmp_path / "many.yaml").write_text(MANY.replace("REPETITIONS", str(repetitions)))
    meetsim("sweep", tmp_path / "many.yaml", "-o", tmp_path / "many", "-q")
    meetsim("report", tmp_path / "many", "-o", tmp_path / "many.html")
    browser = opened(tmp_path / "many.html")
    menu = Select(browser.find_element("css selector", "[data-name='quality'] select"))
    assert len(menu.options) == 301
    assert menu.first_selected_option.text == "mos mean of weak, of source pupil-9"
    said = browser.find_element("css selector", ".shown-words").text
    if repetitions == 1:
        assert "of weak, of source pupil-9: values of one run each, which have no interval. More is better." in said
    else:
        assert "of weak, of source pupil-9: means of 2 runs each, with 95 % Student-t intervals. More is better." in said
    assert "[Mbps]" in browser.find_element("css selector", ".panels:not(.wide) svg").get_attribute("aria-label")
    facts = browser.find_element("css selector", ".header-facts").text
    assert re.search(r"\d of 4 hold, \d (failed|inconclusive)", facts), facts
    # Intervals of two runs are wide, and end at the axes.
    beyond = """return [...document.querySelectorAll('svg.xy')].flatMap((svg) => [...svg.querySelectorAll('.interval')]
      .map((each) => each.getBBox()).filter((box) => box.y < 9 || box.y + box.height > svg.viewBox.baseVal.height - 39
        || box.x < 50 || box.x + box.width > svg.viewBox.baseVal.width)).length"""
    assert browser.execute_script(beyond) == 0
