"""Damage to files: changes of bytes, cells and values, drawn from the case's random numbers."""

import csv
import io
import json
import random
import re

HOSTILE = [
    "", "-1", "0", "1e308", "-1e-308", "nan", "inf", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
    "0x10", "1_0", "+1", ".5", "5.", "1,5", "\t", "'", '"', '"a', "\u0000", "\u001b[2J", "::error::x", "=1+1", "\ufeff",
    "\u202e", "𝄞", "a" * 70_000, "true", "null", "~", "[]", "{}", "[", "}", "&a x", "*a", "!!x y", "| ", "<<", "# ", "%",
    "1e9 Gbps", "0 bps", "1 ns", "24h", "25h", "720p30", "@", "../../etc/passwd", "/dev/zero", "-", "--", "\\", "${HOME}",
]  # fmt: skip

#: Varints and lengths at their limits.
LIMITS = [b"\xff" * 9 + b"\x01", b"\xff\xff\xff\xff\x0f", b"\x80" * 12, b"\0", b"\x7f", b"\xff\xff\x03", b"\x58\xff\xff\xff\x7f"]


class Damage:
    """Changes in one to three places, drawn from the case's random numbers."""

    def __init__(self, kind, number):
        self.draw = random.Random(f"{kind} {number}")

    def of_text(self, text):
        """Changes bytes, lines and words, for formats of any kind."""
        for _ in range(self.draw.randint(1, 3)):
            place = self.draw.randrange(len(text) + 1)
            match self.draw.randrange(6):
                case 0:
                    text = text[:place] + self.draw.choice(HOSTILE) + text[place:]
                case 1:
                    text = text[:place] + text[place + self.draw.randrange(30) :]
                case 2:
                    text = text[:place]
                case 3:
                    lines = text.split("\n")
                    line = self.draw.randrange(len(lines))
                    lines[line : line + 1] = [lines[self.draw.randrange(len(lines))]] * self.draw.choice([0, 2, 40])
                    text = "\n".join(lines)
                case 4:
                    words = list(re.finditer(r"[^\s,:{}\[\]\"]+", text))
                    if words:
                        word = self.draw.choice(words)
                        text = text[: word.start()] + self.draw.choice(HOSTILE) + text[word.end() :]
                case _:
                    text = text[:place] + text[place : place + 40] * self.draw.choice([2, 50]) + text[place:]
        return text

    def of_bytes(self, content):
        """Changes bytes of a binary format: flipped, replaced by numbers at their limits, cut, repeated and left out."""
        for _ in range(self.draw.randint(1, 3)):
            place = self.draw.randrange(len(content) + 1)
            match self.draw.randrange(5):
                case 0:
                    flipped = content[place : place + 1] or b"\0"
                    content = content[:place] + bytes([flipped[0] ^ 1 << self.draw.randrange(8)]) + content[place + 1 :]
                case 1:
                    content = content[:place] + self.draw.choice(LIMITS) + content[place + self.draw.randrange(3) :]
                case 2:
                    content = content[:place]
                case 3:
                    content = content[:place] + content[place : place + 40] * self.draw.choice([2, 50]) + content[place:]
                case _:
                    content = content[:place] + content[place + self.draw.randrange(30) :]
        return content

    def of_table(self, text):
        """Changes cells, columns and rows of a CSV, which remains a CSV."""
        rows = list(csv.reader(io.StringIO(text)))
        for _ in range(self.draw.randint(1, 3)):
            row = self.draw.randrange(len(rows))
            column = self.draw.randrange(max(1, len(rows[0])))
            match self.draw.randrange(5):
                case 0 | 1:
                    if column < len(rows[row]):
                        rows[row][column] = self.draw.choice(HOSTILE)
                case 2:
                    rows = [[c for n, c in enumerate(r) if n != column] for r in rows]
                case 3:
                    rows[row:row] = [rows[self.draw.randrange(len(rows))]] * self.draw.choice([1, 30])
                case _:
                    del rows[row : row + self.draw.randint(1, 3)]
            rows = rows or [[]]
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows(rows)
        return out.getvalue()

    def of_json(self, text):
        """Changes values and keys, including those of JSON within strings."""
        document = json.loads(text)
        for _ in range(self.draw.randint(1, 3)):
            places = list(self._places(document))
            if not places:
                break
            holder, key = self.draw.choice(places)
            match self.draw.randrange(4):
                case 0:
                    holder[key] = self.draw.choice(HOSTILE)
                case 1:
                    holder[key] = self.draw.choice([None, True, -1, 0, 1e308, 2**63, [], {}, [[]], [None] * 50])
                case 2:
                    del holder[key]
                case _:
                    holder[key] = {"x": holder[key]} if self.draw.random() < 0.5 else [holder[key]] * 20
        return json.dumps(document, ensure_ascii=False)

    def _places(self, value):
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, child in items:
            yield value, key
            yield from self._places(child)
