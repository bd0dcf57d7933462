"""The gallery's commands make its pictures."""

import importlib.util
import re
import shutil

import pytest
from built import ROOT, binary

README = (ROOT / "plots" / "README.md").read_text(encoding="utf-8")
SPEC = importlib.util.spec_from_file_location("draw_gallery", ROOT / "plots" / "draw_gallery.py")
gallery = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(gallery)
PICTURES = [(ROOT / "plots" / path).resolve() for path in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)]


def test_each_question_has_a_command_and_a_picture_that_is_there():
    for question in re.split(r"^## ", README, flags=re.MULTILINE)[1:]:
        title = question.splitlines()[0]
        has_command = "plots/plot.py" in question or "meetsim report" in question
        assert title.endswith("?") and "```sh\n" in question and has_command and "![" in question, title
    for path in PICTURES:
        assert path.is_file() and path.stat().st_size < 160_000, path


def test_every_kind_of_picture_is_shown():
    from meetsim_plots.command import parser

    commands = next(action for action in parser()._actions if action.dest == "command").choices
    used = set(re.findall(r"plots/plot\.py (\w+)", "".join(gallery.blocks(README))))
    assert used == set(commands)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """A checkout in which the commands ran, whose pictures are all new."""
    path = binary()
    if path is None:
        pytest.skip("no meetsim here: build it, or name one with MEETSIM")
    root = tmp_path_factory.mktemp("gallery")
    for name in ["scenarios", "Sources", "docs/livekit/recordings", "plots/plot.py", "plots/meetsim_plots", "plots/README.md"]:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).symlink_to(ROOT / name)
    for folder in ["results", "plots/gallery"]:
        (root / folder).mkdir()
        for table in (ROOT / folder).glob("*.csv"):
            shutil.copy(table, root / folder)
    gallery.draw(root, path)
    return root


def test_the_commands_make_the_pictures(drawn):
    made = {path.relative_to(drawn) for suffix in ("png", "svg") for path in drawn.rglob(f"*.{suffix}")}
    shown = {path.relative_to(ROOT) for path in PICTURES}
    # The replay's picture is of a browser.
    assert made == shown - {next(path for path in shown if path.name == "lesson.png")}
    assert "<script" in (drawn / "out/gallery/report.html").read_text(encoding="utf-8")


def test_the_pictures_that_are_kept_say_what_the_new_ones_say(drawn):
    for path in PICTURES:
        if path.suffix == ".svg":
            kept, new = (titles(root / path.relative_to(ROOT)) for root in (ROOT, drawn))
            assert kept == new and len(kept) >= 3, path


def titles(path):
    """What a picture's titles, axes and legends say, without numbers."""
    words = re.findall(r"<text[^>]*>([^<]+)</text>", path.read_text(encoding="utf-8"))
    return {word for word in words if not re.search(r"\d", word)}
