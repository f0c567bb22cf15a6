"""SVG as text: elements with presentation attributes only, numbers kept short."""

from __future__ import annotations

from html import escape

Attribute = str | float


def num(value: float) -> str:
    """A number with at most one decimal where it is large, two where it is small."""
    rounded = round(value, 1 if abs(value) >= 10 else 2)
    return f"{rounded + 0.0:g}"  # the sum turns -0 into 0


def element(name: str, *children: str, **attributes: Attribute) -> str:
    """One element; underscores in attribute names stand for hyphens."""
    written = "".join(
        f' {key.replace("_", "-")}="{_value(value)}"' for key, value in attributes.items()
    )
    body = "".join(children)
    return f"<{name}{written}>{body}</{name}>" if body else f"<{name}{written}/>"


def path(d: str, **attributes: Attribute) -> str:
    """A path from its data."""
    return element("path", d=d, **attributes)


def circle(x: float, y: float, radius: float, **attributes: Attribute) -> str:
    """A circle round (x, y)."""
    return element("circle", cx=x, cy=y, r=radius, **attributes)


def ellipse(x: float, y: float, rx: float, ry: float, **attributes: Attribute) -> str:
    """An ellipse round (x, y)."""
    return element("ellipse", cx=x, cy=y, rx=rx, ry=ry, **attributes)


def rect(
    x: float, y: float, width: float, height: float, radius: float, **attributes: Attribute
) -> str:
    """A rectangle with rounded corners."""
    return element("rect", x=x, y=y, width=width, height=height, rx=radius, **attributes)


def line(d: str, colour: str, width: float, **attributes: Attribute) -> str:
    """An open stroke along path data."""
    return path(d, fill="none", stroke=colour, stroke_width=width, **attributes)


def group(*children: str, **attributes: Attribute) -> str:
    """Children that share attributes."""
    return element("g", *children, **attributes)


def place(drawing: str, x: float = 0, y: float = 0, *, scale: float = 1, turn: float = 0) -> str:
    """A drawing made round the origin, scaled and turned there, then moved to (x, y)."""
    steps = [f"translate({num(x)} {num(y)})"]
    if turn:
        steps.append(f"rotate({num(turn)})")
    if scale != 1:
        steps.append(f"scale({round(scale, 3):g})")
    return group(drawing, transform="".join(steps))


def _value(value: Attribute) -> str:
    return escape(value) if isinstance(value, str) else num(value)
