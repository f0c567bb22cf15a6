"""A fuzzer throws mutated messages at a live server while honest people play a match there."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import aiohttp
import msgspec

import kibitz
from kibitz.client import Seat
from kibitz.server.proof import faults
from server.guests import Data, Guest, answer_to, any_of, run
from server.process import ServerProcess
from server.test_once import COMMANDS

MESSAGES = 1000  # of each of those who fuzz
REQUESTS = 300
JUNK: list[Any] = [
    None, True, False, 0, -1, 3, 10**30, 1.5, -0.0, 1e308, "", "x", "0", "draw", "🃏" * 30,
    "\u202e", "a" * 99, "\x00", "..", "__class__", [], [[]], [None], ["draw"] * 39, {}, [{}],
]  # fmt: skip


class Fuzzer:
    """Makes messages that are almost commands."""

    def __init__(self, seed: int, tables: list[str], tokens: list[str]) -> None:
        self.rng = random.Random(seed)
        self.tables, self.tokens = tables, tokens
        self.count = 0

    def message(self) -> str:
        rng = self.rng
        self.count += 1
        command: Data = {
            **rng.choice(COMMANDS), "id": f"f{self.count}", "table": rng.choice(self.tables),
        }  # fmt: skip
        if command.get("do") == "enter":
            command["token"] = rng.choice([None, *self.tokens, *JUNK])
        for _ in range(rng.choice([0, 0, 1, 1, 2, 4])):
            self._change(command)
        text = json.dumps(command, ensure_ascii=rng.random() < 0.5)
        for _ in range(rng.choice([0, 0, 0, 0, 1, 3])):
            text = self._scratch(text)
        return text

    def _change(self, command: Data) -> None:
        key = self.rng.choice([*command, "more", "seat", "actions", "on", "text"])
        if key == "id":
            return
        if self.rng.random() < 0.2:
            command.pop(key, None)
        else:
            command[key] = self.rng.choice(JUNK)

    def _scratch(self, text: str) -> str:
        """Change a letter, cut a piece, or double one."""
        at = self.rng.randrange(len(text) + 1)
        piece = self.rng.choice(["", "}", '"', "\\", ",", "[", "\x7f", "é", text[at : at + 5]])
        return text[:at] + piece + text[at + self.rng.choice([0, 1, 5]) :]

    def body(self) -> bytes:
        wish: Data = {"game": "kolpa", "name": "Fuzz", "players": 3, "options": {}, "bots": [],
                      "clock": None, "join": "x", "seat": 1, "tokens": self.tokens}  # fmt: skip
        for _ in range(self.rng.choice([0, 1, 2])):
            wish[self.rng.choice(list(wish))] = self.rng.choice(JUNK)
        text = json.dumps(wish)
        return (self._scratch(text) if self.rng.random() < 0.3 else text).encode()


def id_of(text: str) -> str | None:
    """The id that an answer must carry."""
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None
    known = found.get("id") if isinstance(found, dict) else None
    return known[:40] if isinstance(known, str) else None


async def fuzz(session: aiohttp.ClientSession, base: str, fuzzer: Fuzzer) -> int:
    """Send messages one by one: each gets its answer. How many were sent."""
    guest: Guest | None = None
    for n in range(MESSAGES):
        if guest is None or guest.closed is not None:  # closed after too many faults
            guest = Guest(await session.ws_connect(base + "/ws"))
        text, seen = fuzzer.message(), len(guest.frames)
        expected = id_of(text)
        try:
            await guest.socket.send_str(text)
            await guest.hears(answer_to(expected), seen)
        except ConnectionError:
            assert guest.all("no")[-1]["error"] in ("malformed", "too_fast"), (n, text)
    if guest is not None:
        await guest.leaves()
    return fuzzer.count


async def knock(session: aiohttp.ClientSession, base: str, fuzzer: Fuzzer) -> set[int]:
    """Send requests over HTTP; the statuses."""
    found = set()
    paths = ["/api/tables", "/api/mine", *(f"/api/tables/{t}/seats" for t in fuzzer.tables)]
    for _ in range(REQUESTS):
        url = base + fuzzer.rng.choice(paths)
        async with session.post(url, data=fuzzer.body()) as answer:
            found.add(answer.status)
            assert answer.status < 500, await answer.text()
    return found


async def honest(seat: Seat, rng: random.Random) -> None:
    async for turn in seat.turns():
        await seat.play(any_of(turn.legal, rng))
        await asyncio.sleep(0.02)  # so that the match lasts as long as the fuzzing


async def honest_match_amid_noise(server: ServerProcess) -> tuple[str, int, set[int]]:
    async with (
        aiohttp.ClientSession() as session,
        Seat.make(server.base, "kolpa", name="Ada", players=2) as ada,
        Seat.join(ada.join_link, name="Bo") as bo,
        Seat.make(server.base, "kolpa", name="Mallory", players=2, bots=[None, "easy"]) as mallory,
    ):
        await ada.start()
        own = [mallory.token or "", "x"]
        fuzzers = [Fuzzer(seed, [ada.table, mallory.table, "nosuch"], own) for seed in range(3)]
        playing = asyncio.gather(honest(ada, random.Random(1)), honest(bo, random.Random(2)))
        counts = await asyncio.gather(*(fuzz(session, server.base, f) for f in fuzzers))
        statuses = await knock(session, server.base, Fuzzer(9, [ada.table, "nosuch"], own))
        await playing
        assert ada.view == {**bo.view, "zones": ada.view["zones"]}
        return ada.table, sum(counts), statuses


def test_noise_is_answered_and_disturbs_nobody(file: Path) -> None:
    async def fetched(url: str) -> str:
        async with aiohttp.ClientSession() as session, session.get(url) as answer:
            return await answer.text()

    with ServerProcess(file, games="kolpa") as server:
        table, sent, statuses = run(honest_match_amid_noise(server))
        text = run(fetched(f"{server.base}/api/tables/{table}/match"))
        log = server.log()
    assert sent == 3 * MESSAGES
    assert {201, 400} <= statuses
    assert faults(json.loads(text), kibitz.load(text)) == []
    assert "Traceback" not in log
    assert "ERROR" not in log
