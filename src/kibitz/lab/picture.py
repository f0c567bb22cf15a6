"""A view as text, and as a picture of the table in SVG, for whoever watches an environment."""

import re
from collections.abc import Iterator
from html import escape
from importlib import import_module

from kibitz.art.frame import HEIGHT, WIDTH
from kibitz.art.sheet import CAPTION, FELT, FONT
from kibitz.art.svg import element, place, rect
from kibitz.engine.game import Game
from kibitz.engine.view import View, ZoneView
from kibitz.engine.zones import Zone

SCALE = 0.4
CARD, TALL = WIDTH * SCALE, HEIGHT * SCALE
OVERLAP = 0.45  # how much of a card shows of a run of them
MARGIN, LINE, TEXT = 16, 24, 17


def as_text(game: Game, view: View) -> str:
    """What a viewer sees, a line for each seat and each zone that is not empty."""
    lines = [f"{game.identity.title}, round {view.round}"]
    for owner, zones in _by_owner(game, view):
        lines.append(_title(view, owner))
        lines += [f"  {zone.name}: {_told(zone)}" for zone in zones]
    return "\n".join(lines)


def _told(zone: ZoneView) -> str:
    cards = [*zone.cards, *(f"({card})" for card in zone.known)]
    unseen = zone.size - len(cards)
    return " ".join([*cards, f"{unseen} unseen"] if unseen else cards)


def _title(view: View, owner: int | None) -> str:
    if owner is None:
        return "table"
    marks = [" due"] if owner in view.to_act else []
    marks += [" winner"] if owner in view.winners else []
    return f"seat {owner}, {view.scores[owner]} points{''.join(marks)}"


def _by_owner(game: Game, view: View) -> Iterator[tuple[int | None, list[ZoneView]]]:
    """The zones that are not empty: of the table, then of each seat."""
    zones: tuple[Zone, ...] = game.layout.zones.at(view.players)
    for owner in (None, *range(view.players)):
        yield (
            owner,
            [view.zones[z.name] for z in zones if z.owner == owner and view.zones[z.name].size],
        )


def as_svg(game: Game, view: View) -> str:
    """The same as a picture: every zone with the faces of the cards that are seen there."""
    art = import_module(f"{game.package}.art")
    used: dict[str, str] = {}
    y, wide, parts = float(MARGIN), 0.0, []
    for owner, zones in _by_owner(game, view):
        y += LINE
        parts.append(_write(_title(view, owner), MARGIN, y - 6, bold=True))
        x = float(MARGIN)
        for zone in zones:
            parts.append(_write(f"{zone.name} {zone.size}", x, y + LINE - 8))
            shown = [*zone.known, *zone.cards] or ["back"]  # the top of a pile comes last
            for code in shown:
                used.setdefault(code, art.back() if code == "back" else art.face(code))
                parts.append(place(f'<use href="#{_id(code)}"/>', x, y + LINE, scale=SCALE))
                x += CARD * OVERLAP
            x += max(CARD * (1 - OVERLAP), 8 * len(zone.name)) + MARGIN
        wide = max(wide, x)
        y += (LINE + TALL if zones else 0) + MARGIN
    symbols = "".join(_symbol(code, face) for code, face in used.items())
    ground = rect(0, 0, wide, y, 0, fill=FELT)
    return element(
        "svg",
        element("defs", symbols),
        ground,
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {wide:.0f} {y:.0f}",
    )


def _id(code: str) -> str:
    """A name for a card that XML allows, whatever its code is made of."""
    return "card-" + "-".join(f"{ord(letter):x}" for letter in code)


def _symbol(code: str, face: str) -> str:
    sized = re.sub("^<svg", f'<svg width="{WIDTH}" height="{HEIGHT}"', face)
    return element("g", sized, id=_id(code))


def _write(text: str, x: float, y: float, *, bold: bool = False) -> str:
    weight = 700 if bold else 400
    return element(
        "text", escape(text), x=x, y=y, fill=CAPTION, font_family=FONT, font_size=TEXT,
        font_weight=weight,
    )  # fmt: skip
