"""Card numbers line up so that copies of a kind can be folded together."""

import pytest

from kibitz.engine.deck import NO_CARD, Deck, Kind


@pytest.mark.parametrize(
    ("kinds", "copies"), [(1, 126), (6, 3), (21, 6), (31, 4), (45, 2), (63, 2), (112, 1)]
)
def test_every_card_has_a_number_of_its_own_that_fits_two_words(kinds: int, copies: int) -> None:
    deck = Deck(Kind(f"c{k}", copies) for k in range(kinds))
    assert len(set(deck.cards)) == len(deck) == kinds * copies
    assert all(0 <= card < NO_CARD and card & 63 < 63 for card in deck.cards)
    assert all(deck.kind[deck.card(k, c)] == k for k in range(kinds) for c in range(copies))


def test_copies_of_a_kind_are_a_stride_apart() -> None:
    deck = Deck(Kind(f"c{k}", 6) for k in range(21))
    assert [deck.card(4, copy) for copy in range(6)] == [4, 25, 46, 68, 89, 110]


@pytest.mark.parametrize(("kinds", "copies"), [(22, 6), (64, 2), (127, 1)])
def test_a_deck_that_does_not_fit_is_refused(kinds: int, copies: int) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        Deck(Kind(f"c{k}", copies) for k in range(kinds))


def test_two_kinds_cannot_be_written_alike() -> None:
    with pytest.raises(ValueError, match="same code"):
        Deck([Kind("a"), Kind("a")])


def test_kinds_are_found_by_their_form_and_by_the_words_of_their_names() -> None:
    suits = [Kind(f"{s}{n}", words={"suit": s, "rank": n}) for s in "ch" for n in "23"]
    deck = Deck([*suits, Kind("joker", 2, "joker")])
    assert deck.kinds_with(suit="h") == 0b01100
    assert deck.kinds_with(rank="2") == 0b00101
    assert deck.kinds_with(suit="h", rank="3") == 0b01000
    assert deck.kinds_with(form="joker") == 0b10000
    assert deck.kinds_with("card", rank="4") == 0
    assert deck.kinds_with() == 0b11111
