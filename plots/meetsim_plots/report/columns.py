"""Tables as compact columns that the page's `columns.js` reads back exactly.

A column is a run of unsigned integers, 0 for a missing value and n for the (n - 1)th word, or for the number
(low + (n - 1) × step) / scale. Columns that never fall hold differences. The bytes of each column lie in planes, the
lowest first, because equal bytes beside each other compress well; numbers that are no short decimals are IEEE 754, of
eight bytes in a row or, marked as `float`, of four in planes. The columns lie one behind the other, as one zlib
stream in base64.
"""

import base64
import zlib

import numpy as np
import pandas as pd

SCALES = [10**power for power in range(7)]
LARGEST = 2**32 - 2


def pack(table: pd.DataFrame) -> dict:
    """The table as a value of JSON: strings become words, everything else numbers."""
    columns, parts = [], []
    for name in table.columns:
        if table[name].dtype == np.float32:
            column, part = packed_floats(table[name].to_numpy())
        elif pd.api.types.is_numeric_dtype(table[name]):
            column, part = packed_numbers(table[name].to_numpy(dtype=np.float64))
        else:
            column, part = packed_words(table[name])
        columns.append({"name": name} | column)
        parts.append(part)
    data = zlib.compress(b"".join(parts), 9 if len(table) < 100_000 else 6)
    return {"rows": len(table), "columns": columns, "data": base64.b64encode(data).decode("ascii")}


def packed_words(values: pd.Series) -> tuple[dict, bytes]:
    """Words in the order in which they first occur."""
    codes, words = pd.factorize(values)
    column, part = planes(codes.astype(np.int64) + 1)
    return {"words": [str(word) for word in words]} | column, part


def packed_numbers(values: np.ndarray) -> tuple[dict, bytes]:
    """Numbers as multiples of a step where that is exact, else as they are."""
    there = ~np.isnan(values)
    if not there.any():
        return {"bytes": 0}, b""
    known = values[there]
    for scale in SCALES:
        whole = np.rint(known * scale)
        if np.abs(whole).max() < 2**52 and np.array_equal(whole / scale, known):
            break
    else:
        return raw(values)
    low = whole.min()
    above = (whole - low).astype(np.int64)
    step = int(np.gcd.reduce(above)) or 1
    stored = np.zeros(len(values), dtype=np.int64)
    stored[there] = above // step + 1
    if stored.max() > LARGEST:
        return raw(values)
    numbers = {"low": int(low), "step": step, "scale": scale}
    if len(stored) > 1 and there.all() and (np.diff(stored) >= 0).all():
        stored = np.diff(stored, prepend=0)
        numbers["differences"] = True
    column, part = planes(stored)
    return numbers | column, part


def packed_floats(values: np.ndarray) -> tuple[dict, bytes]:
    """Single precision is for what a page only draws: whole values as others are, the rest in four bytes."""
    if np.array_equal(np.rint(values), values):
        return packed_numbers(values.astype(np.float64))
    return {"bytes": 4, "float": True}, values.astype("<f4").view(np.uint8).reshape(-1, 4).T.tobytes()


def raw(values: np.ndarray) -> tuple[dict, bytes]:
    """Numbers that are no short decimals, as eight bytes each."""
    return {"bytes": 8}, values.astype("<f8").tobytes()


def planes(stored: np.ndarray) -> tuple[dict, bytes]:
    """The fewest bytes that hold all values, plane by plane."""
    largest = int(stored.max()) if len(stored) else 0
    width = 1 if largest < 2**8 else 2 if largest < 2**16 else 4
    each = stored.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :width]
    return {"bytes": width}, each.T.tobytes()


def unpack(packed: dict) -> pd.DataFrame:
    """The table that was packed, as `columns.js` reads it."""
    data, rows, place = zlib.decompress(base64.b64decode(packed["data"])), packed["rows"], 0
    table = {}
    for column in packed["columns"]:
        width = column["bytes"]
        part, place = data[place : place + width * rows], place + width * rows
        if width == 8:
            table[column["name"]] = np.frombuffer(part, dtype="<f8")
            continue
        if column.get("float"):
            each = np.frombuffer(part, dtype=np.uint8).reshape(4, rows).T.copy()
            table[column["name"]] = each.view("<f4").reshape(rows)
            continue
        stored = np.zeros(rows, dtype=np.int64)
        for plane in range(width):
            stored += (
                np.frombuffer(part[plane * rows : (plane + 1) * rows], dtype=np.uint8).astype(np.int64) << 8 * plane
            )
        if column.get("differences"):
            stored = np.cumsum(stored)
        if "words" in column:
            words = np.array([None, *column["words"]], dtype=object)
            table[column["name"]] = words[stored]
        elif width == 0:
            table[column["name"]] = np.full(rows, np.nan)
        else:
            numbers = (column["low"] + (stored - 1) * column["step"]) / column["scale"]
            table[column["name"]] = np.where(stored == 0, np.nan, numbers)
    return pd.DataFrame(table, columns=[column["name"] for column in packed["columns"]])
