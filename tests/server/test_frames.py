"""What the server sends is what the rules say, step by step, for everyone who looks."""

import json
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import kibitz
from effort import tried
from kibitz.engine.log import Event, Line
from kibitz.engine.match import Match
from kibitz.games import find
from kibitz.server import entries, replay
from kibitz.server import protocol as p
from kibitz.server.entries import Entry
from kibitz.server.proof import faults
from kibitz.server.protocol import decode_frame, encode
from kibitz.server.room import Room
from kibitz.server.view_json import ViewWriter
from server.guests import run
from server.memory import Eyes, Gathering
from short import THREES_AND_FOURS, of_some_rounds

Data = dict[str, Any]
MOST_LOOKS = tried(40, 1000)  # after that, at every fiftieth step
STEPS = (entries.PLAY, entries.LAST, entries.DEAL)  # what changes a match


async def played(game: str, players: int, seed: int) -> Gathering:
    """A whole match at random, of more than one round."""
    table = Gathering(game, players, **of_some_rounds(game))
    await table.begin()
    rng = random.Random(seed)
    while not table.match.over:
        await table.play(*await table.choice(rng))
    table.end()
    assert len(table.match.sheet) > 1
    return table


def steps_of(table: Gathering) -> list[Entry]:
    """The choices and deals of a match, without the first deal."""
    return [e for e in table.store.rows[table.room.id] if e.kind in STEPS]


def take(match: Match, step: Entry) -> None:
    """Let a match go on by what an entry says."""
    if step.kind == entries.DEAL:
        match.next_round()
    else:
        assert step.seat is not None
        match.play_all(step.seat, json.loads(step.body)["actions"])


# ---- what the engine says, in words of docs/protocol.md


def in_words_of_the_protocol(match: Match, seat: int | None) -> Data:
    """A view of the engine as a View."""
    seen = match.view(seat).data()
    families = match.game.layout.zones.families
    zones = {}
    for zone in seen["zones"]:
        family = families[zone["name"].partition(".")[0]]
        below_the_top = family.is_pile and not family.looked_through
        zones[zone["name"]] = {
            "size": zone["size"],
            **({"cards": zone["cards"]} if zone["cards"] else {}),
            **({"known": zone["known"]} if zone["known"] and not below_the_top else {}),
        }
    return {
        "round": seen["round"], "due": seen["to_act"], "round_over": match.round_over,
        "over": seen["over"], "winners": seen["winners"], "scores": seen["scores"],
        "zones": zones, "fields": json.loads(json.dumps(seen["fields"])),
    }  # fmt: skip


def log_in_words(match: Match, seat: int | None, first: int = 0) -> list[Data]:
    """The log of the engine as lines of the protocol, without the numbers of their entries."""
    lines = (match.line(n, seat) for n in range(first, len(match.done)))
    return [line_in_words(line) for line in lines if line is not None]


def line_in_words(line: Line) -> Data:
    said: Data = {}
    if line.seat is not None:
        said["seat"] = line.seat
        said |= {"verb": line.verb} if line.action is None else {"action": line.action}
    if line.events:
        said["events"] = [event_in_words(event) for event in line.events]
    return said


def event_in_words(event: Event) -> Data:
    said = {
        "seat": event.seat, "n": event.number or None, "other": event.other, "word": event.word,
        "cards": list(event.cards) or None, "size": event.size or None,
    }  # fmt: skip
    return {"name": event.name, **{k: v for k, v in said.items() if v is not None}}


def without_numbers(lines: list[Data]) -> list[Data]:
    return [{k: v for k, v in line.items() if k != "seq"} for line in lines]


# ---- a client


def patched(view: Data, changes: Data) -> Data:
    """A view with changes put over it, as docs/protocol.md tells a client to do."""
    return {
        **view, **changes,
        "zones": {**view["zones"], **changes.get("zones", {})},
        "fields": {**view["fields"], **changes.get("fields", {})},
    }  # fmt: skip


class Follower:
    """A client that believes the frames alone."""

    def __init__(self, eyes: Eyes) -> None:
        self.frames = [json.loads(frame) for frame in eyes.frames]
        begin = next(n for n, f in enumerate(self.frames) if f["t"] == "table" and f["view"])
        self.now: Data = self.frames[begin]
        self.lines: list[Data] = list(self.now["log"])
        self.sheet: list[Any] = list(self.now["sheet"])
        self.news = [f for f in self.frames[begin + 1 :] if f["t"] in ("moved", "ready")]
        self.moves = [f for f in self.news if f["t"] == "moved"]

    def follow(self, moved: Data) -> None:
        """Go on by a frame, and by those before it that only say who wants to go on."""
        while self.news[0] is not moved:
            self._hear(self.news.pop(0))
        self._hear(self.news.pop(0))

    def _hear(self, frame: Data) -> None:
        assert frame["seq"] == self.now["seq"] + 1
        if frame["t"] == "ready":
            assert set(frame["rest"]["ready"]) > set(self.now["rest"]["ready"])
            self.now = {**self.now, "seq": frame["seq"], "rest": frame["rest"]}
            return
        assert all(line["seq"] == frame["seq"] for line in frame["lines"])
        self.lines = self.lines + frame["lines"]
        self.sheet += [frame["sheet"]] if "sheet" in frame else []
        view = patched(self.now["view"], frame["view"])
        self.now = {"legal": None, "rest": None, **frame, "view": view}


def agrees(follower: Follower, match: Match, seat: int | None) -> None:
    """What a client sees and may do is what the match says."""
    assert follower.now["view"] == in_words_of_the_protocol(match, seat)
    due = seat is not None and seat in match.to_act
    assert follower.now["legal"] == (match.legal(seat) if due and seat is not None else None)
    assert follower.sheet == match.sheet
    rests = match.round_over and not match.over
    assert (follower.now["rest"] is not None) == rests
    if rests:
        assert follower.now["rest"]["ready"] == []
        assert follower.now["rest"]["left"] > 0


@pytest.mark.parametrize(("game", "players"), THREES_AND_FOURS)
def test_frames_put_over_each_other_are_the_match(game: str, players: int) -> None:
    """At every step: each choice, the rest after a round, and the deal of the next."""
    table = run(played(game, players, seed=players))
    steps = steps_of(table)
    followers = [(seat, Follower(eyes)) for seat, eyes in table.everyone]
    match = Match.new(find(game), len(table.seats), table.seed, table.match.options)
    for seat, follower in followers:
        agrees(follower, match, seat)
        assert without_numbers(follower.lines) == log_in_words(match, seat)
        assert len(follower.moves) == len(steps)
    rested = 0
    for n, step in enumerate(steps):
        known = len(match.done)
        take(match, step)
        rested += match.round_over and not match.over
        for seat, follower in followers:
            moved = follower.moves[n]
            assert (moved["seq"], moved["seat"]) == (step.seq, step.seat)
            assert without_numbers(moved["lines"]) == log_in_words(match, seat, known)
            follower.follow(moved)
            agrees(follower, match, seat)
    for seat, follower in followers:
        assert without_numbers(follower.lines) == [line_in_words(x) for x in match.history(seat)]
    assert match.over
    assert match.log == table.match.log
    assert rested == sum(step.kind == entries.DEAL for step in steps) > 0


@pytest.mark.parametrize("game", kibitz.games())
def test_every_frame_is_one_of_the_protocol_and_says_no_more(game: str) -> None:
    table = run(played(game, 3, seed=7))
    kinds = set()
    for _, eyes in table.everyone:
        for frame in eyes.frames:
            found = decode_frame(frame)
            assert json.loads(encode(found)) == json.loads(frame)
            kinds.add(json.loads(frame)["t"])
    assert kinds == {"table", "seats", "moved", "ready"}


async def looks_like_the_others(table: Gathering) -> int:
    """Come anew as everyone: what is seen is the match as it stands. How many came."""
    for seat, _ in table.everyone:
        late = Eyes()
        token = None if seat is None else table.room.token_of(seat)
        await table.room.enter(late, token, "late", 0)
        whole = late.last("table")
        assert whole["view"] == in_words_of_the_protocol(table.match, seat)
        assert without_numbers(whole["log"]) == log_in_words(table.match, seat)
        assert whole["seq"] == table.room.table.seq
        due = seat is not None and seat in table.match.to_act
        assert whole["legal"] == (table.match.legal(seat) if due and seat is not None else None)
        ready = sorted(table.room.table.ready) if table.room.table.rests else None
        assert (whole["rest"] and whole["rest"]["ready"]) == ready
        assert whole["sheet"] == table.match.sheet
        table.room.exit(late)
    return len(table.everyone)


@pytest.mark.parametrize("game", kibitz.games())
def test_who_comes_late_sees_what_the_others_see(game: str) -> None:
    async def look_again_after_every_step() -> int:
        table = Gathering(game, 3, **of_some_rounds(game))
        await table.begin()
        rng = random.Random(5)
        looks = choices = 0
        while not table.match.over:
            while table.room.table.rests:
                ready = len(table.room.table.ready)
                await table.ask(ready, p.NextRound)
                looks += await looks_like_the_others(table)
            await table.play(*await table.choice(rng))
            choices += 1
            if choices < MOST_LOOKS or choices % 50 == 0 or table.match.round_over:
                looks += await looks_like_the_others(table)
        table.end()
        return looks

    assert run(look_again_after_every_step()) > 30


@pytest.mark.parametrize("game", ["kiza", "zocken", "kolpa"])
def test_a_client_that_says_what_it_has_gets_the_lines_that_it_lacks(game: str) -> None:
    """Whatever the last number is: what it had and what it gets is the whole log, none twice."""
    table = run(played(game, 3, seed=9))

    async def ask_again() -> None:
        room = Room(table.room.table, table.room.services)  # opened again
        for seat, eyes in table.everyone:
            follower = Follower(eyes)
            whole = log_in_words(table.match, seat)
            for n, moved in enumerate(follower.moves):
                follower.follow(moved)
                if n > MOST_LOOKS and n % 50:
                    continue
                late = Eyes()
                token = None if seat is None else room.token_of(seat)
                await room.enter(late, token, "late", follower.now["seq"])
                room.exit(late)
                got = without_numbers(follower.lines + late.last("table")["log"])
                assert got == whole

    run(ask_again())


@pytest.mark.parametrize("game", kibitz.games())
def test_looking_back_shows_each_step_as_it_was_seen(game: str) -> None:
    table = run(played(game, 3, seed=11))
    for seat, eyes in table.everyone:
        follower = Follower(eyes)
        back = json.loads(replay.history(table.room.table, seat))
        view, lines = back["start"], back["lines"]
        assert view == follower.now["view"]
        assert lines == follower.lines
        assert len(back["moves"]) == len(follower.moves)
        for move, moved in zip(back["moves"], follower.moves, strict=True):
            follower.follow(moved)
            view = patched(view, move["view"])
            lines = lines + move["lines"]
            assert view == follower.now["view"]
            assert move["lines"] == moved["lines"]
            assert (move["seq"], move["seat"]) == (moved["seq"], moved["seat"])
            assert move["number"] == len(lines)
        assert without_numbers(lines) == log_in_words(table.match, seat)


@pytest.mark.parametrize("game", kibitz.games())
def test_looking_back_at_the_end_shows_all_hands_and_all_that_was_done(game: str) -> None:
    table = run(played(game, 3, seed=12))
    back = json.loads(replay.history(table.room.table, None, all_open=True))
    lines = [line for part in (back, *back["moves"]) for line in part["lines"]]
    assert [(line.get("seat"), line.get("action", "deal")) for line in lines] == table.match.log
    for zone in (k for k in back["start"]["zones"] if k.startswith("hand.")):
        hand = back["start"]["zones"][zone]
        assert len(hand.get("cards", ())) == hand["size"]


def test_the_last_frame_shows_the_secret_and_the_first_promised_it() -> None:
    table = run(played("lantern", 3, seed=1))
    for _, eyes in table.everyone:
        first, last = json.loads(eyes.frames[0]), json.loads(eyes.frames[-1])
        assert last["phase"] == "over"
        saved = json.loads(replay.match_file(table.room.table))
        assert saved["deal"]["commitment"] == first["commitment"]
        assert saved["deal"]["secret"] == last["deal"]["secret"]
        kept = first["commitment"]
        assert faults(saved, kibitz.load(json.dumps(saved)), commitment=kept) == []


def test_threads_that_write_views_at_the_same_time_do_not_disturb_each_other() -> None:
    """As when somebody looks back while others play on."""

    def told(seed: int) -> list[bytes]:
        match = kibitz.new("kolpa", players=4, seed=seed)
        writer, rng = ViewWriter(match, [0, 1, 2, 3, -1]), random.Random(seed)
        said = [writer.whole(0)]
        for _ in range(60):
            if match.round_over:
                break
            seat = min(match.to_act)
            match.play(seat, rng.choice(match.legal(seat)))
            said += writer.news()
        return said

    alone = [told(seed) for seed in range(8)]
    with ThreadPoolExecutor(4) as threads:
        for _ in range(5):
            assert list(threads.map(told, range(8))) == alone
