"""Places tiles on a screen where a result says only how large they are."""

import numpy as np
import pandas as pd

from meetsim_plots.results import natural

GAP = 8
SHAPE = 16 / 9
NOT_SHOWN = ["hidden"]
COLUMNS = ["time_s", "viewer", "source", "area", "x_px", "y_px", "width_px", "height_px", "z", "visible_frac"]


def automatic_layout(streams: pd.DataFrame) -> pd.DataFrame:
    """A layout table for all viewers: a placement at the beginning of each interval in which sizes changed."""
    rows = []
    ticks = np.sort(streams["time_s"].unique())
    begins = dict(zip(ticks, np.concatenate([[0.0], ticks[:-1]]), strict=True))
    sized = streams.assign(
        tile_width_px=streams.get("tile_width_px", np.nan), tile_height_px=streams.get("tile_height_px", np.nan)
    )
    gone = sized["state"].isin(NOT_SHOWN) | ~(sized["tile_width_px"] * sized["tile_height_px"] > 0)
    sized.loc[gone, ["tile_width_px", "tile_height_px"]] = 0.0
    sized["is_screen"] = sized["kind"].eq("screen") if "kind" in sized else False
    for viewer, mine in sized.groupby("viewer", observed=True, sort=False):
        rows += viewer_layout(str(viewer), mine, begins)
    return pd.DataFrame(rows, columns=COLUMNS)


def viewer_layout(viewer: str, mine: pd.DataFrame, begins: dict[float, float]) -> list[tuple]:
    """The rows of one viewer's layout: those that changed, tiles that go have no size."""
    mine = mine.assign(source=mine["source"].astype(str))
    sizes = mine.pivot(index="time_s", columns="source", values=["tile_width_px", "tile_height_px"]).fillna(0.0)
    shares = set(mine.loc[mine["is_screen"], "source"])
    names = sorted(sizes["tile_width_px"].columns, key=natural)
    table = np.stack([sizes["tile_width_px"][names].to_numpy(), sizes["tile_height_px"][names].to_numpy()], axis=-1)
    changed = [True, *np.any(table[1:] != table[:-1], axis=(1, 2))]
    rows, shown = [], {}
    for tick, is_new, now in zip(sizes.index, changed, table, strict=True):
        if not is_new:
            continue
        tiles = {name: (w, h) for name, (w, h) in zip(names, now, strict=True) if w > 0}
        placed, width, height = placement(tiles)
        now_shown = {name: (*place, *tiles[name]) for name, place in placed.items()}
        now_shown[""] = (0.0, 0.0, width, height)
        for name in [*shown, *(n for n in now_shown if n not in shown)]:
            place = now_shown.get(name)
            if place == shown.get(name):
                continue
            area = "" if name == "" else "share" if name in shares else "grid"
            x, y, w, h = place or (0.0, 0.0, 0.0, 0.0)
            rows.append((begins[tick], viewer, name or None, area or None, x, y, w, h, 0.0, 1.0 if place else 0.0))
        shown = now_shown
    return rows


def placement(tiles: dict[str, tuple[float, float]]) -> tuple[dict[str, tuple[float, float]], float, float]:
    """Rows of tiles, the largest first, on the screen whose shape is nearest to 16:9; also that screen's size."""
    if not tiles:
        return {}, 1280.0, 720.0
    order = sorted(tiles, key=lambda name: (-tiles[name][0] * tiles[name][1], natural(name)))
    widest = max(width for width, _ in tiles.values())
    total = sum(width + GAP for width, _ in tiles.values()) - GAP
    step = min(width for width, _ in tiles.values()) + GAP
    best = None
    for candidate in np.unique([widest, *np.arange(widest, total + step, step), total]):
        candidate = min(max(candidate, widest), total)
        rows, height = in_rows(order, tiles, candidate)
        width = max(sum(tiles[name][0] + GAP for name in row) - GAP for row in rows)
        distance = abs(np.log(width / height / SHAPE))
        if best is None or distance < best[0] - 1e-9:
            best = (distance, rows, width, height)
    _, rows, width, height = best
    rows, width = balanced(order, tiles, rows, width, step)
    places, y = {}, 0.0
    for row in rows:
        x = (width - sum(tiles[name][0] + GAP for name in row) + GAP) / 2
        for name in row:
            places[name] = (round(x, 1), y)
            x += tiles[name][0] + GAP
        y += max(tiles[name][1] for name in row) + GAP
    return places, float(width), float(height)


def balanced(
    order: list[str], tiles: dict[str, tuple[float, float]], rows: list[list[str]], width: float, step: float
) -> tuple[list[list[str]], float]:
    """As many rows on the narrowest screen: three and three tiles rather than five and one."""
    while True:
        fewer, _ = in_rows(order, tiles, width - step) if width - step >= tiles[order[0]][0] else ([], 0.0)
        if len(fewer) != len(rows):
            return rows, width
        rows, width = fewer, max(sum(tiles[name][0] + GAP for name in row) - GAP for row in fewer)


def in_rows(order: list[str], tiles: dict[str, tuple[float, float]], width: float) -> tuple[list[list[str]], float]:
    """Fills rows of a width in order; also their height."""
    rows, used = [], 0.0
    for name in order:
        # A thumbnail beside a large tile would waste the row's height.
        if not rows or used + tiles[name][0] > width + 1e-6 or tiles[name][1] < 0.6 * tiles[rows[-1][0]][1]:
            rows.append([])
            used = 0.0
        rows[-1].append(name)
        used += tiles[name][0] + GAP
    return rows, sum(max(tiles[name][1] for name in row) + GAP for row in rows) - GAP
