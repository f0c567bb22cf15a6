"""Lantern, rule by rule."""

import pytest

import kibitz

proves = pytest.mark.proves


@proves("LANTERN-C1", "LANTERN-S1")
def test_three_cards_each_out_of_eighteen() -> None:
    view = kibitz.new("lantern", players=4, seed=1).view()
    assert [view.zones[f"hand.{p}"].size for p in range(4)] == [3] * 4
    assert view.zones["draw"].size == 6
    assert view.to_act == {0}


@proves("LANTERN-T1", "LANTERN-T2")
def test_cards_never_go_down_and_stopping_is_for_good() -> None:
    match = kibitz.position(
        "lantern", "lantern 2\ndue: 0\nhand.0: 2 3\nhand.1: 1 5\ntower.0: 3\ndraw: *"
    )
    assert match.legal(0) == ["lay 3", "stop"]
    with pytest.raises(kibitz.IllegalAction) as refusal:
        match.play(0, "lay 2")
    assert refusal.value.rule == "LANTERN-T2"
    match.play(0, "stop")
    match.play(1, "lay 1")
    assert match.to_act == {1}


@proves("LANTERN-E1", "LANTERN-E2")
def test_the_highest_tower_wins() -> None:
    match = kibitz.position(
        "lantern", "lantern 2\ndue: 1\nstopped: 0\nhand.1: 6\ntower.0: 3\ntower.1: 2\ndraw: *"
    )
    match.play(1, "lay 6")
    assert match.over
    assert match.scores == [1, 2]
    assert match.winners == [1]
