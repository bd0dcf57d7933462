"""The schema and the reader accept and refuse the same files, except for what only the reader can know."""

import functools
import itertools
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import jsonschema
import jsonschema_rs
import pytest
from conftest import MEETSIM, ROOT, load_yaml, meetsim
from mutations import NEVER, mutations, places
from ruamel.yaml import YAMLError

SHIPPED = sorted((ROOT / "scenarios").glob("*.yaml"))
SWEEPS = sorted((ROOT / "scenarios/sweeps").glob("*.yaml"))
FOLDER = ROOT / "Tests/Interoperability/whole"
WHOLE_SWEEPS = sorted(FOLDER.glob("sweep*.yaml"))
WHOLE = sorted(set(FOLDER.glob("*.yaml")) - set(WHOLE_SWEEPS))
BROKEN = sorted((ROOT / "Tests/ScenarioTests/Broken").glob("*.yaml"))
PUBLISHED = sorted((ROOT / "Sources/Verification/Cases").glob("*.yaml"))

#: The reader's messages for what a schema can't express; the names are those in the schema itself.
ONLY_THE_READER = {
    "names": r"there is no (participant|link|shared link|cross traffic) |cannot request itself|has no screen share: ",
    "uniqueness": r"duplicate participant id|is already used or has characters|is requested twice|is listed twice"
    r"|^layers: (encoding|spatial layer) \d+ has (temporal layer \d+|another size) already|^levels: this size has a level of ",
    "totals": r"is publisher number|more than \d+ (entries|participants)",
    "order": r"is after the meeting's end|^within: \S+ m?s from .* on ends after the meeting \(|must be in order of time|must begin with 'at: 0s'|is not after start"
    r"|but joins at",
    "magnitude": r"is out of range: a meeting lasts|is too long: at most|is too large: |is too short: at least|is too small: "
    r"|is not a time up to 60 s",
    "traces": r"^trace:? ",
    "arithmetic": r"loss: (bursts of|a mean of 100 %)",
    "frames": r"^aspect: .* change one of the two|^format: nv12 needs|^push-frames needs '(fps|size)'"
    r"|is neither 16:9 nor 4:3, as custom|so that every push would fail",
    "recordings": r"^file: cannot read|^encodings: '.*' (has no column|has a column|is as large as)|^start: \d+ is beyond"
    r"|^packet: .* of a frame fit|^source: custom frames (cannot take|are sent as simulcast and cannot take)",
    "ladder": r"^low: (this ladder|a scalable stream) has no low stream|^size: the low stream is larger|is not below the high stream's"
    r"|^fps: \d+ is more than the capture has, "
    r"|^codec: (an app's own frames|listed encodings) are (sent as )?simulcast: "
    r"|^codec: '\w+' (is sent as a scalable stream, which policy '\S+' does not forward|has no spatial layers): "
    r"|^scalability-mode: (listed encodings are simulcast: |'\w+' is sent as simulcast, )"
    r"|^scalability-mode: '\w+' has (several temporal layers in each of several|fewer layers than are listed)"
    r"|^layers: (these are several temporal layers in each of |policy '\S+' forwards no stream of several spatial layers: )|^ladder: names simulcast encodings, which "
    r"|^(follows-receivers|fec): is for one encoding, and this source has \d+|^stage: '[\w-]+' is no participant: a stage "
    r"|^(stage|tiles): '.*' is the viewer itself, "
    r"|^encoding: spatial layers are those of encoding \d+, "
    r"|^bitrate: '[^']*' is out of range: 6 to 510 kbps$|^bitrate: \S+ \wbps is out of range: above 0, at most "
    r"|^maximum: .* leaves nothing for the (highest encoding|stream): |^minimum: .* is more than the lowest encoding's rate, "
    r"|^degradation: has no effect on \d+ (encodings|layers), |^(minimum|degradation|follows-receivers): has no effect with policy '\S+', whose controller "
    r"|^fallback: '[\d.]+ m?s' is not one of disabled, low, audio-only$|^[\w-]+: there is no encoding '"
    r"|^policy: minimum-estimate: .* is more than the maximum-estimate, |^\w+: minimum: .* is more than the maximum, "
    r"|^maximum-height: the layers are listed, |^(encodings|maximum): a scalable stream is one encoding, "
    r"|^capture: .* is more than the source's|^send: it changes nothing|^encodings: none is named"
    r"|^(send|share): '.*' publishes no |^packet-time: .* is not a packet time|^audio: a packet of ",
    "actions": r"^within: only calls of a viewer's client, such as 'resize', have a drawn time: ",
    "policy": r"does not support (overrides of incoming video|preferred resolutions)"
    r"|does not take this signal|takes no signals|^signals needs '|needs a view with 'signals'|orders no levels|has a single page: "
    r"|is driven by its own server's allocator|has no dual streams, only |^quality: policy '\S+' has no '",
    "expectations": r"there is no metric |^the expectation needs 'stat'|^stat: '.*' has no '|is measured over the whole meeting only"
    r"|^is: '[a-z_0-9]+' is (in \S+|a number without a unit), not in "
    r"|^within: (the rest of|'after' \+ 'within' is )|^to: .* is not after |matches none: |^(source|voice): '.*' publishes no ",
    "notation": r"'-?\d+\.0' is (not a whole number|not one of 30|neither all, mixed nor a number)",
    "document": r"anchors and aliases|nested more than|not a text file",
}

#: The reader's messages for what a schema can't express about sweeps: what varies, and where it goes.
ONLY_THE_READER_OF_SWEEPS = {
    "places": r"the scenario is invalid (at|with) |^scenario: cannot read|the scenario needs '|is not a path in (a|the) scenario|has a key|there is no '[^']*': (did|expected)|which has no '"
    r"|there is no element",
    "values": r"has no values|duplicate value|is not a (bit|time|share|size|number)|is not true or false|is not a text"
    r"|must be ascending, and both ends|must start above zero|^step: |same number of values|in 'zip' twice|there is no variable"
    r"|'zip' mixes variables|is not a quantity|nothing to sample|the point lacks|^points: |^half-width: |^max: "
    r"|unknown key '[^']*' in the point",
    "kept": r" is not kept: (add|remove) '",
    "conditions": r"^where: |no point (is left|of the sweep has a valid scenario)",
}


@pytest.fixture(scope="session")
def schema():
    return json.loads(meetsim("schema", "scenario").stdout)


@pytest.fixture(scope="session")
def validator():
    """A validator of the schema that accepts both scenarios and sweeps."""
    return jsonschema.Draft7Validator(json.loads(meetsim("schema").stdout))


def validate(folder, names):
    return subprocess.run(
        [MEETSIM, "validate", *names], capture_output=True, text=True, check=False, cwd=folder
    )


def verdicts(folder, names):
    """Returns the reader's messages for each file."""
    found = {name: [] for name in names}
    parts = [names[start : start + 500] for start in range(0, len(names), 500)]
    with ThreadPoolExecutor() as pool:
        answers = list(pool.map(functools.partial(validate, folder), parts))
    for part, done in zip(parts, answers, strict=True):
        assert done.returncode in (0, 2)
        for line in done.stderr.splitlines():
            if re.match(r"[^:]+:\d+:\d+: (warning|note): ", line):
                continue
            name, message = re.fullmatch(r"([^:]+):\d+:\d+: error: (.*)", line).groups()
            # A sweep's scenario has its own messages; those about a point's values point into the sweep.
            if message.startswith("no point of the sweep has a valid scenario"):
                found[name] = []
            found.get(name, []).append(message)
        fine = set(re.findall(r"^(\S+): ok", done.stdout, re.MULTILINE))
        assert not any(found[name] for name in fine)
        for name in set(part) - fine:
            found[name] = found[name] or ["the scenario is invalid at all points"]
    return found


def is_known_to_the_reader_alone(message, kind="scenario"):
    patterns = {**ONLY_THE_READER, **(ONLY_THE_READER_OF_SWEEPS if kind == "sweep" else {})}
    return any(re.search(pattern, message) for pattern in patterns.values())


def is_about_a_varied_value(document, validator):
    """The reader checks the values of an inline scenario only after the points have replaced theirs."""
    return all(list(e.absolute_path)[:1] == ["scenario"] for e in validator.iter_errors(document))


@pytest.mark.parametrize("kind", [[], ["scenario"], ["sweep"]])
def test_the_schema_is_one(kind):
    schema = json.loads(meetsim("schema", *kind).stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert set(schema["x-checked-by-validate-only"]) == {*ONLY_THE_READER, *ONLY_THE_READER_OF_SWEEPS}


@pytest.mark.parametrize("path", SHIPPED + SWEEPS + WHOLE + WHOLE_SWEEPS + PUBLISHED, ids=lambda p: p.stem)
def test_every_shipped_file_keeps_the_schema(path, validator):
    assert [e.message for e in validator.iter_errors(load_yaml(path))] == []
    kind = "sweep" if path in SWEEPS + WHOLE_SWEEPS else "scenario"
    own = jsonschema.Draft7Validator(json.loads(meetsim("schema", kind).stdout))
    assert [e.message for e in own.iter_errors(load_yaml(path))] == []


def test_a_real_validator_takes_the_files_as_they_are(tmp_path):
    (tmp_path / "meetsim.schema.json").write_text(meetsim("schema").stdout, encoding="utf-8")
    command = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(tmp_path / "meetsim.schema.json")]
    good = subprocess.run([*command, *map(str, SHIPPED)], capture_output=True, text=True, check=False)
    assert good.returncode == 0, good.stdout
    bad = subprocess.run(
        [*command, str(ROOT / "Tests/ScenarioTests/Broken/unknown-key.yaml")],
        capture_output=True, text=True, check=False,
    )
    assert bad.returncode == 1 and "duratoin" in bad.stdout


def test_whole_files_have_every_key_of_the_schema(schema):
    """Otherwise the mutations would not reach every key."""
    seen = set()
    for path in WHOLE:
        seen |= {re.sub(r"\[[^]]*\]", "[]", place.name) for place in places(load_yaml(path), schema, schema)}

    wanted = set()

    def collect(shape, name, depth=0):
        if depth > 12:
            return
        if "$ref" in shape:
            shape = schema["definitions"][shape["$ref"].rsplit("/", 1)[1]]
        for part in shape.get("anyOf", []) + [p for p in shape.get("allOf", []) if "$ref" in p]:
            collect(part, name, depth + 1)
        for key, own in shape.get("properties", {}).items():
            wanted.add(f"{name}/{key}")
            collect(own, f"{name}/{key}", depth + 1)
        if isinstance(shape.get("additionalProperties"), dict):
            collect(shape["additionalProperties"], f"{name}/*", depth + 1)
        if isinstance(shape.get("items"), dict):
            collect(shape["items"], f"{name}[]", depth + 1)

    collect(schema, "")
    # A profile may be given wherever a link is named; its keys are checked below 'links'.
    inside = re.compile(r"^(/shared-links/\*/(up|down)|/participants\[\]/(up|down)|/participants\[\]/publish/screen)/")
    missing = {name for name in wanted - seen if not inside.search(name)}
    assert missing == set()


@pytest.mark.parametrize("path", BROKEN, ids=lambda p: p.stem)
def test_broken_files_are_refused_or_known_to_the_reader_alone(path, validator):
    try:
        accepts = validator.is_valid(load_yaml(path))
    except (YAMLError, UnicodeDecodeError):
        accepts = False
    messages = verdicts(path.parent, [path.name])[path.name]
    assert messages
    if accepts:
        assert all(is_known_to_the_reader_alone(m) for m in messages), messages


def has_many_points(document):
    """Indicates whether a sweep samples so many points that reading each takes minutes."""
    sample = document.get("sample") if isinstance(document, dict) else None
    count = sample.get("count") if isinstance(sample, dict) else None
    return isinstance(count, (int, float)) and count > 10_000


@pytest.mark.parametrize("kind", ["scenario", "sweep"])
def test_schema_and_reader_agree_on_mutated_files(kind, tmp_path, validator):
    schema = json.loads(meetsim("schema", kind).stdout)
    for path in WHOLE:
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "traces").symlink_to(ROOT / "scenarios/traces")
    (tmp_path / "frames.csv").symlink_to(FOLDER / "frames.csv")
    # Every eighth, which takes seconds; all of them with MEETSIM_ALL_MUTATIONS=1.
    stride = 1 if os.environ.get("MEETSIM_ALL_MUTATIONS") else 8
    seen, often = {}, {}
    for path in WHOLE + SHIPPED if kind == "scenario" else WHOLE_SWEEPS:
        for mutated in itertools.islice(mutations(load_yaml(path), schema, often), 0, None, stride):
            text = json.dumps(mutated, ensure_ascii=False)
            if stride > 1 and has_many_points(mutated):
                continue
            if text not in seen:
                seen[text] = f"mutated-{len(seen)}.yaml"
                (tmp_path / seen[text]).write_text(text, encoding="utf-8")
    said = verdicts(tmp_path, list(seen.values()))
    # Removing or adding 'scenario' changes the kind of file, and is checked with the schema of both kinds.
    quick = jsonschema_rs.Draft7Validator(json.loads(meetsim("schema").stdout))
    counts = {"both accept": 0, "both refuse": 0, "only the reader refuses": 0}
    counts["only the schema refuses a value that varies"] = 0
    wrong = []
    for text, name in seen.items():
        accepts, messages = quick.is_valid(json.loads(text)), said[name]
        if accepts and messages:
            if not all(is_known_to_the_reader_alone(m, kind) for m in messages):
                wrong.append(f"only the reader refuses: {messages}\n  {text}")
            counts["only the reader refuses"] += 1
        elif not accepts and not messages and kind == "sweep" and is_about_a_varied_value(json.loads(text), validator):
            counts["only the schema refuses a value that varies"] += 1
        elif not accepts and not messages:
            problem = jsonschema.exceptions.best_match(validator.iter_errors(json.loads(text))).message
            wrong.append(f"only the schema refuses: {problem[:300]}\n  {text}")
        else:
            counts["both refuse" if messages else "both accept"] += 1
    print(counts)
    assert not wrong, f"{len(wrong)} files\n" + "\n".join(wrong[:12])
    few = 10 if kind == "sweep" else 1
    assert counts["both accept"] > 1000 // few // stride and counts["both refuse"] > 10_000 // few // stride, counts


def test_the_reader_knows_no_key_that_the_schema_does_not(tmp_path, schema):
    """For an unknown key, the reader lists the keys that it knows."""
    (tmp_path / "traces").symlink_to(ROOT / "scenarios/traces")
    (tmp_path / "frames.csv").symlink_to(FOLDER / "frames.csv")
    files = {}
    for path in WHOLE:
        document = load_yaml(path)
        for place in places(document, schema, schema):
            value = document
            for step in place.path:
                value = value[step]
            properties = set().union(*(json.loads(s).get("properties", {}) for s in place.shapes))
            if isinstance(value, dict) and properties:
                mutated = json.loads(json.dumps(document))
                inner = mutated
                for step in place.path:
                    inner = inner[step]
                inner[NEVER] = 1
                files[f"{len(files)}.yaml"] = (properties, json.dumps(mutated))
    for name, (_, text) in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name, messages in verdicts(tmp_path, list(files)).items():
        # Lists as long as the timeline's are not printed.
        if any(m.endswith(": 'meetsim list keys' has them all") for m in messages):
            assert len(files[name][0]) > 24, messages
            continue
        known = [m.split("expected one of ", 1)[1].split(", ") for m in messages if f"'{NEVER}'" in m]
        assert len(known) == 1 and set(known[0]) <= files[name][0], messages
