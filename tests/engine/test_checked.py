"""Checked states refuse what a record would swallow."""

from typing import Any

import pytest

import kibitz
from kibitz.engine.cards import size
from kibitz.engine.checked import Checked, Rows, plain
from kibitz.engine.compiled import lookup


@pytest.fixture
def state() -> Any:
    return kibitz.new("kolpa", players=2, seed=1).checked()


def test_unknown_fields_are_refused(state: Any) -> None:
    with pytest.raises(AttributeError, match="no field 'colour'"):
        state.colour = 1
    with pytest.raises(AttributeError, match="no field 'colour'"):
        state.colour  # noqa: B018


def test_numbers_that_do_not_fit_are_refused(state: Any) -> None:
    with pytest.raises(OverflowError, match=r"outside -128\.\.127"):
        state.starter = 128
    with pytest.raises(OverflowError):
        state.total[0] = 40_000


@pytest.mark.parametrize("index", [-1, 6])
def test_indices_out_of_range_are_refused(state: Any, index: int) -> None:
    with pytest.raises(IndexError):
        state.total[index]
    with pytest.raises(IndexError):
        state.known[index, 0] = 1


def test_a_compiled_rule_has_a_plain_form(state: Any) -> None:
    assert plain(size)(state, 0) == 5


def test_tables_are_checked_too() -> None:
    rows = plain(lookup([[1, 2], [3, 4]]))
    assert isinstance(rows, Rows)
    assert rows[1, 0] == 3
    with pytest.raises(IndexError):
        rows[-1]


def test_a_state_goes_to_a_record_and_back() -> None:
    match = kibitz.new("kolpa", players=3, seed=2)
    checked = Checked(match.game.layout, match.game.plain, match.state[0])
    assert checked.record().tobytes() == match.state.tobytes()


def test_a_copy_is_changed_by_itself() -> None:
    state = kibitz.new("kolpa", players=2, seed=1).checked()
    other = state.copy()
    assert other.record().tobytes() == state.record().tobytes()
    other.total[0] = 7
    other.round_no = 9
    assert (state.total[0], state.round_no) == (0, 1)
