"""The kibitzer: what each action is worth, seen from a seat, and how a match went."""

import math
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from kibitz.bots import knowledge
from kibitz.bots.choices import numbers_of
from kibitz.bots.claims import Claim, Comparison
from kibitz.bots.inference import Beliefs, Onlooker
from kibitz.bots.searching import Search, best_first
from kibitz.engine.errors import KibitzError
from kibitz.engine.match import Match

FIRST = 64  # simulations before the first word
GROWTH = 1.5  # each report is based on so many times more simulations
WORD_SECONDS = 0.25  # at most, from one word to the next
CONFIDENT = 1.96  # standard errors in a 95 % interval

# To the end of the match, so that places and scores are final ones; or to that of the round.
TO_THE_END, ONE_ROUND = {"to_the_end": 1}, {"to_the_end": 0}


@dataclass(frozen=True)
class Opinion:
    """What an action is worth to the seat that may make it.

    `error` is half of a 95 % interval round `chance`: how far chance in the simulations may have
    led it astray. `visits` is how many simulations tried the action.
    """

    action: str
    chance: float
    error: float
    place: float
    score: float
    visits: int


@dataclass(frozen=True)
class Thought:
    """The kibitzer's word after some thinking, the best action first."""

    seat: int
    simulations: int
    seconds: float
    opinions: tuple[Opinion, ...]
    claims: tuple[Claim, ...] = ()  # why the best is better than the next: see `explained`

    @property
    def best(self) -> Opinion:
        """What it would do."""
        return self.opinions[0]

    @property
    def chance(self) -> float:
        """The seat's chance to win the match, if it does so."""
        return self.best.chance


def check_seat(match: Match, seat: int) -> None:
    """Refuse to think where there is nothing to think about."""
    if match.round_over:
        what = "match" if match.over else "round"
        raise KibitzError(f"the {what} is over; there is nothing to think about")
    if seat not in match.to_act:
        due = ", ".join(str(s) for s in sorted(match.to_act))
        raise KibitzError(f"seat {seat} is not due; these are: {due}")


def think(
    match: Match,
    seat: int,
    seconds: float | None = 1.0,
    *,
    simulations: int | None = None,
    seed: int = 0,
    threads: int = 1,
    stop: threading.Event | None = None,
    beliefs: Beliefs | None = None,
) -> Iterator[Thought]:
    """Think about a seat's actions, with a word now and then; the last is the most thorough.

    With `simulations` instead of seconds, and one thread, the same seed gives the same thought.
    Closing the stream, or setting `stop`, ends the thinking. `beliefs` are those of an `Onlooker`
    at the match; without them the match is gone through for it.
    """
    check_seat(match, seat)
    if simulations is None and (seconds is None or seconds <= 0):
        raise KibitzError("give the kibitzer some time, as in seconds=1, or some simulations")
    if simulations is not None and simulations < 1:
        raise KibitzError("give the kibitzer at least one simulation")
    beliefs = Onlooker(match).beliefs(match, seat) if beliefs is None else beliefs
    searches = [_search(match, seat, seed + n, TO_THE_END, beliefs) for n in range(threads)]
    return _thoughts(match, seat, seconds, simulations, searches, stop)


def weigh(match: Match, seat: int, simulations: int, seed: int, beliefs: Beliefs) -> Thought:
    """Think at one go, and no further than to the end of the round.

    That is quicker, and the chances are what the game says of them at that end. Places and scores
    are those after the round.
    """
    search = _search(match, seat, seed, ONE_ROUND, beliefs)
    began = time.perf_counter()
    search.run(simulations)
    return _sum_up(match, seat, [search], time.perf_counter() - began)


def think_through(
    match: Match,
    seat: int,
    choices: Iterable[str],
    simulations: int,
    seed: int = 0,
    *,
    beliefs: Beliefs | None = None,
    to_the_end: bool = True,
) -> Thought:
    """Think about whole choices (`choices.py`) one by one, each so long; the best comes first."""
    check_seat(match, seat)
    beliefs = Onlooker(match).beliefs(match, seat) if beliefs is None else beliefs
    changes = TO_THE_END if to_the_end else ONE_ROUND
    fit = knowledge.of(match.game).calibration if to_the_end else (0.0, 1.0)
    opinions, began = [], time.perf_counter()
    for choice in choices:
        search = _search(match, seat, seed, changes, beliefs, numbers_of(match.game, choice))
        search.run(simulations)
        opinions.append(_opinion(match, choice, [search.tree[0]], fit))
    opinions.sort(key=lambda opinion: -opinion.chance)
    took = time.perf_counter() - began
    return Thought(seat, simulations * len(opinions), took, tuple(opinions))


def _thoughts(
    match: Match,
    seat: int,
    seconds: float | None,
    simulations: int | None,
    searches: list[Search],
    stop: threading.Event | None,
) -> Iterator[Thought]:
    took, done, step = 0.0, 0, FIRST
    with ThreadPoolExecutor(len(searches)) as pool:
        while True:
            if simulations is not None:
                step = min(step, simulations - done)
            began = time.perf_counter()
            if len(searches) == 1:
                searches[0].run(step)
            else:
                list(pool.map(lambda one: one.run(step), searches))  # noqa: B023  used at once
            took += time.perf_counter() - began
            done += step
            yield _sum_up(match, seat, searches, took)
            if stop is not None and stop.is_set():
                return
            step = max(FIRST, int(done * (GROWTH - 1)))
            if simulations is not None:
                if done >= simulations:
                    return
            elif seconds is not None:
                left = seconds - took
                if left <= 0:
                    return
                step = max(1, min(step, int(done / took * min(left, WORD_SECONDS))))


def explained(
    match: Match, thoughts: Iterable[Thought], beliefs: Beliefs | None = None
) -> Iterator[Thought]:
    """Thoughts with reasons: why the best action is better than the next, once it surely is."""

    @cache
    def why(seat: int, better: str, other: str) -> tuple[Claim, ...]:
        return Comparison(match, seat, better, other, beliefs).claims()

    for thought in thoughts:
        best, *others = thought.opinions
        claims: tuple[Claim, ...] = ()
        if others and best.chance - others[0].chance > math.hypot(best.error, others[0].error):
            claims = why(thought.seat, best.action, others[0].action)
        yield replace(thought, claims=claims)


def _search(
    match: Match, seat: int, seed: int, way: Mapping[str, int], beliefs: Beliefs,
    steps: Iterable[int] = (),
) -> Search:  # fmt: skip
    world = match.sample_world(seat)
    return Search(match.game, np.concatenate([world, world]), seat, seed, way, beliefs, steps)


def _sum_up(match: Match, seat: int, searches: list[Search], seconds: float) -> Thought:
    """One opinion for each action, from all trees; untried ones come last."""
    tried: dict[int, list[Any]] = {}
    for search in searches:
        for node in search.children():
            if node["visits"]:
                tried.setdefault(int(node["action"]), []).append(node)
    known, style = knowledge.of(match.game), searches[0].style
    fit = known.calibration if style.to_the_end else (0.0, 1.0)
    write = match.game.actions.write
    found = [_opinion(match, write(action), nodes, fit) for action, nodes in tried.items()]
    ranks = best_first([(opinion.visits, opinion.chance) for opinion in found], len(searches))
    opinions = [found[i] for i in ranks]
    simulations = sum(int(search.tree[0]["visits"]) for search in searches)
    return Thought(seat, simulations, seconds, tuple(opinions))


def _opinion(
    match: Match, action: str, nodes: list[Any], calibration: tuple[float, float]
) -> Opinion:
    n = sum(int(node["visits"]) for node in nodes)
    chance = sum(float(node["worth"]) for node in nodes) / n
    square = sum(float(node["square"]) for node in nodes) / n
    # A prior of one win and one loss keeps the bar honest where all simulations agree.
    variance = max(square - chance * chance, 0.0) * n / (n + 2) + 0.5 / (n + 2)
    chance, steepness = calibrated(chance, match.players, *calibration)
    return Opinion(
        action=action,
        chance=chance,
        error=min(1.0, CONFIDENT * steepness * math.sqrt(variance / n)),
        place=sum(float(node["place"]) for node in nodes) / n,
        score=sum(float(node["points"]) for node in nodes) / n,
        visits=n,
    )


def calibrated(chance: float, players: int, bias: float, slope: float) -> tuple[float, float]:
    """A chance found by playouts as it comes true between good players, and how steeply it follows.

    Greedy playouts do not decide a match as good players do, so they make too much or too little of
    what sets a seat apart from a fair share. What is certain stays certain.
    """
    if not 0 < chance < 1:
        return chance, 1.0
    fair = fair_odds(players)
    odds = fair + bias + slope * (math.log(chance / (1 - chance)) - fair)
    true = 1 / (1 + math.exp(-odds))
    return true, slope * true * (1 - true) / (chance * (1 - chance))


def fair_odds(players: int) -> float:
    """The log odds of a seat's fair share."""
    return -math.log(max(players, 2) - 1)
