"""The story of a round as a seat may tell it: who did what, how it stood then, and what moved.

Cards leave a hand before everyone's eyes and come into it unseen. So a world that is dealt now
tells what each seat held when it chose: what it holds now, with what it has played since, and
without what it has drawn since. Where that cannot be told (cards were shuffled, laid aside unseen,
or exchanged by several at once), a story begins after it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kibitz.engine import chance, dispatch
from kibitz.engine.actions import Secrecy
from kibitz.engine.bits import count
from kibitz.engine.compiled import NONE, State, from_python, rule
from kibitz.engine.deck import WORDS
from kibitz.engine.game import Game
from kibitz.engine.log import Done
from kibitz.engine.redeal import pool, redeal
from kibitz.engine.zones import SEATS

LONGEST = 100  # lines that are remembered: what is older tells little of the cards still held


class Story(NamedTuple):
    """The lines of a round that a seat can account for, the oldest first."""

    shown: Any  # the state before each line, with all that the seat cannot see dealt anew
    seat: Any  # who acted
    action: Any  # what was done; NONE if the seat did not see all of it, or did it itself
    left: Any  # by seat, the cards known to have left its hand, as two words
    came: Any  # by seat, the cards known to have come into it
    drawn: Any  # by seat, how many others came into it
    giver: Any  # the seat out of whose hand those came, or NONE
    unseen: Any  # the cards of which the seat did not know the place, as two words


def empty(game: Game, lines: int = 0) -> Story:
    """Room for so many lines."""
    return Story(
        np.zeros(lines, game.layout.dtype), np.zeros(lines, np.int64), np.zeros(lines, np.int64),
        np.zeros((lines, SEATS, WORDS), np.int64), np.zeros((lines, SEATS, WORDS), np.int64),
        np.zeros((lines, SEATS), np.int64), np.zeros(lines, np.int64),
        np.zeros((lines, WORDS), np.int64),
    )  # fmt: skip


def told(game: Game, states: Sequence[bytes], lines: Sequence[Done], me: int) -> Story:
    """What a seat may tell of these lines of a round; `states` are before each, and the present."""
    noticed = [n for n, done in enumerate(lines) if _notices(game, done, me)][-LONGEST:]
    if not noticed:
        return empty(game)
    kept = bytearray().join([*(states[n] for n in noticed), states[-1]])
    shown, past = np.frombuffer(kept, game.layout.dtype), [lines[n] for n in noticed]
    story = empty(game, len(past))._replace(shown=shown[:-1])
    story.seat[:] = [done.seat for done in past]
    story.action[:] = [
        done.action if done.seat != me and me in done.seen_by else NONE for done in past
    ]
    first = tell(story, shown[-1:], me)
    return Story(*(part[first:] for part in story))


def _notices(game: Game, done: Done, me: int) -> bool:
    """Whether a seat notices that something is done: how much others lay aside is their secret."""
    return done.seat == me or game.actions.all[done.action].verb.secrecy is not Secrecy.SEALED


@rule
def hand_of(s: State, p: int) -> int:
    """The set that is a seat's hand: the one that it alone may look at; NONE if there is none."""
    sight, hidden_in = dispatch.sight(s), dispatch.hidden_in(s)
    for zone in range(s.cards.shape[0]):
        if sight[zone] == p and hidden_in[zone] < 0:
            return zone
    return NONE


@rule
def held(s: State, p: int, word: int) -> int:
    """The cards of a hand, with those that are put aside unseen, as one of two words."""
    hides = dispatch.hides(s)
    zone, cards = hand_of(s, p), 0
    while zone != NONE:
        cards |= s.cards[zone, word]
        zone = hides[zone]
    return cards


@from_python
def tell(story: Story, present: Any, me: int) -> int:
    """Note what moved with each line; the first line from which on all can be accounted for.

    The states are the true ones before, and what the seat cannot see is dealt anew after.
    """
    first = 0
    for n in range(len(story.shown)):
        after = story.shown[n + 1] if n + 1 < len(story.shown) else present[0]
        if not compare(story, n, story.shown[n], after, me):
            first = n + 1
    for n in range(len(story.shown)):
        chance.reseed(story.shown[n], n, me)
        redeal(story.shown[n], me)
        for p in range(SEATS):
            for w in range(WORDS):  # what others know of hands, the seat cannot know
                story.shown[n].known[p, w] *= int(p == me)
    return first


@rule
def compare(story: Story, n: int, before: State, after: State, me: int) -> bool:
    """Note what line n moved; whether it can be undone."""
    was, now = pool(before, me), pool(after, me)
    story.giver[n] = NONE
    lost, gained, can_tell = 0, 0, not after.round_over
    for p in range(before.players):
        if p == me:
            continue
        for w in range(WORDS):
            old, new = held(before, p, w), held(after, p, w)
            out, into = old & ~new, new & ~old
            hidden = into & was[w] & now[w]
            story.left[n, p, w] = out & ~now[w]
            story.came[n, p, w] = into & ~hidden
            story.drawn[n, p] += count(hidden)
            gained += count(hidden)
            if out & now[w]:
                lost += count(out & now[w])
                can_tell = can_tell and (story.giver[n] == NONE or story.giver[n] == p)
                story.giver[n] = p
    for w in range(WORDS):
        story.unseen[n, w] = was[w]
        if now[w] & ~was[w]:
            can_tell = False
    return can_tell and (lost == 0 or lost == gained)
