"""Kiza: what has been chosen unseen, dealt anew for those who cannot see it."""

import pytest

from kibitz.games.kiza.tests.kiza_positions import at
from kibitz.testing import cards, redealt, sizes

proves = pytest.mark.proves


@proves("KIZA-R1")
@pytest.mark.parametrize("chooser", [0, 1, 2])
@pytest.mark.parametrize("viewer", [1, 2, None])  # the seat so far to the left of the chooser
def test_what_was_chosen_may_be_any_cards_of_the_hand_for_all_one_knows(
    chooser: int, viewer: int | None
) -> None:
    """Redealt: a seat has chosen, and any one to three of its cards are possible."""
    left, right = (chooser + 1) % 3, (chooser + 2) % 3
    looking = None if viewer is None else (chooser + viewer) % 3
    match = at(
        f"due: 0 1 2\nhand.{chooser}: r●1 r●2 r●3\nhand.{left}: b■1 b■2\nhand.{right}: g▲1 g▲2"
    )
    match.play(chooser, "present r●2")
    match.play(chooser, "ready")
    match.play(left, "present b■1")
    worlds = [redealt(match, looking, n) for n in range(60)]
    chosen = [cards(world, f"chosen.{chooser}", chooser) for world in worlds]
    assert {len(choice) for choice in chosen} == {1, 2, 3}
    for world, choice in zip(worlds, chosen, strict=True):
        assert world.view(looking) == match.view(looking)
        assert len(choice) + len(cards(world, f"hand.{chooser}", chooser)) == 3
        own = ["b■1"] if viewer == 1 else []  # others that are not ready have chosen nothing
        assert cards(world, f"chosen.{left}", left) == own
        assert cards(world, f"chosen.{right}", right) == []


@proves("KIZA-R1", "KIZA-R14")
@pytest.mark.parametrize(
    "text",
    ["phase: offer\nkiza.0: r●10\nhand.0: r●1\nhand.1: b■1\nhand.2: g▲1",
     "phase: auction\nlot: r●10\nhand.0: r●1\nhand.1: b■1\nhand.2: g▲1",
     "due: 0 2\nhand.0: r●1\nhand.2: g▲1"],
)  # fmt: skip
def test_nothing_is_chosen_once_all_have_presented_nor_by_who_was_dealt_nothing(text: str) -> None:
    match = at(text)
    for viewer in (0, 1, 2, None):
        world = redealt(match, viewer, 1)
        assert world.view(viewer) == match.view(viewer)
        assert [cards(world, f"chosen.{seat}", seat) for seat in range(3)] == [[], [], []]
        assert sizes(world, "hand") == sizes(match, "hand")
