"""The layout of a game's observations, printed."""

import json

from rich.console import Console
from rich.table import Table as Grid

from kibitz.engine.observation import DTYPE, Observation, observation_of
from kibitz.games import find


def print_layout(name: str, *, as_json: bool) -> int:
    """Print what stands where, as a table or as JSON."""
    layout = observation_of(find(name))
    if as_json:
        print(json.dumps(described(layout), indent=2, ensure_ascii=False))
        return 0
    grid = Grid(box=None, pad_edge=False)
    grid.add_column("offset", justify="right")
    grid.add_column("length", justify="right")
    grid.add_column("name", no_wrap=True)
    grid.add_column("meaning")
    for section in layout.sections.values():
        grid.add_row(str(section.offset), str(section.length), section.name, section.meaning)
    console = Console(soft_wrap=False)
    console.print(grid)
    console.print(f"\n{layout.size} numbers ({DTYPE.__name__}), {layout.actions} actions.")
    console.print("+0 is the own seat, +1 the next in order of play; actions name seats so too.")
    console.print(f"Kinds, from 0: {' '.join(layout.layout.deck.codes)}", highlight=False)
    return 0


def described(layout: Observation) -> dict[str, object]:
    """The layout as plain values."""
    return {
        "game": layout.game.name,
        "rules": layout.game.identity.version,
        "dtype": DTYPE.__name__,
        "size": layout.size,
        "seats": layout.seats,
        "kinds": list(layout.layout.deck.codes),
        "sections": [vars(section) for section in layout.sections.values()],
        "actions": [action.text for action in layout.game.actions.all],
    }
