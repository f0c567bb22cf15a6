"""A contact sheet: all faces of a deck on one picture."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from kibitz.art.frame import HEIGHT, WIDTH
from kibitz.art.svg import element, rect

FELT = "#1f4037"
CAPTION = "#e9efe9"
SPACE = 26
LINE = 34
FONT = "Inter, 'Segoe UI', system-ui, sans-serif"


def contact_sheet(faces: Mapping[str, str], columns: int = 8) -> str:
    """One SVG that shows all faces in a grid, each with its code beneath."""
    if columns < 1:
        raise ValueError(f"a sheet needs at least one column, not {columns}")
    rows = -(-len(faces) // columns)
    across = SPACE + columns * (WIDTH + SPACE)
    down = SPACE + rows * (HEIGHT + LINE + SPACE)
    cells = "".join(
        _cell(code, face, *divmod(number, columns))
        for number, (code, face) in enumerate(faces.items())
    )
    return element(
        "svg",
        rect(0, 0, across, down, 0, fill=FELT),
        cells,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {across} {down}",
    )


def _cell(code: str, face: str, row: int, column: int) -> str:
    x = SPACE + column * (WIDTH + SPACE)
    y = SPACE + row * (HEIGHT + LINE + SPACE)
    placed = re.sub("^<svg", f'<svg x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}"', face)
    caption = element(
        "text",
        escape(code),
        x=x + WIDTH / 2,
        y=y + HEIGHT + LINE - 6,
        fill=CAPTION,
        font_family=FONT,
        font_size=24,
        font_weight=600,
        text_anchor="middle",
    )
    return placed + caption
