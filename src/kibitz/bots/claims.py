"""Why an action is better than another: what surely differs in the rounds that follow.

Both are tried in the same worlds (`evidence.py`). Where the rounds do not show the better one to be
better, nothing is claimed: then the reason lies further ahead than they look.
"""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from kibitz.bots import evidence, knowledge
from kibitz.bots.evidence import tried
from kibitz.bots.inference import Beliefs, Onlooker
from kibitz.engine.match import Match

WORLDS = 800  # in which two actions are compared
SURE = 3.0  # standard errors: with a dozen differences looked at, two would often mislead
MOST = 2  # claims; more would not be read
POINTS, SHARE, CHANCE, CHOICES = 0.75, 0.05, 0.03, 1.0  # differences that are worth telling
LENGTH = 0.2  # likewise, as a share of the round's length
ENDING = 0.1  # of the rounds, likewise: every seat's share is looked at, and the greatest is told
MAIN = 0.8  # where at least so much of the points comes from one part of the score, it is named

What = Literal["points", "part", "best", "chance", "ends", "actions", "choices"]

FIRST = {  # of the columns for each seat
    "points": evidence.POINTS, "best": evidence.BEST, "chance": evidence.CHANCE,
    "ends": evidence.ENDS,
}  # fmt: skip


@dataclass(frozen=True)
class Claim:
    """Something that differs: what it is on average after the better action, and after the other.

    `what` is the `points` of a seat in this round; a `part` of them; how often, from 0 to 1, it has
    the `best` score of the round; its `chance` to win the match; how often it `ends` the round by
    an action of its own; the `actions` still made in the round; or the `choices` of the seat that
    is next. The difference may be off by `error`, hardly by more.
    """

    what: What
    better: float
    other: float
    error: float
    seat: int | None = None
    part: str | None = None

    @property
    def difference(self) -> float:
        """How much more it is after the better action."""
        return self.better - self.other

    def is_sure(self, worth_telling: float = 0.0) -> bool:
        """Whether the difference is there, and matters."""
        return abs(self.difference) > max(self.error, worth_telling)

    def rounded(self) -> "Claim":
        """The same with as many digits as mean something."""
        better, other, error = (round(n, 3) for n in (self.better, self.other, self.error))
        return replace(self, better=better, other=other, error=error)

    def data(self) -> dict[str, Any]:
        """The claim as plain values, ready for JSON."""
        return {name: value for name, value in asdict(self.rounded()).items() if value is not None}


class Comparison:
    """Two actions of a seat, or two whole choices (`choices.py`), tried in the same worlds."""

    def __init__(
        self, match: Match, seat: int, better: str, other: str, beliefs: Beliefs | None = None,
        seed: int = 0, worlds: int = WORLDS,
    ) -> None:  # fmt: skip
        self.match, self.seat, self.actions = match.copy(), seat, (better, other)
        self.sign = -1 if match.game.identity.low_wins else 1
        beliefs = Onlooker(match).beliefs(match, seat) if beliefs is None else beliefs
        self._better = tried(match, seat, better, beliefs, seed, worlds)
        self._other = tried(match, seat, other, beliefs, seed, worlds)

    def claims(self) -> tuple[Claim, ...]:
        """What speaks for the better action: first what it does for its seat, then to others."""
        if not (self.claim("chance", self.seat).is_sure() and self._helps("chance", self.seat)):
            return ()
        own, others = list(self._own()), list(self._of_others())
        if own and self.match.players == 2:
            # What one of two gains in chances, the other loses: only points would be news.
            others = [claim for claim in others if claim.what == "points"]
        found = [*own, *others]
        if found:
            found += self._of_the_round()
        return tuple(claim.rounded() for claim in found[:MOST])

    def claim(self, what: What, seat: int | None = None, part: str | None = None) -> Claim:
        """How one thing differs, be it sure or not."""
        column = self._column(what, seat, part)
        better, other = self._better[:, column], self._other[:, column]
        spread = float((better - other).std(ddof=1)) / math.sqrt(len(better))
        return Claim(what, float(better.mean()), float(other.mean()), SURE * spread, seat, part)

    def _column(self, what: What, seat: int | None, part: str | None) -> int:
        if what == "actions":
            return evidence.ACTIONS
        if what == "choices":
            return evidence.CHOICES
        if what == "part":
            return evidence.PARTS + self.match.game.layout.parts.index(part or "")
        assert seat is not None
        return FIRST[what] + seat

    def _helps(self, what: What, seat: int) -> bool:
        """Whether a difference is good for a seat."""
        sign = self.sign if what == "points" else 1
        return sign * self.claim(what, seat).difference > 0

    def _own(self) -> Iterator[Claim]:
        points = self.claim("points", self.seat)
        if points.is_sure(POINTS) and self._helps("points", self.seat):
            yield self._main_part(points) or points
            return
        best = self.claim("best", self.seat)
        if best.is_sure(SHARE) and self._helps("best", self.seat):
            yield best

    def _main_part(self, points: Claim) -> Claim | None:
        """The part of the score that makes most of the difference, if there are several."""
        names = self.match.game.layout.parts
        parts = [self.claim("part", self.seat, name) for name in names]
        main = max(parts, key=lambda part: part.difference / points.difference)
        share = main.difference / points.difference
        is_main = len(parts) > 1 and MAIN <= share <= 1 / MAIN and main.is_sure(POINTS)
        return main if is_main else None

    def _of_others(self) -> Iterator[Claim]:
        """What it does to the seat whose chance suffers most."""
        others = [seat for seat in range(self.match.players) if seat != self.seat]
        victim = min(others, key=lambda seat: self.claim("chance", seat).difference)
        chance = self.claim("chance", victim)
        if not chance.is_sure(CHANCE) or self._helps("chance", victim):
            return
        points, best = self.claim("points", victim), self.claim("best", victim)
        if points.is_sure(POINTS) and not self._helps("points", victim):
            yield points
        elif best.is_sure(SHARE) and not self._helps("best", victim):
            yield best
        else:
            yield chance

    def _of_the_round(self) -> Iterator[Claim]:
        """What is neither good nor bad by itself."""
        yield from self._ending()
        choices = self.claim("choices", self._next())
        if choices.seat is not None and choices.is_sure(CHOICES):
            yield choices
        length = self.claim("actions")
        if length.is_sure(LENGTH * length.other) and length.is_sure(1.0):
            yield length

    def _ending(self) -> Iterator[Claim]:
        """Who ends the round: the own seat, or else the one for which it differs most.

        Whether an action itself ends the round needs no telling.
        """
        if not knowledge.of(self.match.game).tells_who_ends or self._ends_at_once():
            return
        ends = [self.claim("ends", seat) for seat in range(self.match.players)]
        sure = [claim for claim in ends if claim.is_sure(ENDING)]
        if sure:
            yield max(sure, key=lambda claim: (claim.seat == self.seat, abs(claim.difference)))

    def _ends_at_once(self) -> bool:
        """Whether there is a world in which one of the two is the last action of the round."""
        return any((rows[:, evidence.ACTIONS] == 0).any() for rows in (self._better, self._other))

    def _next(self) -> int | None:
        """Who is next, if that is the same seat in every world after either action."""
        seats = {*self._better[:, evidence.NEXT], *self._other[:, evidence.NEXT]}
        return int(seats.pop()) if len(seats) == 1 and evidence.NOBODY not in seats else None
