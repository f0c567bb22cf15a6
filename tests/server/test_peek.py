"""Nobody peeks: what a viewer cannot see changes no frame that it is sent."""

import copy
import json
import random
from collections import Counter
from collections.abc import Sequence

import pytest

import kibitz
from contract.test_views import has_drawn, shown
from kibitz.bots.bars import public_chances
from kibitz.engine import playout
from kibitz.engine.actions import Secrecy
from kibitz.engine.chance import seed_of_move
from kibitz.engine.visibility import ALL_SEEING
from kibitz.engine.match import Match
from kibitz.server import finished, telling
from kibitz.server.showing import Showing
from kibitz.server.store import PLAY, Entry
from kibitz.server.table import Table
from kibitz.server.telling import Telling
from server.guests import run
from server.memory import Gathering

MOST_LOOKS = 150  # after that, at every tenth move


class Peeked(AssertionError):
    """A viewer was told something that depends on what it cannot see."""


def redealt(table: Table, viewer: int | None, seed: int) -> Table:
    """The same table, with all that a viewer cannot see dealt anew."""
    other = twin(table)
    assert other.match is not None
    low, high = seed_of_move(f"peek {seed}", 0)
    playout.redeal_at(other.match.state, 0, -1 if viewer is None else viewer, low, high)
    return other


def twin(table: Table) -> Table:
    assert table.match is not None
    other = copy.copy(table)
    other.match = table.match.copy()
    other.line_seq, other.open_seq = table.line_seq.copy(), table.open_seq.copy()
    return other


def all_told(table: Table, viewer: int | None) -> list[bytes]:
    """Everything that the server could tell a viewer of a table as it stands."""
    match = table.match
    assert match is not None
    saying = Telling(table)
    told = [telling.whole(table, saying, viewer, [], "key", "c1", 0)]
    if viewer is not None and viewer in match.to_act:
        told.append(saying.choices(viewer))
        for step in match.held(viewer):
            after = match.preview(viewer, [step])
            told.append(bytes(telling.preview(match, after, viewer)))
            told += [text.encode() for text in [*after.legal(viewer), *after.held(viewer)]]
        guess = match.sample_world(viewer)  # all that bots and hints are given
        told += [guess[name].tobytes() for name in guess.dtype.names]
    return told


def told_of(table: Table, viewer: int | None, seat: int, action: str) -> bytes:
    """What a viewer hears when a seat acts; the table has moved on after it."""
    match = table.match
    assert match is not None
    saying = Telling(table)
    match.play(seat, action)
    seq = table.seq + 1
    entry = Entry(seq, 0, PLAY, seat, "{}", None)
    table.fold(entry, played=True)
    return saying.moved(entry, None, set(range(match.players)))[-1 if viewer is None else viewer]


def counterpart(match: Match, other: Match, seat: int, action: str) -> str | None:
    """What the seat could do in another world that must look the same to those who watch."""
    legal = other.legal(seat)
    if action in legal:
        return action
    number = match.game.actions.read(action)
    assert number is not None
    verb = match.game.actions.all[number].verb
    if verb.secrecy is Secrecy.OPEN:
        return None
    return next((text for text in legal if text.startswith(f"{verb.name} ")), None)


def shows_more(before: Match, after: Match, viewer: int | None, action: str) -> bool:
    """Whether an action showed a viewer cards that it had not seen."""
    was, now = before.view(viewer), after.view(viewer)
    if now.round != was.round or now.over or has_drawn(was, now):
        return True
    number = before.game.actions.read(action)
    assert number is not None
    named = before.game.actions.all[number].words.get("card")
    return bool(shown(now) - shown(was) - Counter([named] if named else []))


def opens(before: Match, after: Match) -> bool:
    """Whether sealed choices were laid open."""
    return before.sealed < len(before.log) and after.sealed == len(after.log)


def same_news(table: Table, viewer: int | None, seat: int, action: str, seed: int) -> bool:
    """Play an action in two worlds that look alike to a viewer: it hears the same of both.

    False where the action shows it new cards, or cannot be made in the other world.
    """
    assert table.match is not None
    worlds = [twin(table), redealt(table, viewer, seed)]
    one, two = (world.match for world in worlds)
    assert one is not None
    assert two is not None
    other_action = counterpart(one, two, seat, action)
    if other_action is None or (viewer == seat and other_action != action):
        return False
    actions = [action, other_action]
    heard = [told_of(world, viewer, seat, a) for world, a in zip(worlds, actions, strict=True)]
    if any(
        shows_more(table.match, after, viewer, a) or opens(table.match, after)
        for after, a in zip((one, two), actions, strict=True)
    ):
        return False
    if heard[0] != heard[1]:
        raise Peeked(f"of {action} viewer {viewer} hears {heard[0]!r}, or {heard[1]!r}")
    return True


async def peeked(game: str, players: int, seed: int) -> tuple[int, int]:
    """Look at a whole match through every viewer's eyes; how much was compared."""
    gathering = Gathering(game, players)
    await gathering.begin()
    table = gathering.room.table
    rng = random.Random(seed)
    still = moved = 0
    for n in range(100_000):
        if gathering.match.over:
            break
        seat, steps = await gathering.choice(rng)
        for viewer, _ in gathering.everyone if n < MOST_LOOKS or n % 10 == 0 else ():
            told = all_told(table, viewer)
            if all_told(redealt(table, viewer, n), viewer) != told:
                raise Peeked(f"what viewer {viewer} is told depends on what it cannot see")
            still += len(told)
            moved += same_news(table, viewer, seat, steps[0], n)
        await gathering.play(seat, steps)
    gathering.end()
    return still, moved


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("game", kibitz.games())
def test_redealing_what_a_viewer_cannot_see_changes_no_frame(game: str, players: int) -> None:
    still = moved = 0
    for seed in range(4 if game == "ramon" else 1):  # where short matches show new cards each time
        one, two = run(peeked(game, players, seed))
        still, moved = still + one, moved + two
    assert still > 50
    assert moved > 10


class Leaky(Showing):
    """A mistake as it could be made: everyone is shown what nobody but all may see."""

    def __init__(self, match: Match, viewers: Sequence[int]) -> None:
        super().__init__(match, [ALL_SEEING for _ in viewers])


@pytest.mark.parametrize("game", kibitz.games())
def test_a_server_that_shows_all_hands_would_be_caught(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "Showing", Leaky)
    with pytest.raises(Peeked):
        run(peeked(game, 3, seed=1))


def test_a_log_that_tells_sealed_choices_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Match, "told", lambda self, seat, n, sealed: self.log[n])
    with pytest.raises(Peeked):
        run(peeked("kiza", 3, seed=1))


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
    """What others have sealed is not there yet, nor any card that the viewer did not see."""

    async def look() -> None:
        gathering = Gathering(game, 3)
        await gathering.begin()
        rng = random.Random(4)
        for _ in range(25):
            if gathering.match.over:
                break
            table = gathering.room.table
            for viewer, _ in gathering.everyone:
                back = json.loads(finished.history(table, viewer))
                lines = [tuple(line) for move in back["moves"] for line in move["lines"]]
                assert lines == gathering.match.history(viewer)
                zones = {k: v for m in [{"view": back["start"]}, *back["moves"]]
                         for k, v in m["view"]["zones"].items()}  # fmt: skip
                whole = json.loads(telling.whole(table, Telling(table), viewer, [], "", "", 0))
                assert zones == whole["view"]["zones"]
            await gathering.play(*await gathering.choice(rng))
        gathering.end()

    run(look())


def test_nobody_learns_how_many_cards_a_sealed_choice_has() -> None:
    """Not from frames, not from coming anew, not from looking back."""

    async def others_hear(cards: int) -> list[object]:
        gathering = Gathering("kiza", 3)
        await gathering.begin()
        own = [a for a in gathering.match.legal(0) if a.startswith("present")]
        heard = [len(eyes.frames) for _, eyes in gathering.everyone]
        await gathering.play(0, [*own[:cards], "ready"])
        found: list[object] = []
        for (viewer, eyes), before in zip(gathering.everyone, heard, strict=True):
            if viewer != 0:
                moved = [json.loads(frame) for frame in eyes.frames[before:]]
                found.append([frame["view"] | {"lines": frame["lines"]} for frame in moved])
                found.append(finished.history(gathering.room.table, viewer))
        gathering.end()
        return found

    one, three = run(others_hear(1)), run(others_hear(3))
    assert one == three
