"""Records and zones without a game: for tests of what moves cards."""

from typing import Any

from kibitz.engine.actions import Actions
from kibitz.engine.deck import Deck
from kibitz.engine.dispatch import Rules, action_tables, deck_tables, register, zone_tables
from kibitz.engine.record import Layout
from kibitz.engine.rounds import no_hidden_choice
from kibitz.engine.zones import Zones


def nothing(*_: Any) -> None:
    """For rules that are not asked for."""


def bare_rules(layout: Layout, deck: Deck, zones: Zones) -> Rules:
    """Rules by which nothing is played, made known to compiled code."""
    rules = Rules(
        nothing, nothing, nothing, no_hidden_choice,
        **action_tables(Actions(deck)), **zone_tables(zones), **deck_tables(deck),
    )  # fmt: skip
    register(layout, rules)
    return rules
