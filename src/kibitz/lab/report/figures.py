"""Numbers worked out from what happened in matches."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from kibitz.engine.game import Game
from kibitz.lab.self_play import Records, places
from kibitz.lab.standings import interval, wilson

NORMAL = 1.959964  # for a 95 % interval
QUARTERS = (0.25, 0.5, 0.75)  # of a match, at which we look who leads
# How long people take: to handle a card, to think for each doubling of the choices (Hick's law),
# to shuffle, deal and score a round.
HANDLING, THINKING, DEALING = 2.0, 1.5, 45.0
ENOUGH = 30  # seats that had a card somewhere, for its worth to be told


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Spread:
    """How a number is spread over the matches."""

    mean: float
    low: float  # a tenth of them have less
    middle: float
    high: float  # a tenth of them have more
    error: float = 0.0  # half of a 95 % interval round the mean

    @staticmethod
    def of(values: Any) -> "Spread":
        """The spread of these."""
        low, middle, high = np.quantile(values, (0.1, 0.5, 0.9))
        error = (
            NORMAL * float(np.std(values, ddof=1)) / math.sqrt(len(values))
            if len(values) > 1
            else math.inf
        )
        return Spread(float(np.mean(values)), float(low), float(middle), float(high), error)


@dataclass(frozen=True)
class Worth:
    """What a card is worth in a place: what seats with it score more in a round than without it."""

    place: str
    card: str
    worth: Estimate
    seats: int  # that had it there


@dataclass(frozen=True)
class Figures:
    """All numbers of one setup."""

    matches: int
    seats: list[Estimate]  # the share of victories, from the seat that begins to the last
    shared: float  # how many victories were shared
    turns: Spread
    minutes: Spread
    rounds: Spread
    winner: Spread  # the score of the winner
    margin: Spread  # by how much the best other was behind
    lead_changes: Spread
    decided: Spread  # from which part of the match on the winner has led
    leader_wins: dict[float, Estimate]  # how often the leader at this part of the match won
    last_wins: Estimate | None  # how often whoever was last at half-time won
    choices: Spread  # at decisions with more than one
    forced: float  # the share of actions without a choice
    cards: list[Worth]
    raw: dict[str, Any]  # what plots draw: values by match, and how many choices how often


def figures(game: Game, players: int, records: Records) -> Figures:
    """All numbers of one setup."""
    matches = records.matches
    sign = -1 if game.identity.low_wins else 1
    standing = sign * matches["total"][:, :players].astype(int)
    shares = win_shares(matches["winners"], players)
    stories = [story(rows, match, players, sign) for match, rows in by_match(records)]
    margins = margin(standing, shares)
    decided = np.array([one.decided for one in stories])
    changes = np.array([one.changes for one in stories])
    minutes = minutes_of(matches)
    counts = records.choices.copy()
    counts[:2] = 0
    return Figures(
        matches=len(matches),
        seats=by_position(shares, matches["first"]),
        shared=float(np.mean((shares > 0).sum(axis=1) > 1)),
        turns=Spread.of(matches["turns"]),
        minutes=Spread.of(minutes),
        rounds=Spread.of(matches["rounds"]),
        winner=Spread.of(sign * standing[np.arange(len(matches)), shares.argmax(axis=1)]),
        margin=Spread.of(margins),
        lead_changes=Spread.of(changes),
        decided=Spread.of(decided),
        leader_wins={part: _wins([one.leader_won[part] for one in stories]) for part in QUARTERS},
        last_wins=_wins_or_none([one.last_won for one in stories]),
        choices=spread_of_counts(counts),
        forced=float(matches["forced"].sum() / matches["actions"].sum()),
        cards=worths(game, records.held, sign),
        raw={
            "minutes": minutes, "turns": matches["turns"], "margin": margins, "decided": decided,
            "lead_changes": changes, "choices": records.choices,
        },
    )  # fmt: skip


def win_shares(winners: Any, players: int) -> Any:
    """For each match and seat 1 for a victory, and a part of it for a shared one."""
    won = (winners[:, None] >> np.arange(players)) & 1
    return won / won.sum(axis=1, keepdims=True)


def by_position(shares: Any, first: Any) -> list[Estimate]:
    """The share of victories of the seat that begins, of the one to its left, and so on."""
    n, players = shares.shape
    seats = (np.maximum(first, 0)[:, None] + np.arange(players)) % players
    turned = np.take_along_axis(shares, seats, axis=1)
    return [_share(float(column.mean()), n) for column in turned.T]


def _share(share: float, trials: int) -> Estimate:
    return Estimate(share, *wilson(share, trials, NORMAL))


def minutes_of(matches: Any) -> Any:
    """How long people would sit at each match."""
    seconds = HANDLING * matches["actions"] + THINKING * matches["bits"]
    return (seconds + DEALING * matches["rounds"]) / 60


def margin(standing: Any, shares: Any) -> Any:
    """By how much the winner of each match is ahead of the best other; 0 if victory is shared."""
    best = np.where(shares > 0, standing, -(1 << 30)).max(axis=1)
    others = np.where(shares > 0, -(1 << 30), standing).max(axis=1)
    alone = (shares > 0).sum(axis=1) == 1
    return np.where(alone, best - others, 0)


# ---- the course of a match


@dataclass(frozen=True)
class Story:
    """Who led when."""

    changes: int  # how often somebody else than before led alone
    decided: float  # from which part of the match on the winner has led
    leader_won: dict[float, float | None]  # by part of the match; None where nobody led alone
    last_won: float | None  # at half-time; None where nobody was last alone


def by_match(records: Records) -> Any:
    """Each match with the rows of its rounds."""
    ends = np.searchsorted(records.rounds["match"], np.arange(len(records.matches) + 1))
    for i, match in enumerate(records.matches):
        yield match, records.rounds[ends[i] : ends[i + 1]]


def story(rows: Any, match: Any, players: int, sign: int) -> Story:
    """Who led at the ends of the rounds of a match, and whether it held."""
    actions, winners = int(match["actions"]), int(match["winners"])
    when = [int(n) / actions for n in rows["actions"]]
    totals = [[sign * int(t) for t in row[:players]] for row in rows["total"]]
    leaders = [_seats_with(row, max(row)) for row in totals]
    alone = [_only(mask) for mask in leaders]
    led = [seat for seat in alone if seat is not None]
    decided, share = 1.0, 1 / winners.bit_count()
    for part, mask in zip(reversed(when), reversed(leaders), strict=True):
        if not mask & winners:
            break
        decided = part
    half = _at(when, totals, 0.5)
    last = None if half is None else _only(_seats_with(half, min(half)))
    leader = {part: _at(when, alone, part) for part in QUARTERS}
    return Story(
        changes=sum(a != b for a, b in pairwise(led)),
        decided=decided,
        leader_won={
            part: None if seat is None else share * (winners >> seat & 1)
            for part, seat in leader.items()
        },
        last_won=None if last is None else share * (winners >> last & 1),
    )


def _seats_with(totals: Sequence[int], total: int) -> int:
    return sum(1 << seat for seat, mine in enumerate(totals) if mine == total)


def _only(mask: int) -> int | None:
    return mask.bit_length() - 1 if mask.bit_count() == 1 else None


def _at(when: Sequence[float], values: Sequence[Any], part: float) -> Any:
    """The last value by then; None if there was none yet."""
    so_far = [value for at, value in zip(when, values, strict=True) if at <= part]
    return so_far[-1] if so_far else None


def _wins(won: Sequence[float | None]) -> Estimate:
    return _wins_or_none(won) or Estimate(math.nan, 0.0, 1.0)


def _wins_or_none(won: Sequence[float | None]) -> Estimate | None:
    told = [share for share in won if share is not None]
    return _share(sum(told) / len(told), len(told)) if told else None


# ---- choices and cards


def spread_of_counts(counts: Any) -> Spread:
    """The spread of numbers of which it is known how often each was there."""
    if not counts.sum():
        return Spread(0.0, 0.0, 0.0, 0.0)
    below = np.cumsum(counts) / counts.sum()
    low, middle, high = (float(np.searchsorted(below, q)) for q in (0.1, 0.5, 0.9))
    return Spread(float((counts * np.arange(len(counts))).sum() / counts.sum()), low, middle, high)


def worths(game: Game, held: Any, sign: int) -> list[Worth]:
    """What each card is worth in each place in which seats have it and have it not."""
    found = []
    for place, by_kind in zip(places(game), held, strict=True):
        for code, (without, having) in zip(game.layout.deck.codes, by_kind, strict=True):
            if min(without["seats"], having["seats"]) >= ENOUGH:
                worth = difference(having, without, sign)
                found.append(Worth(place, code, worth, int(having["seats"])))
    return found


def difference(one: Any, other: Any, sign: int) -> Estimate:
    """By how much the mean of one is above the mean of the other."""
    value, error = 0.0, 0.0
    for cell, factor in ((one, sign), (other, -sign)):
        n, mean = int(cell["seats"]), cell["sum"] / cell["seats"]
        value += factor * mean
        error += max(0.0, cell["squares"] / n - mean**2) / max(n - 1, 1)
    half = NORMAL * math.sqrt(error)
    return Estimate(float(value), float(value - half), float(value + half))


# ---- skill and luck


@dataclass(frozen=True)
class Duel:
    """One bot against a table of weaker ones, each deal from all seats."""

    strong: str
    weak: str
    matches: int
    share: Estimate
    fair: float  # what it would win if all were equal

    @property
    def matches_to_tell(self) -> float:
        """How many matches it takes until the better one is seen to be better, 19 times of 20."""
        edge = self.share.value - self.fair
        if edge <= 0:
            return math.inf
        return math.ceil((NORMAL / edge) ** 2 * self.share.value * (1 - self.share.value)) or 1


def duel(strong: str, weak: str, players: int, records: Records, sitting: Any) -> Duel:
    """How the first bot of a setup did; `sitting` says on which seat it was in each match."""
    shares = win_shares(records.matches["winners"], players)
    won = shares[np.arange(len(shares)), sitting]
    deals = records.matches["deal"]
    by_deal = [float(won[deals == deal].mean()) for deal in np.unique(deals)]
    low, high = interval(by_deal, len(won))
    return Duel(strong, weak, len(won), Estimate(float(won.mean()), low, high), 1 / players)


def luck_of_the_deal(deals: Any, standing: Any) -> float:
    """How much of what sets seats apart at the end is explained by the cards they were dealt.

    Equal bots play each deal several times. What a seat gets more than the mean, again and again,
    is the deal's; what varies is how it was played and drawn (the intraclass correlation).
    """
    lead = standing - standing.mean(axis=1, keepdims=True)
    groups = np.stack([lead[deals == deal] for deal in np.unique(deals)])  # deal, repeat, seat
    repeats = groups.shape[1]
    if repeats < 2 or len(groups) < 2:
        return math.nan
    within = float(groups.var(axis=1, ddof=1).mean())
    between = repeats * float((groups.mean(axis=1) ** 2).mean())  # its mean is 0 by symmetry
    whole = between + (repeats - 1) * within
    return 0.0 if whole <= 0 else max(0.0, (between - within) / whole)
