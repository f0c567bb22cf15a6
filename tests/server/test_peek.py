"""Nobody peeks: what a viewer cannot see changes no frame that it is sent."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

import kibitz
from effort import tried
from kibitz.bots.bars import public_chances
from kibitz.contract.views import revealed, the_like_of
from kibitz.engine import border, log
from kibitz.engine.chance import seed_of_move
from kibitz.engine.match import Match
from kibitz.engine.visibility import ALL_SEEING
from kibitz.server import entries, frames, replay
from kibitz.server import protocol as p
from kibitz.server.entries import Draft
from kibitz.server.frames import TableFrames
from kibitz.server.protocol import encode
from kibitz.server.situation import Situation
from kibitz.server.table import Table
from kibitz.server.view_json import ViewWriter, face
from server.guests import continues, run
from server.memory import Eyes, Gathering
from server.test_frames import Follower, patched
from short import THREES_AND_FOURS, of_some_rounds

MOST_LOOKS = tried(
    30, 1000
)  # after that, at every twentieth choice, and whenever a round ends or begins
THEN = Situation(now=1_000_000, pause=30_000)


class Peeked(AssertionError):
    """A viewer was told something that depends on what it cannot see."""


def redealt(table: Table, viewer: int | None, seed: int) -> Table:
    """The same table, with all that a viewer cannot see dealt anew."""
    other = twin(table)
    assert other.match is not None
    low, high = seed_of_move(f"peek {seed}", 0)
    border.redeal_at(other.match.state, 0, -1 if viewer is None else viewer, low, high)
    return other


def twin(table: Table) -> Table:
    """The same table, to go on by itself."""
    other = table.snapshot()
    other.ready = set(table.ready)
    return other


# ---- a table as it stands


def all_told(table: Table, viewer: int | None) -> list[bytes]:
    """Everything that the server could tell a viewer of a table as it stands."""
    match = table.match
    assert match is not None
    telling = TableFrames(table)
    told = [encode(frames.whole(table, telling, viewer, [], "key", "c1", 0, THEN))]
    if viewer is not None and viewer in match.to_act:
        for step in [a for a in match.legal(viewer) if continues(match.game.name, a)]:
            after = match.preview(viewer, [step])
            told.append(bytes(frames.preview(match, after, viewer)))
            told += [text.encode() for text in after.legal(viewer)]
        guess = match.sample_world(viewer)  # all that bots and hints are given
        told += [guess[name].tobytes() for name in guess.dtype.names]
    return told


# ---- a table that goes on


def told_of(table: Table, viewer: int | None, draft: Draft) -> bytes:
    """What a viewer hears when something happens; the table has gone on after it."""
    assert table.match is not None
    telling = TableFrames(table)
    entry = draft.entry(table.seq + 1, THEN.now, None)
    table.fold(entry)
    return telling.moved(entry, THEN.now, THEN.pause).text(viewer)


def the_like_of_all(
    table: Table, other: Table, seat: int, steps: list[str], rng: random.Random
) -> list[str] | None:
    """A choice that looks the same to others in another world, step by step; None: there is none.

    Of a sealed step or one that was seen only in part, another of its verb looks the same.
    """
    assert table.match is not None
    assert other.match is not None
    one, two = table.match.copy(), other.match.copy()
    alike: list[str] = []
    for step in steps:
        like = the_like_of(one, two, seat, step, rng)
        if like is None:
            return None
        alike.append(like)
        one.play(seat, step)
        two.play(seat, like)
    return alike


def same_news(
    table: Table, viewer: int | None, seat: int | None, steps: list[str], rng: random.Random
) -> bool:
    """Let something happen in two worlds that look alike to a viewer: it hears the same of both.

    False where it shows the viewer different cards, or cannot happen in the other world.
    """
    assert table.match is not None
    world, other = twin(table), redealt(table, viewer, rng.randrange(10**6))
    drafts = [Draft(entries.DEAL)] * 2
    if seat is not None:
        alike = steps if viewer == seat else the_like_of_all(world, other, seat, steps, rng)
        if alike is None:
            return False
        drafts = [Draft(entries.PLAY, seat, entries.Played(made)) for made in (steps, alike)]
    before = table.match.view(viewer)
    heard = [told_of(world, viewer, drafts[0]), told_of(other, viewer, drafts[1])]
    one, two = world.match, other.match
    assert one is not None
    assert two is not None
    if revealed(before, one.view(viewer)) != revealed(before, two.view(viewer)):
        return False
    if heard[0] != heard[1]:
        raise Peeked(f"of {steps} viewer {viewer} hears {heard[0]!r}, or {heard[1]!r}")
    return True


class Looks:
    """Looks at a match through every viewer's eyes, and counts what was compared."""

    def __init__(self, gathering: Gathering, seed: int) -> None:
        self.gathering, self.rng = gathering, random.Random(seed)
        self.still = self.moved = self.dealt = 0

    def at(self, seat: int | None, steps: list[str]) -> None:
        """Before something happens: the table as it stands, and what would be told of it."""
        table = self.gathering.room.table
        for viewer, _ in self.gathering.everyone:
            told = all_told(table, viewer)
            other = redealt(table, viewer, self.rng.randrange(10**6))
            if all_told(other, viewer) != told:
                raise Peeked(f"what viewer {viewer} is told depends on what it cannot see")
            self.still += len(told)
            same = same_news(table, viewer, seat, steps, self.rng)
            self.moved += same
            self.dealt += same and seat is None

    async def through_a_match(self) -> None:
        """From the first deal to the end."""
        gathering = self.gathering
        choices = 0
        while not gathering.match.over:
            if gathering.room.table.rests:
                await self._rest()
            seat, steps = await gathering.choice(self.rng)
            choices += 1
            if choices < MOST_LOOKS or choices % 20 == 0 or ends_a_round(gathering, seat, steps):
                self.at(seat, steps)
            await gathering.play(seat, steps)

    async def _rest(self) -> None:
        for seat in range(len(self.gathering.seats)):
            self.at(None, [])
            await self.gathering.ask(seat, p.NextRound)


def ends_a_round(gathering: Gathering, seat: int, steps: list[str]) -> bool:
    return gathering.match.try_choice(seat, steps).round_over


async def peeked(game: str, players: int, seed: int) -> Looks:
    """Look at a whole match."""
    gathering = Gathering(game, players, **of_some_rounds(game))
    await gathering.begin()
    looks = Looks(gathering, seed)
    try:
        await looks.through_a_match()
    finally:
        gathering.end()
    return looks


@pytest.mark.parametrize(("game", "players"), THREES_AND_FOURS)
def test_redealing_what_a_viewer_cannot_see_changes_no_frame(game: str, players: int) -> None:
    """Neither of the table as it stands, nor of what happens: choices, rests and deals, and each
    line of the log with its events."""
    looks = run(peeked(game, players, seed=1))
    assert looks.still > 50
    assert looks.moved > 10
    assert looks.dealt > 0


# ---- mistakes as they could be made


class Leaky(ViewWriter):
    """Everyone is shown what nobody but all may see."""

    def __init__(self, match: Match, viewers: Sequence[int]) -> None:
        super().__init__(match, [ALL_SEEING for _ in viewers])


@pytest.mark.parametrize("game", kibitz.games())
def test_a_server_that_shows_all_hands_would_be_caught(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "ViewWriter", Leaky)
    with pytest.raises(Peeked):
        run(peeked(game, 3, seed=1))


@pytest.fixture
def nothing_remembered() -> Iterator[None]:
    """What is said of a mistake must not be remembered, nor what was said before."""
    face.cache_clear()
    yield
    face.cache_clear()


def to_everyone(line_or_event: Callable[..., Any]) -> Callable[..., Any]:
    """A part of the log as if anyone could read all of it."""
    return lambda game, done, viewer: line_or_event(game, done, ALL_SEEING)


@pytest.mark.usefixtures("nothing_remembered")
@pytest.mark.parametrize("game", ["kiza", "zocken"])
def test_a_log_that_tells_sealed_or_masked_actions_would_be_caught(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.engine.match.line", to_everyone(log.line))
    monkeypatch.setattr("kibitz.server.view_json.line", to_everyone(log.line))
    with pytest.raises(Peeked):
        run(peeked(game, 3, seed=1))


@pytest.mark.usefixtures("nothing_remembered")
@pytest.mark.parametrize("game", ["kolpa", "ramon", "viva"])
def test_a_log_that_tells_what_others_have_drawn_would_be_caught(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "event", to_everyone(log.event))
    with pytest.raises(Peeked):
        run(peeked(game, 3, seed=1))


# ---- elsewhere


@pytest.mark.parametrize("game", kibitz.games())
def test_the_bars_do_not_depend_on_hidden_cards(game: str) -> None:
    async def look() -> None:
        gathering = Gathering(game, 3)
        await gathering.begin()
        rng = random.Random(3)
        for n in range(6):
            other = redealt(gathering.room.table, None, n).match
            assert other is not None
            assert public_chances(other) == public_chances(gathering.match)
            await gathering.play(*await gathering.choice(rng))
            if gathering.match.over:
                break
        gathering.end()

    run(look())


@pytest.mark.parametrize("game", kibitz.games())
def test_looking_back_in_a_running_match_shows_no_more_than_was_seen(game: str) -> None:
    """What others have sealed is not there, nor any card that the viewer did not see then."""

    async def look() -> None:
        gathering = Gathering(game, 3)
        await gathering.begin()
        rng = random.Random(4)
        for _ in range(25):
            if gathering.match.over:
                break
            for viewer, eyes in gathering.everyone:
                shows_what_was_seen(gathering.room.table, viewer, eyes)
            await gathering.play(*await gathering.choice(rng))
        gathering.end()

    run(look())


def shows_what_was_seen(table: Table, viewer: int | None, eyes: Eyes) -> None:
    """Looking back is what the frames have told, step by step."""
    back, seen = json.loads(replay.history(table, viewer)), Follower(eyes)
    view = back["start"]
    assert (view, back["lines"]) == (seen.now["view"], seen.lines)
    for move, moved in zip(back["moves"], seen.moves, strict=True):
        seen.follow(moved)
        view = patched(view, move["view"])
        assert (view, move["lines"]) == (seen.now["view"], moved["lines"])
    whole = encode(frames.whole(table, TableFrames(table), viewer, [], "", "", 0, THEN))
    assert json.loads(whole)["view"] == view


PASSING = ("re", "table", "turn", "join")  # what differs from one table, or moment, to the next


def test_nobody_learns_how_many_cards_a_sealed_choice_has() -> None:
    """Not from frames, not from their numbers, not from coming anew, not from looking back."""

    async def others_hear(cards: int) -> list[object]:
        gathering = Gathering("kiza", 3)
        await gathering.begin()
        own = [a for a in gathering.match.legal(0) if a.startswith("present")]
        heard = [len(eyes.frames) for _, eyes in gathering.everyone]
        await gathering.play(0, [*own[:cards], "ready"])
        table = gathering.room.table
        found: list[object] = [table.seq, len(gathering.store.rows[table.id])]
        for (viewer, eyes), before in zip(gathering.everyone, heard, strict=True):
            if viewer != 0:
                late = Eyes()
                token = None if viewer is None else gathering.room.token_of(viewer)
                await gathering.room.enter(late, token, "late", 0)
                for frame in map(json.loads, [*eyes.frames[before:], *late.frames]):
                    found.append({k: v for k, v in frame.items() if k not in PASSING})
                found.append(replay.history(table, viewer))
        gathering.end()
        return found

    one, three = run(others_hear(1)), run(others_hear(3))
    assert one == three
    assert len(one) > 8
