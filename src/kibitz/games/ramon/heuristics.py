"""What bots know of Ramon Jack Alphonse: high numbers in three colours, the others kept low."""

from kibitz.bots.heuristics import best_total, softmax
from kibitz.engine.bits import count
from kibitz.engine.compiled import State, lookup, rule
from kibitz.games.ramon.deck import COLOURS, DECK
from kibitz.games.ramon.rules import N_NUMBERS, STACKS, of_colour, points, shown_after, taken_apart

CALIBRATION = (-0.35, 1.35)  # fitted by `kibitz calibrate ramon`
GUIDE: dict[str, float] = {}  # a search by what was learned is better, and the usual one will do
TELLS_WHO_ENDS = True  # RAMON-E1: who lays a sixth stack ends the round for all
POINT = 10
SHARE = lookup([0, 25, 55, 100])  # per cent of a kitty's sum, by the colours that it shows
DIGITS = lookup(  # the kinds whose number has this binary digit
    sum(1 << k for k in range(len(DECK.kinds)) if (k % N_NUMBERS + 1) >> digit & 1)
    for digit in range(4)
)


@rule
def sum_shown(shown: int) -> int:
    """The sum of the numbers of a set of kinds, binary digit by binary digit."""
    total = 0
    for digit in range(len(DIGITS)):
        total += count(shown & DIGITS[digit]) << digit
    return total


@rule
def promise(shown: int) -> int:
    """What a kitty that shows these kinds promises to score."""
    colours = 0
    for colour in range(len(COLOURS)):
        colours += int(of_colour(shown, colour) != 0)
    return POINT * sum_shown(shown) * SHARE[colours] // 100


@rule
def action_value(s: State, me: int, action: int) -> int:
    """What the card adds to the own promise, or takes from another's."""
    kind, p, covered = taken_apart(s, action)
    shown = s.showing[p]
    then = shown_after(shown, kind, covered)
    if count(then) == STACKS:
        return ending(s, me, p, then)
    change = promise(then) - promise(shown)
    return change if p == me else -change * 2 // 3


@rule
def ending(s: State, me: int, changed: int, shown: int) -> int:
    """RAMON-E1: the round ends with this card; how far ahead the own score is."""
    mine, best = 0, 0
    for p in range(s.players):
        score = points(s, p)
        if p == changed:
            score = promise(shown) // POINT
            score = score if score == sum_shown(shown) else 0
        if p == me:
            mine = score
        else:
            best = max(best, score)
    return POINT * 2 * (mine - best)


@rule
def left_to_go(s: State) -> int:
    """Points until the match can end."""
    return max(0, s.target - best_total(s, 1))


@rule
def win_chance(s: State, me: int) -> float:
    """The lead counts for more the nearer someone is to the target."""
    return softmax(s, me, 1, 20.0 + 0.12 * left_to_go(s))
