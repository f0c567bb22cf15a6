"""How much is left to win by knowing more: a search that sees all hands, against one that does not.

    python -m kibitz.lab.bound kolpa viva --games 40 --simulations 400

Two of each sit at a table for four, with the same number of simulations, and each deal is played
from all seats. What the two win that see all hands is more than any judgment of hidden cards could
bring against that search: the rest is in the cards. Bots are only ever given what a seat may know;
nothing but this plays with open hands.
"""

import argparse

import numpy as np

from kibitz.bots.inference import Onlooker
from kibitz.bots.levels import Budget, level
from kibitz.bots.searching import Search
from kibitz.engine.chance import seed_of_move
from kibitz.engine.match import Match
from kibitz.games import find, names
from kibitz.lab.arena import seating
from kibitz.lab.crew import crew, in_order
from kibitz.lab.standings import interval

SEATS = 4
SEES_ALL = {"redeal": 0}
OTHER = "hard:learned=0"


def seen_by(sitting: list[int], seat: int) -> bool:
    """Whether a seat's bot sees all hands: every other one does."""
    return sitting[seat] % 2 == 0


def best_with_open_hands(match: Match, seat: int, simulations: int, seed: int) -> str:
    """What a search does that takes the match as it is for the truth."""
    states = np.concatenate([match.state, match.state])
    search = Search(match.game, states, seat, seed, SEES_ALL)
    search.run(simulations)
    return match.game.actions.write(search.best())


def play_deal(name: str, number: int, simulations: int) -> list[float]:
    """A deal from all seats: each time how much of the victory was theirs who saw all hands."""
    bot, budget = level(OTHER), Budget(simulations=simulations)
    shares = []
    for rotation in range(SEATS):
        match = Match.new(find(name), SEATS, f"bound {number}", {})
        sitting, onlooker = seating(SEATS, number, rotation), Onlooker(match)
        while not match.over:
            if match.round_over:
                match.next_round()
            seat = min(match.to_act)
            seed, _ = seed_of_move(f"{number}/{rotation}", len(match.done))
            if len(legal := match.legal(seat)) == 1:
                match.play(seat, legal[0])
            elif seen_by(sitting, seat):
                match.play(seat, best_with_open_hands(match, seat, simulations, seed))
            else:
                match.play(seat, bot.action(match, seat, seed, onlooker, budget))
        won = [seen_by(sitting, seat) for seat in match.winners]
        shares.append(sum(won) / len(won))
    return shares


def main() -> None:
    """Print what is won with open hands."""
    parser = argparse.ArgumentParser("bound", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="+", metavar="GAME")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--simulations", type=int, default=400)
    words = parser.parse_args()
    if min(words.games, words.simulations) < 1:
        parser.error("--games and --simulations must be at least 1")
    if unknown := set(words.names) - set(names()):
        parser.error(f"there is no game {', '.join(unknown)}; there are {', '.join(names())}")
    for name in words.names:
        play_deal(name, 0, 1)  # so that all is compiled once
        with crew() as hired:
            jobs = ((name, n, words.simulations) for n in range(-(-words.games // SEATS)))
            deals = in_order(hired.work(play_deal, jobs))
        shares = [sum(deal) / SEATS for deal in deals]
        low, high = interval(shares, SEATS * len(deals))
        mean = sum(shares) / len(shares)
        print(f"{name}: {mean:.0%} ({low:.0%} to {high:.0%}) of {SEATS * len(deals)} matches")


if __name__ == "__main__":
    main()
