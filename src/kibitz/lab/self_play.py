"""Whole matches by bots, and what is written down of them: compiled, but for bots that search.

The rounds of a deal are dealt alike in each of its rotations, however they were played: what a
seat makes of the same cards can be compared.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.bots import knowledge, story
from kibitz.bots.inference import Beliefs
from kibitz.bots.levels import Budget, level
from kibitz.bots.policy import greedy
from kibitz.engine import border, chance, dispatch
from kibitz.engine.action_list import list_actions, new_list
from kibitz.engine.bits import lowest
from kibitz.engine.compiled import NONE, ActionList, State, from_python, rule
from kibitz.engine.deck import WORDS
from kibitz.engine.dispatch import kind_of
from kibitz.engine.errors import BadOption
from kibitz.engine.game import Game
from kibitz.engine.observe import legal_mask, observe, turn_action
from kibitz.engine.redeal import redeal
from kibitz.engine.rounds import next_round
from kibitz.engine.zones import SEATS, Sight
from kibitz.games import find
from kibitz.lab.arena import seating

RANDOM, SEARCHES = -1, -2  # instead of a noise, how bots play that are not greedy
MOST_CHOICES = 256  # at one decision; more are counted as so many
MOST_ROUNDS = 256  # of a match that are written down
THOUGHT = Budget(simulations=400)  # of a bot that searches: the same on every machine
DEALT = "dealt/"  # before the name of a hand: what was in it when the round began
MOST_SEEDS = 1 << 30  # a seed and the number of a deal share a word
PLAY = 1 << 40  # luck of play, not of the deal

MATCH = np.dtype(
    [
        ("deal", np.int32), ("rotation", np.int8), ("first", np.int8), ("winners", np.int8),
        ("rounds", np.int16), ("actions", np.int32), ("turns", np.int32), ("forced", np.int32),
        ("bits", np.float64), ("total", np.int16, (SEATS,)), ("acted", np.int8),
    ]
)  # fmt: skip
ROUND = np.dtype([("match", np.int32), ("actions", np.int32), ("total", np.int16, (SEATS,))])
HELD = np.dtype([("seats", np.int64), ("sum", np.float64), ("squares", np.float64)])


@dataclass(frozen=True)
class Setup:
    """What is played: a game with options, and a bot for every seat; checked when it is made."""

    game: str
    bots: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        find(self.game).settings(self.players, dict(self.options))
        for bot in self.bots:
            level(bot)
        if not 0 <= self.seed < MOST_SEEDS:
            raise BadOption(f"the seed must be from 0 to {MOST_SEEDS - 1}, not {self.seed}")

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.bots)

    @property
    def rotations(self) -> int:
        """How often a deal is played, so that every bot has every seat."""
        return 1 if len(set(self.bots)) == 1 else self.players


@dataclass
class Records:
    """What happened in some matches.

    `held` has, for each kind of card, what seats scored in a round more than the others: those who
    had it in such a place (1), and those who had not (0). See `places`.
    """

    matches: Any  # an array of MATCH
    rounds: Any  # an array of ROUND: how all stood when a round had ended
    choices: Any  # how often there were so many choices
    held: Any  # an array of HELD: by place, kind, and whether it was there

    @staticmethod
    def of(some: "list[Records]") -> "Records":
        """All of them together."""
        rounds, first = [], 0
        for one in some:
            later = one.rounds.copy()
            later["match"] += first
            rounds.append(later)
            first += len(one.matches)
        held = some[0].held.copy()
        for name in HELD.names or ():
            held[name] = sum(one.held[name] for one in some)
        return Records(
            np.concatenate([one.matches for one in some]),
            np.concatenate(rounds),
            sum(one.choices for one in some),
            held,
        )


def places(game: Game) -> list[str]:
    """Names for `Records.held`: what is dealt into hands, the hands, and what else seats have."""
    own = [family for family in game.layout.zones.families.values() if family.per_seat]
    hands = [f.name for f in own if f.sight is Sight.OWNER and f.hidden_in is None]
    others = [family.name for family in own if family.name not in hands]
    return [f"{DEALT}{name}" for name in hands] + hands + others


def _where(game: Game, players: int) -> Any:
    """Each place of each seat: number of the family's place, seat, whether a pile, index."""
    names = places(game)
    rows = [
        (names.index(zone.family.name), zone.owner, zone.family.is_pile, zone.index)
        for zone in game.layout.zones.at(players)
        if zone.family.per_seat
    ]
    return np.array(rows, np.int64)


# ---- compiled


@rule
def look(s: State, where: Any, there: Any) -> None:
    """How many cards of each kind lie in each place of each seat."""
    there[:] = 0
    for i in range(len(where)):
        place, seat, index = where[i, 0], where[i, 1], where[i, 3]
        if where[i, 2]:
            card = s.top[index]
            while card != NONE:
                there[place, seat, kind_of(s)[card]] += 1
                card = s.under[card]
        else:
            for w in range(WORDS):
                bits = s.cards[index, w]
                while bits:
                    there[place, seat, kind_of(s)[64 * w + lowest(bits)]] += 1
                    bits &= bits - 1


@rule
def deal_round(s: State, seed: int, deal: int, rotation: int) -> None:
    """The next round: dealt alike in every rotation of a deal, played with luck of its own."""
    chance.reseed(s, (seed << 32) + deal, s.round_no)
    next_round(s)
    chance.reseed(s, (seed << 32) + deal, PLAY + (rotation << 20) + s.round_no)


@rule
def lead_of_round(s: State, seat: int) -> float:
    """What a seat has scored in this round, more than the mean of all."""
    mine, every = 0, 0
    for p in range(s.players):
        for part in range(s.gain.shape[1]):
            every += s.gain[p, part]
            if p == seat:
                mine += s.gain[p, part]
    return float(mine - every / s.players)


@rule
def book_cards(s: State, where: Any, before: Any, there: Any, dealt: int, held: Any) -> None:
    """What seats scored that had a card in a place, and those that had not."""
    look(s, where, there)
    places, _, kinds = there.shape
    for seat in range(s.players):
        lead = lead_of_round(s, seat)
        for place in range(places):
            for kind in range(kinds):
                if place < dealt:  # dealt into a hand
                    had = before[dealt + place, seat, kind] > 0
                elif place < 2 * dealt:  # left in that hand
                    had = there[place, seat, kind] > 0
                else:  # won, laid, collected: in this round
                    had = there[place, seat, kind] > before[place, seat, kind]
                cell = held[place, kind, 1 if had else 0]
                cell.seats += 1
                cell.sum += lead
                cell.squares += lead * lead


@rule
def choose(s: State, world: State, seat: int, found: ActionList, noise: int) -> int:
    """What a bot that does not search does: it knows a world that fits what the seat sees."""
    if noise == RANDOM:
        return int(found.action[chance.below(world, found.count)])
    redeal(world, seat)
    return greedy(world, seat, found, noise)


@from_python
def play_on(
    states: Any, lists: Any, noise: Any, action: int, seed: int, limit: int, dealt: int,
    where: Any, before: Any, there: Any,
    match: Any, rounds: Any, choices: Any, held: Any, log: Any, listens: bool, beliefs: Any,
) -> int:  # fmt: skip
    """Play a match in state 1 to its end, or until a bot that searches is due: its seat, or NONE.

    `action` is what that bot chose, or NONE. State 0 has players and options, 2 is a world, 3 the
    last state. If somebody `listens`, beliefs[0] is what play has told of the hands in this round;
    beliefs[1] stays empty.
    """
    s, m, found = states[1], match[0], lists[0]
    while not s.over and m.actions < limit:
        if s.round_no == 0 or s.round_over:
            deal_round(s, seed, m.deal, m.rotation)
            look(s, where, before)
            m.acted = NONE
            beliefs[0] = beliefs[1]
        seat = lowest(s.due)
        if m.first == NONE and s.due & (s.due - 1) == 0:
            m.first = seat
        list_actions(s, seat, found)
        if action == NONE:
            if found.count == 1:
                action = found.action[0]
            elif noise[seat] == SEARCHES:
                return seat
            else:
                states[2] = s
                chance.reseed(states[2], (seed << 32) + m.deal, (m.rotation << 32) + m.actions)
                action = choose(s, states[2], seat, found, noise[seat])
        choices[min(found.count, len(choices) - 1)] += 1
        m.forced += found.count == 1
        m.bits += math.log2(found.count)
        m.turns += seat != m.acted
        m.acted = seat
        if m.actions < len(log):
            log[m.actions] = action
        m.actions += 1
        if listens:
            states[3] = s
        dispatch.apply(s, seat, action)
        if listens:
            knowledge.observe(states[3], s, seat, action, beliefs[0])
        action = NONE
        if s.round_over:
            if m.rounds < len(rounds):
                rounds[m.rounds].actions = m.actions
                for p in range(s.players):
                    rounds[m.rounds].total[p] = s.total[p]
            m.rounds += 1
            book_cards(s, where, before, there, dealt, held)
    m.winners = s.winners
    for p in range(s.players):
        m.total[p] = s.total[p]
    return NONE


@from_python
def look_back(
    states: Any, lists: Any, log: Any, seed: int, deal: int, rotation: int,
    observations: Any, masks: Any, seats: Any, actions: Any, numbers: Any,
) -> int:  # fmt: skip
    """Play a match again by its log, and note each decision among several actions; how many."""
    states[1] = states[0]
    s, found, n = states[1], lists[0], 0
    for i in range(len(log)):
        if s.round_no == 0 or s.round_over:
            deal_round(s, seed, deal, rotation)
        seat = lowest(s.due)
        list_actions(s, seat, found)
        if found.count > 1:
            observe(s, seat, observations[n])
            legal_mask(s, seat, found, masks[n])
            seats[n] = seat
            actions[n] = turn_action(s, seat, log[i])
            numbers[n] = i
            n += 1
        dispatch.apply(s, seat, log[i])
    return n


# ---- from Python


def _noise(name: str) -> int:
    bot = level(name)
    if bot.budget is not None:
        return SEARCHES
    return RANDOM if bot.noise is None else bot.noise


class Player:
    """Plays matches of a setup, and keeps what happened."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.game = setup, find(setup.game)
        known = knowledge.of(self.game)
        game, players = self.game, setup.players
        self.states = game.blank(players, game.settings(players, dict(setup.options)), 4)
        self.lists, self.log = new_list(), np.zeros(0, np.int16)
        names, kinds = places(game), len(game.layout.deck.kinds)
        self._dealt = sum(name.startswith(DEALT) for name in names)
        self._where = _where(game, players)
        self._before = np.zeros((len(names), SEATS, kinds), np.int8)
        self._there = self._before.copy()
        self._choices = np.zeros(MOST_CHOICES + 1, np.int64)
        self._held = np.zeros((len(names), kinds, 2), HELD)
        self._infers, self._beliefs = known.infers, np.zeros(2, known.beliefs)
        self._matches: list[Any] = []
        self._rounds: list[Any] = []

    def play(self, deal: int, rotation: int) -> Any:
        """Play a deal in one of its rotations: what was written down of the match."""
        setup = self.setup
        sitting = [setup.bots[bot] for bot in seating(setup.players, deal, rotation)]
        noise = np.array([_noise(name) for name in sitting], np.int64)
        match, rounds = np.zeros(1, MATCH), np.zeros(MOST_ROUNDS, ROUND)
        match["deal"], match["rotation"], match["first"] = deal, rotation, NONE
        listens = self._infers and SEARCHES in noise
        self.states[1] = self.states[0]
        seat = action = NONE
        while True:
            seat = play_on(
                self.states, self.lists, noise, action, setup.seed, self.game.identity.longest,
                self._dealt, self._where, self._before, self._there,
                match, rounds, self._choices, self._held, self.log, listens, self._beliefs,
            )  # fmt: skip
            if seat == NONE:
                break
            action = self._search(sitting[seat], seat, deal, int(match["actions"][0]))
        rounds = rounds[: match["rounds"][0]]
        rounds["match"] = len(self._matches)
        self._matches.append(match)
        self._rounds.append(rounds)
        return match[0]

    def _search(self, bot: str, seat: int, deal: int, actions: int) -> int:
        """What a bot that searches does, with what an `Onlooker` at a match would have noted."""
        world, luck = self.states[1:2].copy(), (self.setup.seed << 32) + deal
        border.redeal_at(world, 0, seat, luck, actions)
        beliefs = Beliefs(self._beliefs[:1].copy(), story.empty(self.game))
        return level(bot).choose(self.game, world, seat, luck ^ (actions << 16), THOUGHT, beliefs)

    def records(self) -> Records:
        """What happened so far."""
        return Records(
            np.concatenate(self._matches), np.concatenate(self._rounds), self._choices, self._held
        )


def play_deals(setup: Setup, first: int, deals: int) -> Records:
    """Some deals of a setup, each in all its rotations."""
    player = Player(setup)
    for deal in range(first, first + deals):
        for rotation in range(setup.rotations):
            player.play(deal, rotation)
    return player.records()
