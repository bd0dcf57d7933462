"""The page of a run shows at any moment what the tables say, by mouse and by keyboard, to everybody."""

import random
import re

import pandas as pd
import pytest
from cut import cut_texts
from synthetic import write_details, write_run

TILES = """
return [...document.querySelectorAll('.tile')].map((tile) => {
  const screen = tile.parentElement.getBoundingClientRect(), box = tile.getBoundingClientRect();
  const scale = 1280 / screen.width;
  return {source: tile.querySelector('.tile-name').textContent, height: tile.dataset.height,
    limitation: tile.dataset.limitation, look: tile.dataset.look, delivered: tile.querySelector('.tile-delivered').textContent,
    note: tile.querySelector('.tile-note').textContent,
    box: [box.left - screen.left, box.top - screen.top, box.width, box.height].map((each) => each * scale)};
});
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write_details(write_run(tmp_path_factory.mktemp("results") / "run"))


@pytest.fixture(scope="module")
def page(meetsim, run):
    output = run.parent / "report.html"
    meetsim("report", run, "-o", output)
    return output


def shown(browser, viewer, time):
    """Tiles by source after a choice of viewer and moment."""
    browser.execute_async_script("report.setViewer(arguments[0]).then(arguments[1])", viewer)
    browser.execute_script("report.clock.seek(arguments[0])", time)
    return {tile["source"]: tile for tile in browser.execute_script(TILES)}


def placed(layout, viewer, time):
    """The rows of the layout that hold at a moment and are on the screen."""
    rows = layout[(layout["viewer"] == viewer) & (layout["time_s"] <= time) & layout["source"].notna()]
    last = rows.drop_duplicates("source", keep="last").set_index("source")
    return last[last["visible_frac"] > 0]


def test_random_moments_are_those_of_the_tables(opened, page, run):
    browser = opened(page)
    streams, layout = pd.read_csv(run / "streams.csv"), pd.read_csv(run / "layout.csv")
    people = pd.read_csv(run / "participants.csv")
    choice = random.Random(11)
    for _ in range(25):
        viewer, time = choice.choice(list(streams["viewer"].unique())), choice.randrange(1, 600) / 10
        tick = next(t for t in sorted(streams["time_s"].unique()) if t >= time)
        tiles = shown(browser, viewer, time)
        places = placed(layout, viewer, time)
        assert set(tiles) == set(places.index)
        rows = streams[(streams["viewer"] == viewer) & (streams["time_s"] == tick)].set_index("source")
        for source, tile in tiles.items():
            row, place = rows.loc[source], places.loc[source]
            height = "" if pd.isna(row["frame_height_px"]) else str(int(row["frame_height_px"]))
            assert (tile["height"], tile["limitation"]) == (height, str(row["limitation"]).replace("nan", ""))
            if height:
                assert tile["delivered"].startswith(f"{height}p") and tile["look"] == "picture"
            scrolled = 100 if time >= 45 else 0
            box = [place["x_px"], place["y_px"] - scrolled, place["width_px"], place["height_px"]]
            assert tile["box"] == pytest.approx(box, abs=1.5)
        # The charts' readings are of the interval too, in the charts' unit.
        own = browser.execute_script("return report.panes[0].viewer.own('down_estimate_bps')")
        person = people[people["participant"] == viewer].sort_values("time_s")
        assert own == person["down_estimate_bps"].tolist()
        reading = browser.find_element("css selector", ".chart-box .legend li:nth-child(2) b").text
        estimate = person[person["time_s"] == tick]["down_estimate_bps"].iloc[0] / 1e6
        assert float(reading) == pytest.approx(estimate, rel=0.005)


def test_playing_and_scrubbing_change_the_screen(opened, page):
    browser = opened(page)
    shown(browser, "student-1", 19.0)
    before = browser.execute_script(TILES)
    browser.execute_script("report.clock.speed = 10")
    browser.find_element("css selector", ".play").click()
    browser.execute_async_script("setTimeout(arguments[0], 400)")
    browser.find_element("css selector", ".play").click()
    assert browser.execute_script("return [report.clock.isPlaying, report.clock.time > 20]") == [False, True]
    assert browser.execute_script(TILES) != before
    # A click on a chart, at three quarters of its time axis.
    chart = browser.find_element("css selector", "svg.chart")
    width = chart.size["width"]
    from selenium.webdriver import ActionChains

    at = 46 + 0.75 * (width - 54)
    ActionChains(browser).move_to_element_with_offset(chart, at - width / 2, 0).click().perform()
    assert browser.execute_script("return report.clock.time") == pytest.approx(45, abs=0.5)
    assert browser.find_element("css selector", ".time").text.startswith("0:4")


def test_keys_do_what_the_page_says(opened, page):
    from selenium.webdriver.common.keys import Keys

    browser = opened(page)
    body = browser.find_element("css selector", "body")
    time = lambda: browser.execute_script("return report.clock.time")  # noqa: E731
    browser.execute_script("report.clock.seek(0)")
    for key, expected in [
        (Keys.ARROW_RIGHT, 1.0),
        (Keys.ARROW_RIGHT, 2.0),
        (Keys.ARROW_LEFT, 1.0),
        (Keys.SHIFT + Keys.ARROW_RIGHT, 11.0),
        (Keys.END, 60.0),
        (Keys.HOME, 0.0),
        ("n", 2.0),
        ("n", 20.0),
        ("p", 2.0),
    ]:
        body.send_keys(key)
        assert time() == expected, key
    body.send_keys(" ")
    assert browser.execute_script("return report.clock.isPlaying") is True
    body.send_keys(" ")
    assert browser.execute_script("return report.clock.isPlaying") is False
    viewer = browser.execute_script("return report.viewerId")
    body.send_keys("v")
    browser.execute_async_script("setTimeout(arguments[0], 100)")
    assert browser.execute_script("return report.viewerId") != viewer
    body.send_keys("t")
    assert browser.execute_script("return document.documentElement.dataset.theme") == "dark"
    browser.execute_script("report.clock.seek(2)")
    # The slider's own keys, and a tile by Enter.
    browser.find_element("css selector", ".slider").send_keys(Keys.ARROW_RIGHT)
    assert time() == 3.0
    tile = browser.find_elements("css selector", ".tile")[-1]
    tile.send_keys(Keys.ENTER)
    assert tile.get_attribute("aria-pressed") == "true"


def test_a_tile_shows_its_budget(opened, page):
    browser = opened(page)
    shown(browser, "student-1", 25.0)
    tiles = browser.find_elements("css selector", ".tile")
    next(tile for tile in tiles if "student-2" in tile.text).click()
    text = browser.find_element("css selector", ".budget").text
    for part in [
        "student-2",
        "bandwidth",
        "h.2",
        "h.1",
        "1.9 Mbps",
        "− voice",
        "40 kbps",
        "− given before",
        "150 kbps",
        "1.75 Mbps",
    ]:
        assert part in text, part
    next(tile for tile in tiles if "teacher" in tile.text).click()
    assert "The downlink has 900 kbps." in browser.find_element("css selector", ".budget blockquote").text
    browser.execute_script("report.clock.seek(31)")
    text = browser.find_element("css selector", ".budget").text
    assert "hold" in text and "900 kbps" in text and "− voice" not in text


def test_moments_and_events_jump(opened, page):
    browser = opened(page)
    shown(browser, "student-1", 0.0)
    row = browser.find_element("css selector", "section[aria-label='Worst moments'] tbody tr")
    assert "teacher" in row.text and "bandwidth" in row.text
    begin = re.search(r"0:(\d+\.\d)", row.text)
    row.find_element("css selector", "button").click()
    assert browser.execute_script("return report.clock.time") > float(begin.group(1))
    assert browser.execute_script("return report.selected") == "teacher"
    browser.find_elements("css selector", "section[aria-label='Events'] .jump")[1].click()
    assert browser.execute_script("return report.clock.time") == 20.0


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (360, "light")])
def test_everybody_can_read_it(opened, page, width, scheme):
    axe = pytest.importorskip("axe_core_python.selenium")
    browser = opened(page, width=width, height=780, scheme=scheme)
    browser.execute_script("report.clock.seek(25)")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert cut_texts(browser) == []
    cut = "return [...document.querySelectorAll('.scroll')].filter((each) => each.scrollWidth > each.clientWidth).length"
    assert width > 640 or browser.execute_script(cut) == 0
    found = axe.Axe().run(browser)["violations"]
    serious = [
        (v["id"], [n["html"][:150] for n in v["nodes"][:3]]) for v in found if v["impact"] in ("serious", "critical")
    ]
    assert serious == []


LOSSY = """
name: lossy
duration: 20s
policy: livekit
links:
  wifi: {capacity: 1500 kbps, delay: 40 ms, queue: 500 ms}
participants:
  - {id: ann, publish: {camera: 720p30}, view: {tiles: {ben: 320x180}}}
  - {id: ben, down: wifi, publish: {camera: 360p30}, view: {stage: ann}}
timeline:
  - {at: 10s, link: ben/down, down: 3s}
expect:
  - {viewer: ben, source: ann, metric: freezes_duration, stat: total, is: "<= 0.1"}
  - {viewer: ann, source: ben, metric: frame_height, stat: p50, is: ">= 100"}
"""


@pytest.fixture(scope="module")
def lossy(meetsim, tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    (folder / "lossy.yaml").write_text(LOSSY)
    meetsim("run", folder / "lossy.yaml", "-q", "-o", folder / "out", "--report", folder / "lossy.html")
    return folder


def test_it_opens_on_who_suffers_at_the_first_moment_worth_seeing(opened, lossy):
    browser = opened(lossy / "lossy.html")
    viewer, selected, time = browser.execute_script("return [report.viewerId, report.selected, report.clock.time]")
    moments = [
        moment
        for moment in browser.execute_script("return report.runs[0].data.moments")
        if moment["viewer"] == "ben" and (moment["what"] == "freeze" or moment["limitation"] not in ("starting", "switching"))
    ]
    first = min(moments, key=lambda moment: moment["begin"])
    assert (viewer, selected) == ("ben", "ann")
    assert time == (first["end"] if first["what"] == "freeze" else first["begin"] + 1)


def test_freezes_and_losses_are_marked_below_the_slider(opened, lossy):
    browser = opened(lossy / "lossy.html")
    streams, people = pd.read_csv(lossy / "out/streams.csv"), pd.read_csv(lossy / "out/participants.csv")
    covered = "return [...document.querySelectorAll(arguments[0] + ' i')].map((i) => [parseFloat(i.style.left), parseFloat(i.style.width)])"
    frozen = browser.execute_script(covered, ".troubles .band-freeze")
    ends = streams[(streams["viewer"] == "ben") & (streams["freezes_duration_s"] > 0)]
    assert len(ends) and frozen
    for row in ends.itertuples():
        place = 100 * (row.time_s - min(row.freezes_duration_s, 1) / 2) / 20
        assert any(left <= place <= left + width for left, width in frozen), row.time_s
    lost = people[(people["participant"] == "ben") & (people["down_loss_frac"] >= 0.01)]["time_s"]
    spans = browser.execute_script(covered, ".troubles .band-loss")
    assert sum(width for _, width in spans) == pytest.approx(100 * len(lost) / 20)


def test_the_verdicts_of_expectations_stand_on_the_page(opened, lossy):
    browser = opened(lossy / "lossy.html")
    rows = browser.find_elements("css selector", ".verdicts tbody tr")
    assert [row.text.split("\n")[0].split()[0] for row in rows] == ["failed", "holds"]
    assert "1 of 2 hold" in browser.find_element("css selector", ".header-facts").text
    browser.execute_async_script("report.setViewer('ann').then(arguments[0])")
    rows[0].find_element("css selector", "button").click()
    browser.execute_async_script("setTimeout(arguments[0], 200)")
    assert browser.execute_script("return [report.viewerId, report.selected]") == ["ben", "ann"]


KINDS = {
    "pages": ("view: {everybody: 320x180, per-page: 2}", "{at: 3s, participant: ben, page: 2}"),
    "share": ("view: {everybody: 320x180}", "{at: 2s, participant: ann, share: screen}"),
    "nobody watching": ("view: null", "{at: 2s, participant: ann, mute: video}"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_of_any_kind_is_shown(opened, meetsim, tmp_path, kind):
    view, action = KINDS[kind]
    own = "" if kind == "nobody watching" else f", {view}"
    screen = ", screen: 1080p15" if kind == "share" else ""
    people = "".join(
        f"  - {{id: {name}, publish: {{camera: 360p30{screen if name == 'ann' else ''}}}{own}}}\n"
        for name in ["ann", "ben", "cat", "dan"]
    )
    (tmp_path / "any.yaml").write_text(
        f"name: any\nduration: 6s\npolicy: livekit\nparticipants:\n{people}timeline:\n  - {action}\n"
    )
    meetsim("run", tmp_path / "any.yaml", "-q", "-o", tmp_path / "out", "--report", tmp_path / "any.html")
    browser = opened(tmp_path / "any.html", width=360, height=780)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
    assert cut_texts(browser) == []
    if kind == "nobody watching":
        assert "Nobody watches in this run" in browser.find_element("css selector", "main").text
        return
    for time in (1, 2.5, 4, 6):
        browser.execute_script("report.clock.seek(arguments[0])", time)
        assert browser.find_elements("css selector", ".tile")


PAGES = """
name: pages
duration: 12s
policy: livekit
participants:
  - {id: p, count: 6, publish: {camera: 360p30}}
  - {id: reader, view: {everybody: 120x90, per-page: 3, page: 1}}
timeline:
  - {at: 6s, participant: reader, page: 2}
"""


def test_a_meeting_without_trouble_opens_on_a_tile_of_the_screen(opened, meetsim, tmp_path):
    (tmp_path / "pages.yaml").write_text(PAGES)
    meetsim("run", tmp_path / "pages.yaml", "-q", "--report", tmp_path / "pages.html")
    browser = opened(tmp_path / "pages.html")
    viewer, selected, tick = browser.execute_script(
        "return [report.viewerId, report.selected, report.runs[0].tickAt(report.clock.time)]"
    )
    state = browser.execute_script("return report.panes[0].viewer.value('state', arguments[0], arguments[1])", selected, tick)
    assert (viewer, state) == ("reader", "receiving")


SPARSE = """
name: sparse
duration: 8s
seed: 7
policy: mediasoup
links: {slow: {capacity: 800 kbps, delay: 80 ms, loss: 3 %}}
participants:
  - {id: lead, publish: {camera: 1080p30}, view: {everybody: 240x135}}
  - {id: guest, count: 10, publish: {camera: 360p30}, view: {everybody: 240x135, per-page: 4}}
  - {id: train, up: slow, down: slow, publish: {camera: 360p30}, view: {stage: lead, everybody: 160x90, per-page: 6}}
"""


def test_the_last_picture_stays_where_no_new_one_comes(opened, meetsim, tmp_path):
    (tmp_path / "sparse.yaml").write_text(SPARSE)
    meetsim("run", tmp_path / "sparse.yaml", "-q", "-o", tmp_path / "out", "--report", tmp_path / "sparse.html")
    streams = pd.read_csv(tmp_path / "out/streams.csv")
    rows = streams[(streams["viewer"] == "train") & (streams["source"] == "lead")].set_index("time_s")
    # One picture until 2 s, none until 3 s, and no freeze by the count of frames.
    assert rows.loc[2.0, "frame_height_px"] > 0 and pd.isna(rows.loc[3.0, "frame_height_px"])
    assert rows.loc[3.0, "state"] == "receiving" and rows["freeze_count"].loc[:4.0].sum() == 0
    tile = shown(opened(tmp_path / "sparse.html"), "train", 3.0)["lead"]
    assert (tile["look"], tile["height"]) == ("picture", "")
    assert tile["note"] == "no new picture"
