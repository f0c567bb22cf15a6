"""A server keeps what it has tried instead of playing it again; nobody can tell the difference."""

import contextlib
import copy
import random
from typing import Any

import pytest

import kibitz
from kibitz.engine.match import Match
from kibitz.server import entries
from kibitz.server import protocol as p
from kibitz.server.decide import BotChoice, decide
from kibitz.server.entries import Draft, Entry
from kibitz.server.protocol import Refused
from kibitz.server.store import now_ms
from kibitz.server.table import Table
from server.guests import any_of, run
from server.memory import Gathering, MemoryStore
from server.test_decide import NOW, begun, command, situation
from short import of_some_rounds, players_for

GAMES = kibitz.games()
MOST_STEPS = 150


def choice(match: Match, seat: int, rng: random.Random) -> list[str]:
    """A whole choice of a seat, at random."""
    tried, steps = match.copy(), list[str]()
    while True:
        steps.append(any_of(tried.legal(seat), rng))
        tried.play(seat, steps[-1])
        verb = tried.verb(steps[-1])
        assert verb is not None
        if not verb.continues:
            return steps


def whole(table: Table) -> dict[str, Any]:
    """Everything that a table knows, in a form that can be compared."""
    match = table.match
    assert match is not None
    known = {name: value for name, value in vars(table).items() if name not in ("match", "_now")}
    return {
        **known,
        "state": match.state.tobytes(),
        "done": match.done,
        "sheet": match.sheet,
    }


def decided(table: Table, rng: random.Random) -> Draft:
    """What somebody who is due decides."""
    assert table.match is not None
    seat = rng.choice(sorted(table.match.to_act))
    actions = choice(table.match, seat, rng)
    draft = decide(table, seat, command(p.Play, actions=actions), situation())
    assert draft is not None
    assert draft.after is not None
    return draft


def next_of(table: Table, draft: Draft) -> Entry:
    return draft.entry(table.seq + 1, NOW, None)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_choices_that_were_tried_is_the_match_played_again(game: str) -> None:
    """Step by step: states, luck, lines, events, sheets, clocks; others are tried between."""
    rng = random.Random(game)
    table = begun(game, players_for(game, 3), 60, **of_some_rounds(game))
    again = table.snapshot()
    for n in range(MOST_STEPS):
        if table.phase == "over":
            break
        if table.rests:
            draft = Draft(entries.DEAL)
        else:
            for _ in range(n % 3):
                decided(table, rng)
            draft = decided(table, rng)
        entry = next_of(table, draft)
        table.fold(entry, NOW + n, draft.after)
        again.fold(entry, NOW + n)
        assert whole(table) == whole(again)
    assert again.match is not None
    assert again.match.round > 1 or n == MOST_STEPS - 1


@pytest.mark.parametrize("game", GAMES)
def test_what_was_tried_before_another_choice_came_is_refused_and_changes_nothing(
    game: str,
) -> None:
    rng = random.Random(game)
    table = begun(game, players_for(game, 3))
    late, first = decided(table, rng), decided(table, rng)
    table.fold(next_of(table, first), NOW, first.after)
    before = copy.deepcopy(whole(table))
    with pytest.raises(ValueError, match="not tried on the match as it stands"):
        table.fold(next_of(table, late), NOW, late.after)
    assert whole(table) == before


def test_what_was_tried_in_another_match_is_refused() -> None:
    """Also where as much has happened in it."""
    one, two = (kibitz.new("kolpa", players=2, seed=seed) for seed in (1, 2))
    (seat,) = one.to_act
    with pytest.raises(ValueError, match="not tried on the match as it stands"):
        two.adopt(one.try_choice(seat, choice(one, seat, random.Random(1))))


class AnotherServer(MemoryStore):
    """A store to which another server writes just before the next choice."""

    first: Draft | None = None

    async def append(self, table: str, entry: Entry) -> bool:
        draft, self.first = self.first, None
        if draft is not None:
            assert await super().append(table, draft.entry(entry.seq, now_ms(), None))
        return await super().append(table, entry)


def folded(table: Gathering) -> Table:
    """The table as a server reads it that tries nothing."""
    found = Table(table.room.table.stored)
    for entry in table.store.rows[table.room.id]:
        found.fold(entry)
    return found


def in_the_match(table: Table) -> dict[str, Any]:
    """What does not depend on the time."""
    known = whole(table)
    return {name: known[name] for name in ("state", "done", "sheet", "seq", "line_seq", "line_by")}


@pytest.mark.parametrize("game", GAMES)
def test_a_choice_is_tried_anew_where_another_server_wrote_something_first(game: str) -> None:
    """A chat line leaves it as it was; a choice for the same seat takes its place."""

    async def play() -> None:
        store, rng = AnotherServer(), random.Random(game)
        table = Gathering(game, 3, store=store)
        await table.begin()
        seat, steps = await table.choice(rng)
        store.first = Draft(entries.SAY, None, entries.Spoken("", "hello"))
        assert (await table.play(seat, steps))["t"] == "moved"
        assert in_the_match(table.room.table) == in_the_match(folded(table))
        seat, steps = await table.choice(rng)
        by_a_bot = BotChoice(seat, choice(table.match, seat, rng), "stand_in")
        gone = situation(now_ms())
        store.first = decide(folded(table), None, by_a_bot, gone)
        assert store.first is not None
        with contextlib.suppress(Refused):  # unless it is still due, or again
            await table.play(seat, steps)
        assert in_the_match(table.room.table) == in_the_match(folded(table))
        written = [entry for entry in store.rows[table.room.id] if entry.kind == entries.PLAY]
        assert written[1].read().by == "stand_in"
        table.end()

    run(play())
