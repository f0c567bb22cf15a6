"""The card itself: its outline, its paper, its corners. All games share it."""

from __future__ import annotations

from html import escape

from kibitz.art.palette import INK, PAPER
from kibitz.art.patterns import definitions
from kibitz.art.svg import element, group, path, rect

WIDTH = 250
HEIGHT = 350
MARGIN = 10
"""Paper left bare all round: it parts the cards of a fan."""

CORNER = 18
PANEL_CORNER = 11

INDEX_X = 45
"""Middle of the corner index. It keeps within the strip of 92 that a fan leaves visible."""


def card(title: str, drawing: str) -> str:
    """A complete SVG of a card: paper, the drawing, a hairline round it."""
    outline = rect(
        0.75, 0.75, WIDTH - 1.5, HEIGHT - 1.5, CORNER - 0.75,
        fill="none", stroke=INK, stroke_opacity=0.22, stroke_width=1.5,
    )  # fmt: skip
    return picture(title, rect(0, 0, WIDTH, HEIGHT, CORNER, fill=PAPER) + drawing + outline)


def picture(title: str, drawing: str) -> str:
    """A complete SVG of the size of a card, without paper."""
    defined = definitions(drawing)
    if "url(#kibitz-panel)" in drawing:
        defined += element("clipPath", panel(INK), id="kibitz-panel")
    return element(
        "svg",
        element("title", escape(title)),
        element("defs", defined) if defined else "",
        drawing,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        stroke_linecap="round",
        stroke_linejoin="round",
    )


def panel(fill: str, **attributes: str | float) -> str:
    """The area within the margin, filled."""
    return rect(
        MARGIN, MARGIN, WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN, PANEL_CORNER,
        fill=fill, **attributes,
    )  # fmt: skip


def ground(fill: str) -> str:
    """The whole of the card, filled: something to cut off at the panel's edge."""
    return path(f"M0 0H{WIDTH}V{HEIGHT}H0Z", fill=fill)


def within_panel(*drawings: str) -> str:
    """Drawings cut off at the panel's edge."""
    return group(*drawings, clip_path="url(#kibitz-panel)")


def turned(drawing: str) -> str:
    """The drawing as seen from the card's other end."""
    return group(drawing, transform=f"rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})")


def both_ends(drawing: str) -> str:
    """The drawing, and again from the card's other end."""
    return drawing + turned(drawing)
