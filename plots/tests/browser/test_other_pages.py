"""The pages of two runs and of a sweep, in a browser."""

import pandas as pd
import pytest
from synthetic import write_details, write_run
from synthetic_sweep import write_sweep_of_runs

from meetsim_plots.command import main


@pytest.fixture(scope="module")
def two(tmp_path_factory):
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
    assert main(["report", *map(str, runs), "-o", str(folder / "two.html")]) == 0
    return folder / "two.html"


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    folder = write_sweep_of_runs(tmp_path_factory.mktemp("results") / "sweep", viewers=2)
    assert main(["report", str(folder), "-o", str(folder / "sweep.html")]) == 0
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


def test_a_sweep_says_and_draws_what_is_chosen(opened, sweep):
    browser = opened(sweep)
    words = lambda: browser.find_element("css selector", ".shown-words").text  # noqa: E731
    assert words().startswith("utility, mean [1] of viewer-1: means of 3 to 4 runs each, with 95 % Student-t intervals")
    assert [each.text for each in browser.find_elements("css selector", ".panels:not(.wide) figcaption")] == [
        "policy bluejeans",
        "policy janus",
    ]
    markers = browser.find_elements("css selector", ".panels:not(.wide) .marker title")
    summary = pd.read_csv(sweep.parent / "summary.csv")
    rows = summary[(summary["metric"] == "utility") & (summary["viewer"] == "viewer-1")]
    assert len(markers) == len(rows) == 12
    held = browser.execute_async_script(
        "report.sweep.summaryOf(report.choices.current).then((found) => arguments[0]([...found.values()]))"
    )
    assert [each["mean"] for each in held] == pytest.approx(rows["mean"].tolist(), rel=1e-6)
    titles = [marker.get_attribute("textContent") for marker in markers]
    assert f"0.5 Mbit/s: {rows['mean'].iloc[0]:.3g} (" in titles[0]
    assert len(browser.find_elements("css selector", ".heat .cell")) == 12
    choose(browser, "metric", "bitrate")
    choose(browser, "viewer", "viewer-2")
    assert words().startswith("bitrate, mean [Mbit/s] of viewer-2")
    choose(browser, "panels", "none")
    assert "Here policy is bluejeans." in words()
    assert len(browser.find_elements("css selector", ".panels:not(.wide) .marker")) == 6
    pairs = browser.find_elements("css selector", ".pairs tbody tr")
    assert len(pairs) >= 11 and "better" not in pairs[-1].text
    assert (
        "the worker crashed" in browser.find_element("css selector", "section[aria-label='Runs without results']").text
    )


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (360, "light")])
def test_everybody_can_read_a_sweep(opened, sweep, width, scheme):
    browser = opened(sweep, width=width, height=780, scheme=scheme)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert serious(browser) == []


def test_paired_differences_are_those_of_the_runs(opened, sweep):
    browser = opened(sweep)
    choose(browser, "metric", "utility")
    text = [
        row.text
        for row in browser.find_elements("css selector", ".pairs tbody tr")
        if "policy janus · capacity 2 Mbit/s · loss 0 %" in row.text
    ][-1]
    runs, scalars = pd.read_csv(sweep.parent / "runs.csv"), pd.read_csv(sweep.parent / "scalars.csv")
    rows = scalars[(scalars["metric"] == "utility") & (scalars["viewer"] == "viewer-1")].merge(runs, on="run_id")
    of = lambda point: rows[rows["point_id"] == point].set_index("repetition")["value"]  # noqa: E731
    point = runs[(runs["p_policy"] == "janus") & (runs["p_capacity_bps"] == 2_000_000) & (runs["p_loss_frac"] == 0)][
        "point_id"
    ].iloc[0]
    difference = (of(point) - of("p1")).dropna()
    half = 4.302653 * difference.std() / 3**0.5
    assert len(difference) == 3
    assert f"+{difference.mean():.3g} better" in text
    assert f"{difference.mean() - half:.3g} to {difference.mean() + half:.3g}" in text
