"""Good sense in Ramon Jack Alphonse: high numbers in three colours, and the others kept low."""

from kibitz.engine import sense
from kibitz.engine.bits import count
from kibitz.engine.compiled import State, rule, table
from kibitz.engine.zones import SEATS
from kibitz.games.ramon.cards import COLOURS, DECK
from kibitz.games.ramon.rules import BESIDE, N_NUMBERS, ONE_COLOUR, ONTO, STACKS, points, tops

TRUST = (-0.38, 0.81)  # fitted by `kibitz calibrate ramon`
POINT = 10
SHARE = table([0, 25, 55, 100])  # per cent of a kitty's sum, by the colours that it shows
DIGITS = table(  # the kinds whose number has this binary digit
    sum(1 << k for k in range(len(DECK.kinds)) if (k % N_NUMBERS + 1) >> digit & 1)
    for digit in range(4)
)
EVERY_COLOUR = sum(1 << (N_NUMBERS * c) for c in range(len(COLOURS)))


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
        colours += int((shown >> (N_NUMBERS * colour)) & ONE_COLOUR != 0)
    return POINT * sum_shown(shown) * SHARE[colours] // 100


@rule
def after(shown: int, kind: int, covered: int) -> int:
    """The kinds that a kitty shows once a card has been laid in it."""
    if covered >= 0:
        shown &= ~(1 << covered)
    shown &= ~(EVERY_COLOUR << (kind % N_NUMBERS))  # RAMON-T3
    return shown | 1 << kind


@rule
def appraise(s: State, me: int, action: int) -> int:
    """What the card adds to the own promise, or takes from another's."""
    if action < ONTO:
        place, covered = action - BESIDE, -1
        kind, p = place // SEATS, place % SEATS
    else:
        place = (action - ONTO) // N_NUMBERS
        kind, p = place // SEATS, place % SEATS
        covered = kind - kind % N_NUMBERS + (action - ONTO) % N_NUMBERS
    shown = tops(s, p)
    then = after(shown, kind, covered)
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
    return max(0, s.target - sense.best_total(s, 1))


@rule
def outlook(s: State, me: int) -> float:
    """The lead counts for more the nearer someone is to the target."""
    return sense.softmax(s, me, 1, 20.0 + 0.12 * left_to_go(s))
