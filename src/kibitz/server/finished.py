"""Looking back: a match move by move, as a file, and as the kibitzer sees it."""

import asyncio
import json
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from typing import Any

from kibitz.bots.review import review
from kibitz.engine.visibility import ALL_SEEING, SPECTATOR
from kibitz.engine.match import Match
from kibitz.server import deal
from kibitz.server.protocol import encode
from kibitz.server.showing import Showing
from kibitz.server.table import Table

MOST_REVIEWS = 200
SIMULATIONS = 600


def history(table: Table, viewer: int | None, *, all_open: bool = False) -> bytes:
    """The table after every choice, as a viewer saw it then, or with all hands open."""
    match = table.match
    assert match is not None
    past = match.rewound(0)
    me = ALL_SEEING if all_open else SPECTATOR if viewer is None else viewer
    showing = Showing(past, [me])
    moves: list[bytes] = []
    start = showing.whole(0)
    sealed, number = match.sealed, 0
    for seq, numbers in groupby(range(len(match.log)), key=table.line_seq.__getitem__):
        lines = []
        for n in numbers:
            past.play(*match.log[n])
            lines.append(match.log[n] if all_open else match.told(viewer, n, sealed))
        told = [line for line in lines if line is not None]
        # Only what can be read is counted: how long a sealed choice is stays unsaid.
        number += len(told)
        head = b'{"seq":%d,"seat":%d,"number":%d,"lines":%b,"view":{' % (
            seq, match.log[n][0], number, encode(told),
        )  # fmt: skip
        moves.append(head + showing.news()[0] + b"}}")
    return b'{"start":' + start + b',"moves":[' + b",".join(moves) + b"]}"


def match_file(table: Table) -> bytes:
    """A finished match as a file, with all that is needed to check the deal."""
    match, stored = table.match, table.stored
    assert match is not None
    saved = json.loads(match.save())
    saved["deal"] = {
        "table": table.id,
        "commitment": stored.commitment,
        "secret": stored.secret,
        "contributions": [seat.contribution for seat in table.seats],
    }
    saved["seats"] = [seat.name for seat in table.seats]
    saved["winners"] = match.winners
    saved["scores"] = match.scores
    return json.dumps(saved, ensure_ascii=False, indent=1).encode()


def faults(saved: dict[str, Any], match: Match) -> list[str]:
    """What is wrong with the deal of a finished match; nothing if it was fair.

    `match` is the saved match, replayed: every move has been found legal.
    """
    dealt = saved.get("deal")
    if not isinstance(dealt, dict):
        return ["the file does not say how the deal was made"]
    wrong = []
    secret, contributions = str(dealt.get("secret")), dealt.get("contributions")
    if not deal.keeps(secret, str(dealt.get("commitment"))):
        wrong.append("the secret is not the one that was promised")
    if not isinstance(contributions, list) or deal.seed(secret, contributions) != match.seed:
        wrong.append("the seed is not made of the secret and the players' contributions")
    if saved.get("winners") != match.winners or saved.get("scores") != match.scores:
        wrong.append("the moves lead to another result")
    if not match.over:
        wrong.append("the match is not over")
    return wrong


class Reviews:
    """Reviews of finished matches, made one at a time and kept for a while."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "reviewer")
        self._done: OrderedDict[str, bytes] = OrderedDict()
        self._progress: dict[str, float] = {}

    def ask(self, table: Table) -> bytes | float:
        """The review, or how much of it is done."""
        if table.id in self._done:
            return self._done[table.id]
        if table.id not in self._progress:
            assert table.match is not None
            self._progress[table.id] = 0.0
            work = self._review(table.id, table.match.copy(), list(table.line_seq))
            self._task = asyncio.create_task(work)
        return self._progress[table.id]

    async def _review(self, name: str, match: Match, line_seq: list[int]) -> None:
        def told(n: int) -> None:
            self._progress[name] = n / len(match.log)

        def work() -> bytes:
            data = review(match, simulations=SIMULATIONS, progress=told).data()
            return encode({**data, "seqs": line_seq})

        try:
            done = await asyncio.get_running_loop().run_in_executor(self._pool, work)
            self._done[name] = done
            if len(self._done) > MOST_REVIEWS:
                self._done.popitem(last=False)
        finally:
            self._progress.pop(name, None)

    def close(self) -> None:
        """Review no more."""
        self._pool.shutdown(wait=False, cancel_futures=True)
