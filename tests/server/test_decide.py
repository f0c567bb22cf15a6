"""What becomes of a command: decided without a loop, a clock or a network, on tables that stay as
they are."""

import contextlib
import copy
import json
from typing import Any

import pytest
from msgspec.structs import replace

from kibitz.games import find
from kibitz.server import entries
from kibitz.server import protocol as p
from kibitz.server.decide import (
    BotChoice,
    FirstDeal,
    MakeRematch,
    PauseOver,
    Sit,
    decide,
)
from kibitz.server.entries import Draft
from kibitz.server.protocol import Refused
from kibitz.server.situation import Situation
from kibitz.server.store import new_table
from kibitz.server.table import Table

NOW = 1_000_000
PAUSE = 30_000


def situation(now: int = NOW, *here: int) -> Situation:
    """Who is not here has been gone for long."""
    gone = dict.fromkeys({0, 1, 2, 3} - set(here), now - 3_600_000)
    return Situation(now, frozenset(here), PAUSE, gone)


def new(game: str = "kolpa", players: int = 2, clock: int | None = None, **options: Any) -> Table:
    found = find(game)
    written = found.written(found.settings(players, options))
    version = found.identity.version
    stored = new_table(game, version, players, json.dumps(written), clock, True, is_open=False)
    return Table(replace(stored, id=game, secret="the same each time, and so is the deal"))


def fold(table: Table, draft: Draft | None, at: int = NOW, cid: str | None = None) -> Table:
    assert draft is not None
    table.fold(draft.entry(table.seq + 1, at, cid))
    return table


def begun(game: str = "kolpa", players: int = 2, clock: int | None = None, **options: Any) -> Table:
    """A match with people on all seats."""
    table = new(game, players, clock, **options)
    for n in range(players):
        fold(table, decide(table, None, Sit(f"Guest {n}", None, None), situation()))
    fold(table, decide(table, 0, command(p.Start), situation()))
    return fold(table, decide(table, None, FirstDeal(), situation()))


def command(kind: type[p.TableCommand], **words: Any) -> Any:
    return kind(id="c1", table="t", **words)


def due(table: Table) -> int:
    assert table.match is not None
    return min(table.match.to_act)


def play(seat: int, table: Table) -> Any:
    assert table.match is not None
    return command(p.Play, actions=[table.match.legal(seat)[0]])


def rests() -> Table:
    """A table at which the first round has just ended."""
    table = begun("lantern", 2, rounds=2)
    for seat in (0, 1):
        fold(table, decide(table, seat, command(p.Play, actions=["stop"]), situation()))
    assert table.rests
    return table


def refused(table: Table, seat: int | None, asked: Any, when: Situation | None = None) -> str:
    with pytest.raises(Refused) as why:
        decide(table, seat, asked, when or situation())
    return why.value.error


def test_a_decision_changes_nothing() -> None:
    table = begun()
    assert table.match is not None
    before = copy.deepcopy({k: v for k, v in vars(table).items() if k != "match"})
    state, done = table.match.state.tobytes(), list(table.match.done)
    for seat in (0, 1, None):
        for asked in (
            play(due(table), table), command(p.Say, text="hello"), command(p.Leave),
            command(p.Back), command(p.NextRound), PauseOver(), MakeRematch("next"),
            command(p.StandIn, seat=1, how="rest"), Sit("Cy", None, None),
        ):  # fmt: skip
            with contextlib.suppress(Refused):
                decide(table, seat, asked, situation())
    assert {k: v for k, v in vars(table).items() if k != "match"} == before
    assert table.match.state.tobytes() == state
    assert table.match.done == done


def test_the_same_question_gets_the_same_answer() -> None:
    table = begun()
    asked = play(due(table), table)
    drafts = [decide(table, due(table), asked, situation()) for _ in range(2)]
    entries_made = [draft.entry(table.seq + 1, NOW, None) for draft in drafts if draft]
    states = [draft.after.state.tobytes() for draft in drafts if draft and draft.after]
    assert entries_made[0] == entries_made[1]
    assert states[0] == states[1]


def test_what_is_decided_happens_when_it_is_folded_and_not_before() -> None:
    table = begun()
    seat = due(table)
    assert table.match is not None
    draft = decide(table, seat, play(seat, table), situation())
    assert len(table.match.done) == 1
    fold(table, draft)
    assert len(table.match.done) == 2


def test_the_choice_that_ends_the_match_is_marked_as_the_last() -> None:
    table = begun("lantern", 2, rounds=1)
    first = decide(table, 0, command(p.Play, actions=["stop"]), situation())
    assert first is not None
    assert first.kind == entries.PLAY
    last = decide(fold(table, first), 1, command(p.Play, actions=["stop"]), situation())
    assert last is not None
    assert last.kind == entries.LAST


def test_choices_are_for_who_is_due_and_by_the_rules() -> None:
    table = begun()
    seat = due(table)
    assert refused(table, 1 - seat, play(seat, table)) == "not_due"
    assert refused(table, None, play(seat, table)) == "not_seated"
    assert refused(table, seat, command(p.Play, actions=["no such action"])) == "illegal"
    assert refused(new(), 0, command(p.Play, actions=["kol r1"])) == "phase"


@pytest.mark.parametrize(
    ("steps", "error"),
    [(["present {0}"], "unfinished"), (["present {0}", "ready", "ready"], "illegal")],
)
def test_a_choice_of_several_steps_is_made_whole_and_no_further(
    steps: list[str], error: str
) -> None:
    table = begun("kiza", 2)
    assert table.match is not None
    card = table.match.view(0).zones["hand.0"].cards[0]
    actions = [step.format(card) for step in steps]
    assert refused(table, 0, command(p.Play, actions=actions)) == error


# ---- the rest after a round


def test_the_next_round_is_dealt_when_all_people_want_it() -> None:
    table = rests()
    first = decide(table, 0, command(p.NextRound), situation())
    assert first == Draft(entries.READY, 0)
    fold(table, first)
    assert decide(table, 0, command(p.NextRound), situation()) is None, "once is enough"
    second = decide(table, 1, command(p.NextRound), situation())
    assert second == Draft(entries.DEAL)
    fold(table, second)
    assert not table.rests
    assert table.ready == set()
    assert table.match is not None
    assert table.match.round == 2


def test_who_is_away_is_not_waited_for() -> None:
    table = rests()
    fold(table, decide(table, 1, command(p.Leave), situation()))
    assert decide(table, 0, command(p.NextRound), situation()) == Draft(entries.DEAL)


def test_the_next_round_is_dealt_when_the_pause_is_over_and_not_before() -> None:
    table = rests()
    assert decide(table, None, PauseOver(), situation(NOW + PAUSE - 1)) is None
    assert decide(table, None, PauseOver(), situation(NOW + PAUSE)) == Draft(entries.DEAL)


def test_no_round_is_dealt_while_one_is_played_nor_by_who_watches() -> None:
    assert refused(begun(), 0, command(p.NextRound)) == "phase"
    assert refused(rests(), None, command(p.NextRound)) == "not_seated"
    assert decide(begun(), None, PauseOver(), situation(NOW + 10 * PAUSE)) is None


def test_nothing_is_played_while_the_table_rests() -> None:
    assert refused(rests(), 0, command(p.Play, actions=["stop"])) == "not_due"


# ---- bots


def bot_choice(table: Table, by: Any = None) -> BotChoice:
    seat = due(table)
    assert table.match is not None
    return BotChoice(seat, [table.match.legal(seat)[0]], by)


def test_a_bot_that_thought_for_someone_who_is_back_is_not_wanted() -> None:
    table = begun()
    seat = due(table)
    asked = bot_choice(table)
    assert decide(table, None, asked, situation()) is None
    fold(table, decide(table, seat, command(p.Leave), situation()))
    draft = decide(table, None, asked, situation())
    assert draft is not None
    assert draft.kind == entries.PLAY


def test_the_clock_chooses_when_it_has_run_out_and_not_before() -> None:
    table = begun(clock=60)
    asked = bot_choice(table, "clock")
    assert decide(table, None, asked, situation(NOW + 59_999)) is None
    draft = decide(table, None, asked, situation(NOW + 60_000))
    assert draft is not None
    assert draft.body == entries.Played(asked.actions, "clock")
    fold(table, draft)
    assert table.line_by == {1: "clock"}


def test_nobody_stands_in_for_who_is_here() -> None:
    table = begun()
    seat = due(table)
    asked = bot_choice(table, "stand_in")
    assert refused(table, None, asked, situation(NOW, seat)) == "phase"
    assert decide(table, None, asked, situation(NOW, 1 - seat)) is not None
    rest = command(p.StandIn, seat=seat, how="rest")
    assert refused(table, 1 - seat, rest, situation(NOW, seat)) == "phase"
    assert decide(table, 1 - seat, rest, situation()) == Draft(entries.AWAY, seat)


def test_who_has_just_gone_may_come_back_before_others_stand_in() -> None:
    table = begun()
    seat = due(table)
    rest = command(p.StandIn, seat=seat, how="rest")
    turn = bot_choice(table, "stand_in")
    for asked in (rest, turn):
        for away in (0, 156, 29_999):
            just_gone = Situation(NOW + away, frozenset({1 - seat}), PAUSE, {seat: NOW})
            assert refused(table, 1 - seat, asked, just_gone) == "phase"
        gone = Situation(NOW + 30_000, frozenset({1 - seat}), PAUSE, {seat: NOW})
        assert decide(table, 1 - seat, asked, gone) is not None


def test_a_bots_choice_that_comes_too_late_is_dropped() -> None:
    table = begun()
    seat = due(table)
    asked = bot_choice(table, "stand_in")
    fold(table, decide(table, seat, play(seat, table), situation()))
    assert decide(table, None, asked, situation()) is None


# ---- before and after the match


def test_seats_are_taken_until_none_is_left() -> None:
    table = new(players=2)
    fold(table, decide(table, None, Sit("Ada", 1, None), situation()))
    assert refused(table, None, Sit("Bo", 1, None)) == "taken"
    fold(table, decide(table, None, Sit("Bo", None, None), situation()))
    assert [seat.name for seat in table.seats] == ["Bo", "Ada"]
    assert refused(table, None, Sit("Cy", None, None)) == "full"
    assert refused(begun(), None, Sit("Cy", None, None)) == "phase"


def test_only_the_host_deals_and_gives_seats_to_bots() -> None:
    table = new(players=2)
    fold(table, decide(table, None, Sit("Ada", 0, None), situation()))
    assert refused(table, None, command(p.Start)) == "not_seated"
    fold(table, decide(table, None, Sit("Bo", 1, None), situation()))
    assert refused(table, 1, command(p.Start)) == "not_host"
    assert refused(table, 0, command(p.Bot, seat=1, level="easy")) == "taken"
    assert refused(table, 0, command(p.Bot, seat=5, level="easy")) == "malformed"
    assert refused(begun(), 0, command(p.Start)) == "phase"


def test_empty_seats_get_bots_when_the_match_begins() -> None:
    table = new(players=4)
    fold(table, decide(table, None, Sit("Ada", 0, None), situation()))
    fold(table, decide(table, 0, command(p.Bot, seat=2, level="hard"), situation()))
    fold(table, decide(table, 0, command(p.Start), situation()))
    assert [seat.kind for seat in table.seats] == ["person", "bot", "bot", "bot"]
    assert [seat.level for seat in table.seats] == [None, "medium", "hard", "medium"]


def test_a_rematch_is_for_those_who_played_once_it_is_over_and_made_once() -> None:
    table = begun("lantern", 2, rounds=1)
    assert refused(table, 0, MakeRematch("x")) == "phase"
    for seat in (0, 1):
        fold(table, decide(table, seat, command(p.Play, actions=["stop"]), situation()))
    assert refused(table, None, MakeRematch("x")) == "not_seated"
    fold(table, decide(table, 1, MakeRematch("x"), situation()))
    assert table.rematch == "x"
    assert decide(table, 0, MakeRematch("y"), situation()) is None


@pytest.mark.parametrize(("text", "error"), [(" \n ", "malformed"), ("x" * 501, "too_long")])
def test_chat_lines_say_something_and_not_too_much(text: str, error: str) -> None:
    assert refused(begun(), 0, command(p.Say, text=text)) == error


def test_the_name_of_who_spoke_is_kept_with_the_line() -> None:
    draft = decide(begun(), 1, command(p.Say, text=" well \n played "), situation())
    assert draft == Draft(entries.SAY, 1, entries.Spoken("Guest 1", "well played"))
