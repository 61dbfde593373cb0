"""Structure-aware damage: one value of a JSON, a table or an array is another, and the file is well formed still."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.fuzz.mutator import mutant

__all__ = ["damaged_json", "restructured"]

# Values of another type, another size and another sign than the one that was there.
VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    1,
    -1,
    7,
    0.5,
    -2.5,
    1e300,
    float("nan"),
    float("inf"),
    2**31,
    2**32,
    2**63,
    10**30,
    "",
    "x",
    "1",
    "\ud800",
    "../x",
    "\0",
    "x" * 3000,
    [],
    [[]],
    [0],
    ["x"],
    [None],
    {},
    {"x": {}},
)
CELLS = ("", "x", "0", "-1", "1e400", "nan", "-inf", "4294967296", "9" * 400, "1.5", " ", "\ufeff", "|||", "a b", "\0")
DTYPES = ("bool", "int8", "uint8", "int32", "uint32", "int64", "float16", "float32", "float64", "complex64", "U3", "S3")
NUMBERS: tuple[Any, ...] = (0, 1, -1, 77, 2**31 - 1, -(2**31), 2**62, 0.5, float("nan"), float("inf"), -float("inf"))


def restructured(content: bytes, name: str, round_: int) -> bytes:
    """The file with one value, cell or array changed; bytes are changed where no structure is known."""
    chance = random.Random(f"structure {name} {round_}")
    for begins, act in _KINDS:
        if begins(content, name):
            try:
                return act(content, chance)
            except (ValueError, LookupError):  # not what its name says
                break
    return mutant(content, name, round_)


def damaged_json(value: Any, chance: random.Random) -> Any:
    """One place of a JSON value changed: another value, a member more or less, one twice, or two swapped."""
    holders = list(_holders(value))
    if not holders or chance.random() < 0.03:
        return chance.choice(VALUES)
    holder = chance.choice(holders)
    key = chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    match chance.randrange(6):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(chance.randrange(len(holder) + 1), holder[key])
        case 1:
            holder[f"{key}x"] = holder[key]
        case 2:
            other = chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
            holder[key], holder[other] = holder[other], holder[key]
        case 3 if isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
            holder[key] += chance.choice((-1, 1, 0.5, -1000, 1000))
        case 4 if isinstance(holder[key], str):
            holder[key] = chance.choice((holder[key] + "x", holder[key][1:], holder[key] * 2, holder[key].upper()))
        case _:
            holder[key] = chance.choice(VALUES)
    return value


def _holders(value: Any) -> Any:
    """Everything that is a list or a mapping and is not empty."""
    if isinstance(value, dict | list):
        if value:
            yield value
        for each in value.values() if isinstance(value, dict) else value:
            yield from _holders(each)


def _json(content: bytes, chance: random.Random) -> bytes:
    return json.dumps(damaged_json(json.loads(content), chance)).encode()


def _json_lines(content: bytes, chance: random.Random) -> bytes:
    lines = content.splitlines()
    place = chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            lines.insert(chance.randrange(len(lines) + 1), lines[place])
        case _:
            lines[place] = _json(lines[place], chance)
    return b"\n".join(lines) + b"\n"


def _table(content: bytes, chance: random.Random) -> bytes:
    """A cell changed, dropped or twice, or a row."""
    rows = [line.split("\t") for line in content.decode().split("\n")]
    row = chance.choice(rows)
    place = chance.randrange(len(row))
    match chance.randrange(6):
        case 0:
            del row[place]
        case 1:
            row.insert(place, row[place])
        case 2:
            rows.insert(chance.randrange(len(rows) + 1), list(row))
        case 3:
            rows.remove(row)
        case _:
            row[place] = chance.choice(CELLS)
    return "\n".join("\t".join(each) for each in rows).encode()


def _array(content: bytes, chance: random.Random) -> bytes:
    stream = io.BytesIO()
    np.save(stream, _changed(np.load(io.BytesIO(content), allow_pickle=False), chance))
    return stream.getvalue()


def _archive(content: bytes, chance: random.Random) -> bytes:
    with np.load(io.BytesIO(content), allow_pickle=False) as read:
        arrays = {name: read[name] for name in read.files}
    name = chance.choice(sorted(arrays))
    match chance.randrange(8):
        case 0:
            del arrays[name]
        case 1:
            other = chance.choice(sorted(arrays))
            arrays[name], arrays[other] = arrays[other], arrays[name]
        case 2:
            arrays[f"{name}x"] = arrays[name]
        case _:
            arrays[name] = _changed(arrays[name], chance)
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def _changed(array: Any, chance: random.Random) -> Any:
    """An array with another type, shape, length or value."""
    with np.errstate(all="ignore"):
        match chance.randrange(8):
            case 0:
                return array.astype(chance.choice(DTYPES))
            case 1:
                return array.reshape(-1) if array.ndim != 1 else array.reshape(1, -1)
            case 2:
                return array[: max(len(array) - chance.choice((1, 2, 100)), 0)] if array.ndim else array.reshape(1)
            case 3:
                return np.concatenate([array, array]) if array.ndim else array.reshape(1, 1)
            case 4:
                return array.T if array.ndim > 1 else array[:0] if array.ndim else np.array([], array.dtype)
            case _ if array.size:
                array = array.copy()
                if array.dtype.kind in "US":
                    array.reshape(-1)[chance.randrange(array.size)] = chance.choice(("", "x", "1"))
                else:
                    number = np.array(chance.choice(NUMBERS), dtype=np.float64)
                    array.reshape(-1)[chance.randrange(array.size)] = number.astype(array.dtype)
                return array
    return array


def _words(content: bytes, chance: random.Random) -> bytes:
    """A number of four or eight bytes is a little more or less, or another number of the file; most are in its head."""
    width = chance.choice((4, 4, 8))
    n = len(content) // width
    if not n:
        raise ValueError("no number in it")
    place = chance.randrange(min(n, 32) if chance.random() < 0.6 else n) * width
    value = int.from_bytes(content[place : place + width], "little")
    other = chance.randrange(n) * width
    changed = chance.choice(
        (
            value + 1,
            value - 1,
            value + 8,
            value * 2,
            value // 2,
            int.from_bytes(content[other : other + width], "little"),
        )
    )
    return content[:place] + (changed % (1 << 8 * width)).to_bytes(width, "little") + content[place + width :]


def _is_json(content: bytes, name: str) -> bool:
    return name.endswith(".json") or (content[:1] == b"{" and not name.endswith(".jsonl"))


_KINDS: tuple[tuple[Callable[[bytes, str], bool], Callable[[bytes, random.Random], bytes]], ...] = (
    (lambda content, _: content.startswith(b"\x93NUMPY"), _array),
    (lambda content, name: content.startswith(b"PK") and name.endswith(".npz"), _archive),
    (lambda content, name: name.endswith(".jsonl"), _json_lines),
    (_is_json, _json),
    (lambda content, name: name.endswith((".tsv", ".txt")) or b"\0" not in content[:2000], _table),
    (lambda content, _: True, _words),
)
