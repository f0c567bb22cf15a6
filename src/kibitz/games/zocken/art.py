"""Zocken's cards: goblins of the wood, asleep by day and awake by night.

A card has two ends, as a court card has. The upper end lies in daylight and bears the yellow
number, the lower end lies in the dark and bears the blue one; when the pawn flips, the card is
turned round. Specials and jokers show a tree.
"""

from __future__ import annotations

from collections.abc import Callable

from kibitz.art.frame import both_ends, card, ground, panel, picture, turned, within_panel
from kibitz.art.glyphs import write
from kibitz.art.palette import BLUE, GREEN, INK, PAPER, PURPLE, RED, YELLOW, Colour, letter_of
from kibitz.art.patterns import paint
from kibitz.art.pips import disc, emboss, fitting, initial, rosette, square
from kibitz.art.svg import Attribute, circle, ellipse, line, num, path, place, rect
from kibitz.games.zocken import goblins, symbols

DAY = "#fbecc0"
NIGHT = "#24365c"
EARTH = "#5b4630"
CROWN = "#4f8a57"

HORIZON = "M0 186C80 150 170 200 250 164"
"""Where day and night meet: the same from both ends."""

INDEX = 49
"""Middle of the plate and of the sign beneath it."""

STAGE = 158
"""Middle of what stands beside them."""

Picture = Callable[[], str]

GOBLINS: dict[str, tuple[Picture, str]] = {
    "g1": (symbols.mushroom, RED.fill),
    "g2": (symbols.acorn, symbols.BARK),
    "g3": (symbols.leaf, GREEN.ink),
    "g4": (symbols.feather, PURPLE.fill),
    "g5": (symbols.moon, "#51617f"),
    "g6": (symbols.five_star, "#c98a12"),
    "g7": (symbols.drop, "#3579b5"),
    "g8": (symbols.flame, "#c8591f"),
    "g9": (symbols.bell, "#6b5426"),
}
"""Each kind of goblin: its symbol and the colour of its hat."""

FOURS: dict[str, tuple[Picture, Picture, Picture, Picture]] = {
    "low": (symbols.mushroom, symbols.acorn, symbols.leaf, symbols.feather),
    "high": (symbols.five_star, symbols.drop, symbols.flame, symbols.bell),
}
"""The jokers that stand for any of four goblins."""

SPECIALS = ("yellow", "blue", "pass", "draw", "give")


def face(code: str) -> str:
    """The card with this code, such as `g4`, `pass` or `wild`."""
    if code in GOBLINS:
        symbol, hat = GOBLINS[code]
        return card(code, _goblin_card(int(code[1]), symbol(), hat))
    if code in FOURS:
        return card(code, _four_card(FOURS[code]))
    if code == "wild":
        return card(code, _wild_card())
    if code in SPECIALS:
        return card(code, _special_card(_pictogram(code)))
    raise ValueError(f"Zocken has no card {code!r}")


def back() -> str:
    """The back: the wood by night, the same from both ends."""
    places = ((48, 112, 27), (125, 92, 36), (202, 112, 27))
    trees = "".join(place(_tree(size, 175 - y), x, y) for x, y, size in places)
    spots = ((34, 44), (72, 62), (98, 30), (160, 34), (186, 64), (218, 40))
    stars = "".join(circle(x, y, 3, fill=YELLOW.fill) for x, y in spots)
    wood = both_ends(trees + stars) + line(HORIZON, EARTH, 6)
    return card("zocken", panel(NIGHT) + within_panel(wood))


def token(thing: str, colour: str) -> str:
    """The Zocken pawn, showing its `yellow` or its `blue` side."""
    if thing != "pawn":
        raise ValueError(f"Zocken has no {thing!r}")
    if colour == "yellow":
        side, look = YELLOW, goblins.asleep()
        foot = ellipse(125, 302, 96, 32, **_cloth(side))
    elif colour == "blue":
        side, look = BLUE, goblins.awake()
        foot = rect(37, 274, 176, 58, 6, **_cloth(side))
    else:
        raise ValueError(f"the Zocken pawn has no side {colour!r}")
    goblin = goblins.bust(path(goblins.HAT, **_cloth(side)), side.ink, look)
    letter = initial(side, 0, -36, 30)
    return picture(colour, foot + place(goblin + letter, 125, 196, scale=1.55))


def _goblin_card(yellow: int, symbol: str, hat: str) -> str:
    worn = path(goblins.HAT, fill=hat)
    badge = place(circle(0, 0, 22, fill=PAPER) + place(symbol, scale=0.33), 0, -42)
    day, night = (
        _sign(symbol) + place(goblins.bust(worn, hat, look) + badge, STAGE, 114)
        for look in (goblins.asleep(), goblins.awake())
    )
    return _two_ends(yellow, day, night)


def _wild_card() -> str:
    """The goblin of all colours, before a tree."""
    hat = goblins.motley_hat()
    behind = place(_tree(54, 90), STAGE, 74) + _sign(place(hat, -2, 44, scale=0.9))
    day, night = (
        behind + place(goblins.bust(hat, BLUE.fill, look), STAGE, 114)
        for look in (goblins.asleep(), goblins.awake())
    )
    return _two_ends(5, day, night)


def _four_card(pictures: tuple[Picture, Picture, Picture, Picture]) -> str:
    """Four symbols on one sign, and a tree in which some goblin hides."""
    corners = ((-18, -18), (18, -18), (-18, 18), (18, 18))
    drawn = "".join(
        place(draw(), x, y, scale=0.32) for draw, (x, y) in zip(pictures, corners, strict=True)
    )
    sign = place(rect(-36, -36, 72, 72, 12, fill=PAPER) + drawn, INDEX, 124)
    day, night = (
        sign + place(_tree(58, 92) + look, STAGE + 2, 84)
        for look in (goblins.hidden_asleep(), goblins.hidden_awake())
    )
    return _two_ends(5, day, night)


def _special_card(pictogram: str) -> str:
    """A tree that holds a pictogram in its crown."""
    held = circle(0, 0, 43, fill=PAPER) + place(pictogram, scale=0.72)
    end = _sign(pictogram) + place(_tree(58, 92) + held, STAGE + 2, 84)
    return _two_ends(5, end, end)


def _two_ends(yellow: int, day: str, night: str) -> str:
    """A whole card from what stands at its two ends, and its yellow number."""
    wood = within_panel(ground(DAY), path(f"{HORIZON}V350H0Z", fill=NIGHT))
    upper = _plate(YELLOW, yellow) + day
    lower = turned(_plate(BLUE, 10 - yellow) + night)
    return wood + upper + lower + within_panel(line(HORIZON, EARTH, 5))


def _plate(colour: Colour, number: int) -> str:
    """A number and its colour's letter: on a round plate for yellow, a cornered one for blue."""
    by_day = colour is YELLOW
    rim = colour.ink if by_day else PAPER
    fill = paint(colour, "fine")
    body = rect(-34, -29, 68, 58, 29 if by_day else 5, fill=fill, stroke=rim, stroke_width=3)
    rise = 4 if number in (6, 9) else 0
    figure = emboss(str(number), -10, -rise, 38, colour)
    return place(body + figure + initial(colour, 18, 8, 21), INDEX, 50)


def _sign(symbol: str) -> str:
    """What the card is, within the strip that a fan leaves visible."""
    return place(circle(0, 0, 31, fill=PAPER) + place(symbol, scale=0.49), INDEX, 119)


def _tree(size: float, trunk: float) -> str:
    """A tree drawn round the middle of its crown, with a trunk that reaches so far down."""
    top, foot, down = num(size / 6), num(size / 3.6), num(trunk)
    stem = path(f"M-{top} 0H{top}L{foot} {down}H-{foot}Z", fill=symbols.BARK)
    return stem + path(rosette(size, 9), fill=CROWN)


def _pictogram(special: str) -> str:
    """What a special card does, without words."""
    to_the_left = line("M38 36H-36M-22 23-37 36-22 49", INK, 8)
    match special:
        case "yellow":
            return _turn_to(YELLOW, disc(30))
        case "blue":
            return _turn_to(BLUE, square(27, 4))
        case "pass":
            return place(goblins.figurine(), 0, 4, scale=0.6) + to_the_left
        case "draw":
            plus = line("M-42-16H-22M-32-26V-6", INK, 7)
            return place(_two_cards(), 16, -14) + plus + to_the_left
        case _:
            return place(_two_cards(), 0, 20) + line("M0-18V-46M-15-33 0-48 15-33", INK, 8)


def _turn_to(colour: Colour, outline: str) -> str:
    """The pawn's new side, and the turn it makes."""
    side = path(outline, **_cloth(colour)) + write(
        letter_of(colour), 0, 0, fitting(colour, 36), colour.on
    )
    return line("M-26-38A46 46 0 1 0 26-38", INK, 8) + path("M12-28 14-52 38-38Z", fill=INK) + side


def _two_cards() -> str:
    one = rect(-15, -21, 30, 42, 4, fill=PAPER, stroke=INK, stroke_width=5.5)
    return place(one, -8, -6) + place(one, 8, 6)


def _cloth(colour: Colour) -> dict[str, Attribute]:
    """Attributes of something clad in a colour and its pattern."""
    return {"fill": paint(colour, "fine"), "stroke": colour.ink, "stroke_width": 3}
