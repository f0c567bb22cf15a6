"""What the server sends is what the rules say, move by move, for everyone who looks."""

import json
import random
from collections import Counter
from typing import Any

import pytest

import kibitz
from kibitz.engine.match import Match
from kibitz.games import find
from kibitz.server import finished, store
from kibitz.server.protocol import decode_frame, encode
from server.guests import run
from server.memory import Eyes, Gathering

Data = dict[str, Any]


async def played(game: str, players: int, seed: int) -> Gathering:
    """A whole match at random."""
    table = Gathering(game, players)
    await table.begin()
    rng = random.Random(seed)
    while not table.match.over:
        await table.play(*await table.choice(rng))
    table.end()
    return table


def in_words_of_the_protocol(match: Match, seat: int | None) -> Data:
    """A view of the engine as a View of docs/protocol.md."""
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
        "round": seen["round"], "due": seen["to_act"], "over": seen["over"],
        "winners": seen["winners"], "scores": seen["scores"], "zones": zones,
        "fields": json.loads(json.dumps(seen["fields"])),
    }  # fmt: skip


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
        self.lines = [tuple(line[:2]) for line in self.now["log"]]
        self.sheet: list[Any] = list(self.now["sheet"])
        self.moves = [f for f in self.frames[begin + 1 :] if f["t"] == "moved"]

    def follow(self, moved: Data) -> None:
        assert moved["seq"] == self.now["seq"] + 1
        self.lines += [tuple(line) for line in moved["lines"]]
        self.sheet += [moved["sheet"]] if "sheet" in moved else []
        self.now = {
            "held": [],
            "legal": None,
            **moved,
            "view": patched(self.now["view"], moved["view"]),
        }


def agrees(follower: Follower, match: Match, seat: int | None) -> None:
    """What a client has is what the match says."""
    assert follower.now["view"] == in_words_of_the_protocol(match, seat)
    due = seat is not None and seat in match.to_act
    assert follower.now["legal"] == (match.legal(seat) if due and seat is not None else None)
    assert follower.now["held"] == (match.held(seat) if due and seat is not None else [])
    assert Counter(follower.lines) == Counter(match.history(seat))
    assert follower.sheet == match.sheet


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("game", kibitz.games())
def test_frames_put_over_each_other_are_the_match(game: str, players: int) -> None:
    table = run(played(game, players, seed=players))
    entries = table.store.rows[table.room.id]
    choices = [e for e in entries if e.kind in (store.PLAY, store.LAST)]
    followers = [(seat, Follower(eyes)) for seat, eyes in table.everyone]
    match = Match.new(find(game), players, table.seed, table.match.options)
    for seat, follower in followers:
        agrees(follower, match, seat)
        assert len(follower.moves) == len(choices)
    for n, choice in enumerate(choices):
        assert choice.seat is not None
        match.play_all(choice.seat, json.loads(choice.body)["actions"])
        for seat, follower in followers:
            follower.follow(follower.moves[n])
            agrees(follower, match, seat)
    assert match.over
    assert match.log == table.match.log


@pytest.mark.parametrize("game", kibitz.games())
def test_every_frame_is_one_of_the_protocol_and_says_no_more(game: str) -> None:
    table = run(played(game, 3, seed=7))
    kinds = set()
    for _, eyes in table.everyone:
        for frame in eyes.frames:
            found = decode_frame(frame)
            assert json.loads(encode(found)) == json.loads(frame)
            kinds.add(json.loads(frame)["t"])
    assert kinds == {"table", "seats", "moved"}


@pytest.mark.parametrize("game", kibitz.games())
def test_who_comes_late_sees_what_the_others_see(game: str) -> None:
    async def look_again_after_every_choice() -> int:
        table = Gathering(game, 3)
        await table.begin()
        rng = random.Random(5)
        looks = 0
        while not table.match.over:
            await table.play(*await table.choice(rng))
            for seat, _ in table.everyone:
                late = Eyes()
                token = None if seat is None else table.room.token_of(seat)
                await table.room.enter(late, token, "late", 0)
                whole = late.last("table")
                assert whole["view"] == in_words_of_the_protocol(table.match, seat)
                assert [tuple(line[:2]) for line in whole["log"]] == table.match.history(seat)
                assert whole["seq"] == table.room.table.seq
                table.room.exit(late)
                looks += 1
        table.end()
        return looks

    assert run(look_again_after_every_choice()) > 30


@pytest.mark.parametrize("game", ["kiza", "zocken", "kolpa"])
def test_a_client_that_says_what_it_has_gets_the_lines_that_it_lacks(game: str) -> None:
    """Whatever the last number is: what it had and what it gets is the whole log, none twice."""
    table = run(played(game, 3, seed=9))
    for seat, eyes in table.everyone:
        follower = Follower(eyes)
        for moved in follower.moves:
            follower.follow(moved)
            late = Eyes()
            token = None if seat is None else table.room.token_of(seat)
            run(table.room.enter(late, token, "late", follower.now["seq"]))
            got = [tuple(line[:2]) for line in late.last("table")["log"]]
            assert Counter(follower.lines) + Counter(got) == Counter(table.match.history(seat))


@pytest.mark.parametrize("game", kibitz.games())
def test_looking_back_shows_each_move_as_it_was_seen(game: str) -> None:
    table = run(played(game, 3, seed=11))
    for seat, eyes in table.everyone:
        follower = Follower(eyes)
        back = json.loads(finished.history(table.room.table, seat))
        view = back["start"]
        assert view == follower.now["view"]
        assert len(back["moves"]) == len(follower.moves)
        for move, moved in zip(back["moves"], follower.moves, strict=True):
            follower.follow(moved)
            view = patched(view, move["view"])
            assert view == follower.now["view"]
            assert (move["seq"], move["seat"]) == (moved["seq"], moved["seat"])
        lines = [tuple(line) for move in back["moves"] for line in move["lines"]]
        assert lines == table.match.history(seat)


def test_the_last_frame_shows_the_secret_and_the_first_promised_it() -> None:
    table = run(played("lantern", 3, seed=1))
    for _, eyes in table.everyone:
        first, last = json.loads(eyes.frames[0]), json.loads(eyes.frames[-1])
        assert last["phase"] == "over"
        saved = json.loads(finished.match_file(table.room.table))
        assert saved["deal"]["commitment"] == first["commitment"]
        assert saved["deal"]["secret"] == last["deal"]["secret"]
        assert finished.faults(saved, kibitz.load(json.dumps(saved))) == []
