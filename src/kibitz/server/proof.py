"""Whether a finished match was dealt and played as promised, from its file and what a page kept."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from kibitz.engine.match import Match
from kibitz.server import deal

AGREEMENT = "agreement"  # how a match ended in which nobody has won


class DealRecord(Struct, frozen=True):
    """How the file of a match says that it was dealt."""

    commitment: str
    secret: str
    contributions: list[str | None]
    way: str = deal.OPEN
    table: str = ""
    promises: list[str | None] = []
    left_out: list[int] = []
    again: str | None = None  # the match whose deal, or position, this is


def deal_record(saved: dict[str, Any]) -> DealRecord | None:
    """How a match was dealt, or None where its file does not say it."""
    try:
        return msgspec.convert(saved.get("deal"), DealRecord)
    except msgspec.ValidationError:
        return None


def faults(
    saved: dict[str, Any],
    match: Match,
    *,
    commitment: str | None = None,
    contribution: str | None = None,
) -> list[str]:
    """What is wrong with a finished match; nothing if it was fair.

    `match` is the saved match, replayed: every action has been found legal. `commitment` and
    `contribution` are what a player's page kept from before the deal.
    """
    dealt = deal_record(saved)
    if match.start is not None:
        whose = f" of match {dealt.again}" if dealt is not None and dealt.again else ""
        return [f"it starts from a written position{whose}, so nothing was dealt"]
    if dealt is None:
        return ["the file does not say how the deal was made"]
    if dealt.way == deal.CHOSEN:
        return [f"this deal was chosen: it is that of match {dealt.again}; verify that one"]
    if dealt.way not in (deal.OPEN, deal.PROMISED):
        return [f"it was dealt in a way that is not known here: {dealt.way!r}"]
    wrong = list(_faults_of_the_deal(dealt, match))
    if commitment is not None and not deal.keeps(dealt.secret, commitment):
        wrong.append("the secret is not the one that fits the commitment you kept")
    if contribution is not None and contribution not in dealt.contributions:
        wrong.append("your contribution was not used")
    if saved.get("winners") != match.winners or saved.get("scores") != match.scores:
        wrong.append("the actions lead to another result")
    if not match.over and saved.get("ended") != AGREEMENT:
        wrong.append("the match is not over")
    return wrong


def _faults_of_the_deal(dealt: DealRecord, match: Match) -> Iterator[str]:
    if not deal.keeps(dealt.secret, dealt.commitment):
        yield "the secret is not the one that was promised"
    if len(dealt.contributions) != match.players:
        yield "there is not one contribution, or none, for each seat"
    elif dealt.way == deal.PROMISED:
        yield from _broken_promises(dealt)
    elif any("\n" in (text or "") for text in dealt.contributions):
        yield "a contribution has a line break, so it could be two"
    if deal.seed(dealt.way, dealt.table, dealt.secret, dealt.contributions) != match.seed:
        yield "the seed is not made of the secret and the players' contributions"


def _broken_promises(dealt: DealRecord) -> Iterator[str]:
    if len(dealt.promises) != len(dealt.contributions):
        yield "there is not one promise, or none, for each seat"
        return
    left_out = []
    for seat, (promise, text) in enumerate(zip(dealt.promises, dealt.contributions, strict=True)):
        if text is None and promise is not None:
            left_out.append(seat)
        elif text is not None and not (promise and deal.keeps(text, promise)):
            yield f"the contribution of seat {seat} does not fit its promise"
    if left_out != dealt.left_out:
        yield "other seats were left out than the file says"
