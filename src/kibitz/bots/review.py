"""Going through a finished match: everyone's chances, the swings, and what each decision cost.

Chances after a move are those of someone who sees all hands, as one does when it is over; what a
draw will bring is still left to chance. What a decision cost is what these chances lost by it, as
far as its seat could know: so the curve and the costs never contradict each other. One looks ahead
to the end of the round, and there takes what the game says of everyone's chances: that is quicker
than to the end of the match, and no less true (docs/bots.md).

A search hardly looks at bad actions, so it cannot tell how bad they are. Those decisions that seem
to have cost most are looked at again: the best action and the chosen one, equally long, with other
luck.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from kibitz.bots.claims import Claim, Comparison
from kibitz.bots.inference import Beliefs, Onlooker
from kibitz.bots.kibitzer import Thought, think_through, weigh
from kibitz.bots.policy import chance_after, play_round
from kibitz.bots.search import Style, style_of
from kibitz.engine import chance
from kibitz.engine.action_list import new_list
from kibitz.engine.compiled import from_python
from kibitz.engine.errors import KibitzError
from kibitz.engine.log import Line
from kibitz.engine.match import Match
from kibitz.engine.visibility import ALL_SEEING
from kibitz.engine.zones import SEATS

PLAYOUTS = 200
SIMULATIONS = 300  # for each decision
LOOKED_AT_AGAIN = 12  # of the decisions that seem to have cost most
MORE = 3  # times as many simulations for either action, the best one and the one that was chosen
DECISIVE = 3
DIGITS = 4


@dataclass(frozen=True)
class Reviewed:
    """A line of the log. `loss` is in chance to win; None where there was no choice.

    A loss within `error` may be none at all.
    """

    number: int
    round: int
    seat: int | None  # None: a round was dealt
    action: str
    chances: tuple[float, ...]  # afterwards, by seat
    swing: float  # what it changed for the seat that gained or lost most
    best: str | None = None
    loss: float | None = None
    error: float | None = None
    claims: tuple[Claim, ...] = ()  # why the best would have been better, where that decided much

    def rounded(self) -> "Reviewed":
        """The same with as many digits as mean something."""
        return replace(
            self,
            chances=tuple(round(chance, DIGITS) for chance in self.chances),
            swing=round(self.swing, DIGITS),
            loss=None if self.loss is None else round(self.loss, DIGITS),
            error=None if self.error is None else round(self.error, DIGITS),
        )


@dataclass(frozen=True)
class Review:
    """A match gone through."""

    match: Match
    start: tuple[float, ...]  # everyone's chances before the first action
    moves: tuple[Reviewed, ...]

    @property
    def decisive(self) -> list[Reviewed]:
        """The decisions that cost most, beyond what chance in the search explains."""
        costly = [m for m in self.moves if m.loss is not None and m.loss > (m.error or 0.0)]
        return sorted(costly, key=lambda move: -(move.loss or 0.0))[:DECISIVE]

    def line(self, move: Reviewed) -> Line:
        """The line of the log that a move is, with nothing hidden."""
        line = self.match.line(move.number, ALL_SEEING)
        assert line is not None
        return line

    def data(self) -> dict[str, Any]:
        """The review as plain values, ready for JSON."""
        return {
            "game": self.match.game.name,
            "players": self.match.players,
            "winners": self.match.winners,
            "scores": self.match.scores,
            "start": [round(c, DIGITS) for c in self.start],
            "moves": [asdict(move.rounded()) for move in self.moves],
            "decisive": [move.number for move in self.decisive],
        }


class Step(NamedTuple):
    """The match before and after something was done, and what others could tell of it."""

    before: Match
    after: Match
    seat: int | None
    action: str
    beliefs: Beliefs


# A step, everyone's chances after it, and what the kibitzer thought of it before.
Judged = tuple[Step, tuple[float, ...], Thought | None]


@from_python
def open_chances(states: Any, lists: Any, n: int, seed: int, style: Style, worth: Any) -> int:
    """Play states[0] out with all hands known, in states[1]; add up what it is worth to everyone.

    How many playouts that are; one that got stuck (`play_round`) tells nothing.
    """
    told = 0
    for i in range(n):
        states[1] = states[0]
        s = states[1]
        chance.reseed(s, seed, i)
        played, _ = play_round(s, lists[0], style.noise, style.limit)
        if s.round_over or played == style.limit:
            told += 1
            for p in range(s.players):
                worth[p] += chance_after(s, p)
    return told


def chances(match: Match, seed: int = 0, playouts: int = PLAYOUTS) -> tuple[float, ...]:
    """Everyone's chance to win, with all hands known."""
    style = style_of(match.game)
    states = np.concatenate([match.state, match.state])
    worth, n = np.zeros(SEATS), 1 if match.round_over else playouts
    told = open_chances(states, new_list(), n, seed, style, worth)
    return tuple(float(w) / told for w in worth[: match.players])


def review(
    match: Match,
    *,
    simulations: int = SIMULATIONS,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> Review:
    """Go through a finished match; `progress` is told how many lines of the log are done."""
    with ThreadPoolExecutor(threads) as pool:
        for found in going_through(match, simulations=simulations, seed=seed, each=pool.map):
            if isinstance(found, Review):
                return found
            progress(found)
    raise AssertionError("a review ends with its result")


def going_through(
    match: Match,
    *,
    simulations: int = SIMULATIONS,
    seed: int = 0,
    each: Callable[..., Iterator[Any]] = map,
) -> Iterator[int | Review]:
    """Go through a finished match step by step: how many lines are done, at last the review."""
    if not match.over:
        raise KibitzError("the match is not over yet; a review looks back on a finished one")
    if simulations < 1:
        raise KibitzError("give the kibitzer at least one simulation")
    moves: list[Reviewed] = []
    costly: list[tuple[float, int, Step, float]] = []  # loss, place, step, what was really lost
    first = match.rewound(0)
    before = start = chances(first, seed)
    judged = each(lambda step: _judge(step, simulations, seed), _steps(first, match))
    for number, (step, after, thought) in enumerate(judged, len(first.done)):
        swing = max((abs(a - b), a - b) for a, b in zip(after, before, strict=True))[1]
        lost = 0.0 if step.seat is None else max(0.0, before[step.seat] - after[step.seat])
        best, loss, error = _cost(thought, step.action, lost)
        moves.append(
            Reviewed(
                number, step.after.round, step.seat, step.action, after, swing, best, loss, error
            )
        )
        if loss:
            costly.append((loss, len(moves) - 1, step, lost))
            costly = sorted(costly, key=lambda found: -found[0])[:LOOKED_AT_AGAIN]
        before = after
        yield number
    again = each(
        lambda found: _look_again(moves[found[1]], found[2], found[3], simulations, seed), costly
    )
    for (_, place, _, _), move in zip(costly, again, strict=True):
        moves[place] = move
        yield moves[-1].number
    yield _explained(Review(match, start, tuple(moves)))


def _look_again(move: Reviewed, step: Step, lost: float, simulations: int, seed: int) -> Reviewed:
    """The same move, with what its choice cost told more surely."""
    assert step.seat is not None
    assert move.best is not None
    compared = think_through(
        step.before, step.seat, (move.best, step.action), MORE * simulations, seed + 1,
        beliefs=step.beliefs, to_the_end=False,
    )  # fmt: skip
    best, loss, error = _cost(compared, step.action, lost)
    return replace(move, best=best, loss=loss, error=error)


def _explained(found: Review) -> Review:
    """The same with reasons for the decisions that cost most."""
    moves = list(found.moves)
    for move in found.decisive:
        assert move.seat is not None
        assert move.best is not None
        before = found.match.rewound(move.number)
        claims = Comparison(before, move.seat, move.best, move.action).claims()
        moves[moves.index(move)] = replace(move, claims=claims)
    return replace(found, moves=tuple(moves))


def _steps(first: Match, match: Match) -> Iterator[Step]:
    """Everything that was done, one thing after the other."""
    before, onlooker = first, Onlooker(match)
    for done in match.done[len(first.done) :]:
        after = before.copy()
        after.repeat(done.seat, done.text)
        yield Step(before, after, done.seat, done.text, onlooker.beliefs(before, done.seat))
        before = after


def _judge(step: Step, simulations: int, seed: int) -> Judged:
    thought, before = None, step.before
    if step.seat is not None and len(before.legal_numbers(step.seat)) > 1:
        thought = weigh(before, step.seat, simulations, seed, step.beliefs)
    return step, chances(step.after, seed), thought


def _cost(
    thought: Thought | None, action: str, lost: float
) -> tuple[str | None, float | None, float | None]:
    """The best action, and what the chosen one cost against it: no more than was really lost."""
    if thought is None:
        return None, None, None
    chosen = next((o for o in thought.opinions if o.action == action), None)
    if chosen is None:
        return thought.best.action, None, None
    loss = min(lost, max(0.0, thought.best.chance - chosen.chance))
    error = (thought.best.error**2 + chosen.error**2) ** 0.5
    return thought.best.action, loss, 0.0 if chosen is thought.best else error
