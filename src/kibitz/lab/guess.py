"""How well a seat guesses the hands of others, when worlds are weighed by what the others did.

    python -m kibitz.lab.guess kolpa zocken --matches 20 --bot hard:simulations=300 \
        --styles worlds=256 worlds=256:heat=50:doubt=0.2

Bots play matches. At each choice worlds are dealt for the seat that is due, and compared with the
truth. The share is how many of the other hands' cards are in the same hands there. The loss is, for
each other hand, the sum over the kinds of minus the log of how likely as many cards of the kind are
as it has in truth: less is better. Both are given for the worlds as they are dealt, and then by
weight; last, how many worlds would say as much if all weighed the same.
"""

import argparse
from typing import Any

import numpy as np

from kibitz.bots.inference import Onlooker
from kibitz.bots.levels import level
from kibitz.bots.searching import Search
from kibitz.engine.chance import seed_of_move
from kibitz.engine.errors import KibitzError
from kibitz.engine.game import Game
from kibitz.engine.match import Match
from kibitz.engine.zones import Sight
from kibitz.games import find, names
from kibitz.lab.crew import crew, in_order

SEARCH = "hard:learned=0"
FIGURES = ("share", "share by weight", "loss", "loss by weight", "worlds")
UNHEARD_OF = 0.5  # of a world: what no world has is still possible


def tallies(game: Game, states: Any, zone: int) -> Any:
    """How many cards of each kind a set holds, in each of these states."""
    words = np.ascontiguousarray(states["cards"][:, zone, :])
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
    found = np.zeros((len(states), len(game.layout.deck.kinds)), np.int64)
    for card in np.flatnonzero(bits.any(0)):
        found[:, game.layout.deck.kind[card]] += bits[:, card]
    return found


def hands_of_others(game: Game, players: int, seat: int) -> list[int]:
    """The sets that are the hands of other seats."""
    return [
        zone.index
        for zone in game.layout.zones.at(players)
        if not zone.family.is_pile
        and zone.family.sight is Sight.OWNER
        and zone.family.hidden_in is None
        and zone.owner != seat
    ]


def compare(true: Any, guessed: Any, weights: Any) -> tuple[float, float]:
    """The share of a hand's cards that worlds with these weights have, and the loss."""
    share = weights @ np.minimum(guessed, true).sum(1) / max(1, true.sum())
    likely = (weights[:, None] * (guessed == true)).sum(0)
    worlds = len(weights)
    loss = -np.log((worlds * likely + UNHEARD_OF) / (worlds + 2 * UNHEARD_OF)).sum()
    return float(share), float(loss)


def guess(match: Match, search: Search) -> list[float]:
    """How good a guess is at this moment: the FIGURES."""
    states = search.worlds.states
    weights = np.diff(search.worlds.up_to, prepend=0.0)
    alike, rows = np.full(len(states), 1 / len(states)), []
    for zone in hands_of_others(match.game, match.players, search.seat):
        (true,) = tallies(match.game, match.state, zone)
        guessed = tallies(match.game, states, zone)
        rows.append([*compare(true, guessed, alike), *compare(true, guessed, weights)])
    share, loss, share_by_weight, loss_by_weight = np.mean(rows, 0)
    return [share, share_by_weight, loss, loss_by_weight, 1 / (weights**2).sum()]


def play_match(name: str, players: int, number: int, bot: str, styles: tuple[str, ...]) -> Any:
    """The FIGURES of each style, added up over a match, and how many times they were taken."""
    match = Match.new(find(name), players, f"guess {number}", {})
    onlooker, found, times = Onlooker(match), np.zeros((len(styles), len(FIGURES))), 0
    searches = [level(f"{SEARCH}:{style}").changes for style in styles]
    while not match.over:
        if match.round_over:
            match.next_round()
        seat = min(match.to_act)
        seed, _ = seed_of_move(f"{number}", len(match.done))
        beliefs = onlooker.beliefs(match, seat, tell=True)
        if len(match.legal_numbers(seat)) > 1 and len(beliefs.story.seat):
            world, times = match.sample_world(seat), times + 1
            for n, changes in enumerate(searches):
                states = np.concatenate([world, world])
                search = Search(match.game, states, seat, seed, changes, beliefs)
                found[n] += guess(match, search)
        match.play(seat, level(bot).action(match, seat, seed, onlooker))
    return found, times


def main() -> None:
    """Print the figures of each style."""
    parser = argparse.ArgumentParser("guess", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="+", metavar="GAME")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--bot", default="medium")
    parser.add_argument("--styles", nargs="+", default=["worlds=256"], metavar="STYLE")
    words = parser.parse_args()
    if words.matches < 1:
        parser.error("--matches must be at least 1")
    if unknown := set(words.names) - set(names()):
        parser.error(f"there is no game {', '.join(unknown)}; there are {', '.join(names())}")
    try:
        level(words.bot)
        for style in words.styles:
            if not level(f"{SEARCH}:{style}").changes.get("worlds"):
                parser.error(f"{style} deals no worlds; say how many, as in worlds=256")
    except KibitzError as wrong:
        parser.error(str(wrong))
    for name in words.names:
        players = find(name).identity.usual_players
        with crew() as hired:
            jobs = (
                (name, players, n, words.bot, tuple(words.styles)) for n in range(words.matches)
            )
            played = in_order(hired.work(play_match, jobs))
        times = sum(n for _, n in played)
        print(f"{name}, {times:,} choices")
        for n, style in enumerate(words.styles):
            means = sum(found[n] for found, _ in played) / times
            print(
                f"  {style}: "
                + ", ".join(f"{k} {v:.3f}" for k, v in zip(FIGURES, means, strict=True))
            )


if __name__ == "__main__":
    main()
