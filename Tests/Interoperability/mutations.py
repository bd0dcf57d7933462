"""Files that differ from a good one in one place, made by walking a document along with its schema."""

import copy
import json
from dataclasses import dataclass

NEVER = "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"


@dataclass(frozen=True)
class Place:
    """A value of a document: its path, and the shapes that it may have."""

    path: tuple
    shapes: tuple
    #: Identical for equal places in different documents.
    name: str


def resolve(schema, root):
    """Returns the alternatives of a schema, with references resolved."""
    if "$ref" in schema:
        return resolve(root["definitions"][schema["$ref"].rsplit("/", 1)[1]], root)
    found = [schema] if "type" in schema or "enum" in schema or "const" in schema else []
    for part in schema.get("anyOf", []) + [p for p in schema.get("allOf", []) if "$ref" in p]:
        found += resolve(part, root)
    return found


def places(value, schema, root, path=(), name=""):
    """Returns every value of a document with its shapes."""
    shapes = resolve(schema, root)
    yield Place(path, tuple(json.dumps(s) for s in shapes), name)
    if isinstance(value, dict):
        for key, child in value.items():
            for shape in shapes:
                own = shape.get("properties", {}).get(key)
                other = shape.get("additionalProperties")
                if own is not None:
                    yield from places(child, own, root, (*path, key), f"{name}/{key}")
                elif isinstance(other, dict):
                    yield from places(child, other, root, (*path, key), f"{name}/*")
    if isinstance(value, list):
        for index, child in enumerate(value):
            for shape in shapes:
                if isinstance(shape.get("items"), dict):
                    # The content of an entry depends on its keys: entries with equal keys are equal places.
                    keys = ",".join(child) if isinstance(child, dict) else ""
                    yield from places(child, shape["items"], root, (*path, index), f"{name}[{keys}]")


def at(document, path):
    for step in path:
        document = document[step]
    return document


def replaced(document, path, value):
    if not path:
        return value
    result = copy.deepcopy(document)
    at(result, path[:-1])[path[-1]] = value
    return result


def without(document, path, key):
    result = copy.deepcopy(document)
    del at(result, path)[key]
    return result


def samples(shape, root):
    """Returns values that a shape names, or at the bounds that it states; good and bad ones."""
    for one in resolve(shape, root):
        yield from one.get("examples", [])
        if "default" in one:
            yield one["default"]
        for word in one.get("enum", []):
            yield word
            yield f"{word}x"
        if "const" in one:
            yield one["const"]
            yield not one["const"]
        for border in (k for k in ("minimum", "maximum") if k in one):
            limit = one[border]
            whole = one["type"] == "integer"
            step = 1 if whole else 0.25
            yield int(limit) if whole else limit
            if abs(limit) < 2**60:
                yield limit - step
                yield limit + step
        if one.get("type") == "boolean":
            yield True
            yield False
        if one.get("type") == "array":
            yield []
            for element in list(samples(one["items"], root))[:2]:
                yield [element]
                yield [element, element]
        if one.get("type") == "object":
            need = one.get("required", [])
            own = one.get("properties", {})
            firsts = {k: next(iter(samples(own[k], root)), "x") for k in need if k in own}
            yield firsts
            for key, value in own.items():
                if key not in firsts:
                    yield {**firsts, key: next(iter(samples(value, root)), "x")}


def odd_values(value):
    """Returns values of other types, in other units, and nearly correct forms of a text."""
    yield from [None, [], {}, True, 12, -1, 0, 1.5, "12", "", "nonsense", "true", [value], {"x": value}]
    if isinstance(value, str):
        yield from [value + "x", "x" + value, "-" + value, value.upper(), " " + value]
        digits = value.rstrip("abcdefghijklmnopqrstuvwxyzMGkB% ")
        if digits != value:
            unit = value[len(digits) :].strip()
            yield from [digits, f"{digits} furlongs", f"{digits}  {unit}", f"{digits}{unit}", f"{digits} {unit} s"]
            yield from [f"00{digits} {unit}", f"+{digits} {unit}", f"1e1 {unit}", f".5 {unit}", f"120 {unit}"]
            yield from [f"5. {unit}", f"nan {unit}", f"0x10 {unit}", f"99999999999999 {unit}", f"1_0 {unit}"]
        for a, b in [("30", "121"), ("30", "120.0"), ("30", "0.5"), ("30", "07"), ("0x", "0X"), ("0x", "0x0"),
                     ("640", "15"), ("640", "8193"), ("640", "8192"), ("360", "8100"), ("@", "@@"), ("390", "99"),
                     ("390", "10000"), ("@3", "@4.5"), ("@3", "@0"), ("@3", "@2.5"), (" ", ""), (" ", "   "),
                     ("720", "7e2"), ("720", "-.5"), ("720", "0x1f"), ("720", "inf")]:
            if a in value:
                yield value.replace(a, b, 1)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from [value + 1, value - 1, -value, value * 1000, float(value), str(value), value + 0.5]


def mutations(document, schema, often):
    """Returns documents that differ in one place; ``often`` counts how many equal places have been used."""
    for place in places(document, schema, schema):
        shapes = [json.loads(s) for s in place.shapes]
        value = at(document, place.path)
        if often.get(place.name, 0) >= 2:
            continue
        often[place.name] = often.get(place.name, 0) + 1
        for shape in shapes:
            for sample in samples(shape, schema):
                yield replaced(document, place.path, sample)
        for odd in odd_values(value) if not isinstance(value, (dict, list)) else [None, "", 5, True, [], {}, [None]]:
            yield replaced(document, place.path, odd)
        if isinstance(value, dict):
            for key in value:
                yield without(document, place.path, key)
            yield replaced(document, place.path, {**value, NEVER: 1})
            for shape in shapes:
                for key, own in shape.get("properties", {}).items():
                    if key not in value:
                        for sample in list(samples(own, schema))[:4]:
                            yield replaced(document, place.path, {**value, key: sample})
