"""What a tournament says: shares of victories with their uncertainty, places, ratings."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, variance

from openskill.models import PlackettLuce

from kibitz.games import find
from kibitz.lab.arena import Contest, Played

# Student's t at 97.5 %, for 1 to 10 degrees of freedom.
_STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
_NORMAL = 1.959964


@dataclass(frozen=True)
class Result:
    """How a bot did. The share of victories comes with its 95 % interval."""

    bot: str
    win_share: float
    win_share_low: float
    win_share_high: float
    mean_score: float
    mean_place: float
    rating: float  # the mu of OpenSkill's Plackett-Luce model, which starts at 25


def results(contest: Contest, played: Sequence[Played]) -> list[Result]:
    """How each bot did, in the order in which they were named."""
    low_wins = find(contest.game).identity.low_wins
    in_order = sorted(played)
    placed = [places(match, low_wins=low_wins) for match in in_order]
    rated = ratings(placed)
    found = []
    for i, bot in enumerate(contest.bots):
        low, high = interval(shares_by_deal(in_order, i), len(in_order))
        found.append(
            Result(
                bot=bot,
                win_share=fmean(win_share(match, i) for match in in_order),
                win_share_low=low,
                win_share_high=high,
                mean_score=fmean(match.scores[i] for match in in_order),
                mean_place=fmean(place[i] for place in placed),
                rating=rated[i],
            )
        )
    return found


def whole_deals(played: Sequence[Played]) -> list[Played]:
    """Of a tournament that was stopped: the deals that went all the way round.

    Where there is none yet, all matches.
    """
    rotations: dict[int, int] = defaultdict(int)
    for match in played:
        rotations[match.deal] += 1
    whole = [match for match in played if rotations[match.deal] == len(match.scores)]
    return whole or list(played)


def win_share(match: Played, bot: int) -> float:
    """1 for a victory, and a part of it for a shared one."""
    return 1 / len(match.winners) if bot in match.winners else 0.0


def shares_by_deal(played: Sequence[Played], bot: int) -> list[float]:
    """A bot's share of the victories in each deal."""
    shares: dict[int, list[float]] = defaultdict(list)
    for match in played:
        shares[match.deal].append(win_share(match, bot))
    return [fmean(of_deal) for of_deal in shares.values()]


def places(match: Played, *, low_wins: bool) -> list[float]:
    """Each bot's place: the winners come first, then scores decide; equals share their places."""
    sign = 1 if low_wins else -1
    keys = [
        (0, 0) if bot in match.winners else (1, sign * score)
        for bot, score in enumerate(match.scores)
    ]
    ahead = [sum(other < key for other in keys) for key in keys]
    return [n + (keys.count(key) + 1) / 2 for n, key in zip(ahead, keys, strict=True)]


def ratings(placed: Sequence[Sequence[float]]) -> list[float]:
    """OpenSkill's mu of each bot after these matches, in this order."""
    model = PlackettLuce()
    teams = [[model.rating()] for _ in placed[0]]
    for match in placed:
        teams = model.rate(teams, ranks=list(match))
    return [float(rating.mu) for (rating,) in teams]


def interval(shares: Sequence[float], matches: int) -> tuple[float, float]:
    """The 95 % interval of a share of victories, from the shares in each deal.

    The rotations of a deal depend on each other, so what varies is the deal. Wilson's interval is
    taken, which stays sane near 0 and 1, with Student's t and with as many trials as would vary as
    much as the deals do; but never more than there were matches, for a few deals can agree by
    chance. Where nothing but victories or defeats was seen, a deal counts as one trial.
    """
    deals, share = len(shares), fmean(shares)
    if deals == 1:
        return 0.0, 1.0
    if not 0 < share < 1:
        return wilson(share, deals, _NORMAL)
    error = variance(shares) / deals
    trials = min(matches, share * (1 - share) / error) if error > 0 else matches
    return wilson(share, trials, student(deals - 1))


def wilson(share: float, trials: float, quantile: float) -> tuple[float, float]:
    """Wilson's interval of a share."""
    extra = quantile**2 / trials
    centre = (share + extra / 2) / (1 + extra)
    half = quantile / (1 + extra) * math.sqrt((share * (1 - share) + extra / 4) / trials)
    return max(0.0, min(centre - half, share)), min(1.0, max(centre + half, share))


def student(freedom: int) -> float:
    """Student's t at 97.5 %: a table, then the expansion of Cornish and Fisher."""
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    z = _NORMAL
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
