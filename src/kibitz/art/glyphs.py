"""Numerals and letters of the cards, drawn as strokes.

Cards look the same on every machine, since no font is needed. A 6 and a 9 stand on a short
bar, because cards are also seen upside down.
"""

from __future__ import annotations

from kibitz.art.svg import group, num, path, place

CAP = 100
"""Height of a glyph's centre line; the stroke adds its width."""

GAP = 13
"""Between two glyphs, beside their strokes."""

STROKES: dict[str, tuple[float, str]] = {
    "0": (58, "M29 0C48 0 58 19 58 50S48 100 29 100 0 81 0 50 10 0 29 0Z"),
    "1": (27, "M0 20 27 0V100"),
    "2": (58, "M2 27C2 10 14 0 29 0S56 11 56 27C56 46 38 62 1 100H58"),
    "3": (57, "M3 0H53L25 39C45 38 57 50 57 68 57 87 45 100 27 100 14 100 4 93 0 82"),
    "4": (62, "M46 100V0L0 71H62"),
    "5": (57, "M51 0H9L5 46C11 40 19 37 28 37 45 37 57 49 57 68S45 100 27 100C14 100 4 93 0 82"),
    "6": (60, "M40 0 5 54A30 30 0 1 0 30 40C19 40 11 45 5 54"),
    "7": (56, "M0 0H56L19 100"),
    "8": (58, "M29 46A23 23 0 1 1 29 0 23 23 0 1 1 29 46 27 27 0 1 0 29 100 27 27 0 1 0 29 46Z"),
    "9": (60, "M20 100 55 46A30 30 0 1 0 30 60C41 60 49 55 55 46"),
    "A": (72, "M0 100 36 0 72 100M13 64H59"),
    "B": (58, "M0 46H33A27 27 0 0 1 33 100H0V0H28A23 23 0 0 1 28 46"),
    "E": (48, "M48 0H0V100H48M0 48H40"),
    "G": (76, "M70 19C62 7 51 0 38 0 16 0 0 20 0 50S16 100 38 100 74 84 74 54H42"),
    "I": (0, "M0 0V100"),
    "J": (46, "M46 0V70A23 23 0 0 1 0 70"),
    "K": (60, "M0 0V100M56 0 0 60M22 38 60 100"),
    "L": (46, "M0 0V100H46"),
    "M": (78, "M0 100V0L39 62 78 0V100"),
    "N": (64, "M0 100V0L64 100V0"),
    "O": (80, "M40 0C63 0 80 20 80 50S63 100 40 100 0 80 0 50 17 0 40 0Z"),
    "P": (56, "M0 100V0H28A28 28 0 0 1 28 56H0"),
    "Q": (80, "M40 0C63 0 80 20 80 50S63 100 40 100 0 80 0 50 17 0 40 0ZM48 66 78 102"),
    "R": (58, "M0 100V0H28A27 27 0 0 1 28 54H0M27 54 58 100"),
    "V": (72, "M0 0 36 100 72 0"),
    "Y": (66, "M0 0 33 52 66 0M33 52V100"),
    "Z": (58, "M0 0H58L0 100H58"),
}
"""Each glyph: how wide it is, and the path of the pencil."""

WEIGHT = 23
"""Stroke width for a centre line of CAP."""

BAR = 14
"""Stroke width of the bar beneath a 6 or a 9."""

RIM = 18
"""How much wider the strokes of a rim are."""


def write(text: str, x: float, y: float, height: float, colour: str, *, rim: str = "") -> str:
    """A text of the given height, its middle at (x, y), perhaps with a rim in another colour."""
    strokes = _strokes(text, BAR)
    if rim:
        swollen = _strokes(text, BAR + RIM, counter=rim)
        strokes = group(swollen, stroke=rim, stroke_width=WEIGHT + RIM) + strokes
    pencil = group(strokes, fill="none", stroke=colour, stroke_width=WEIGHT)
    return place(pencil, x, y, scale=height / (CAP + WEIGHT))


def _strokes(text: str, bar: float, counter: str = "") -> str:
    """The strokes of a text; `counter` fills what a closed stroke, such as a 0, surrounds."""
    pen = (WEIGHT - _advance(text)) / 2
    strokes = ""
    for character in text:
        across, d = STROKES[character]
        inside = {"fill": counter} if counter and d.endswith("Z") else {}
        strokes += path(d, transform=f"translate({num(pen)} {-CAP // 2})", **inside)
        pen += across + WEIGHT + GAP
    if text in ("6", "9"):
        strokes += path(f"M-20 {CAP // 2 + 34}H20", stroke_width=bar)
    return strokes


def _advance(text: str) -> float:
    return sum(STROKES[character][0] + WEIGHT for character in text) + GAP * (len(text) - 1)
