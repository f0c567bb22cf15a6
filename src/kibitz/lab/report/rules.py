"""How often each rule comes up, and how often it forbids something.

The source of a game cites its rules by their ids. Matches are played again in plain Python, and
each place that cites a rule is counted when it is reached:

- a comment beside a branch or loop (`if …:  # KOLPA-J1`): when what is within is entered;
- a comment beside another line: when the line is run;
- the docstring of a function, for rules that no line cites: when the function is called;
- anywhere else, such as beside the deck or a zone: the rule always holds.

And at some decisions every action that cannot be made, with a card that the seat has or with none,
is put to the game, which names the rule that forbids it.
"""

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from types import CodeType, FrameType
from typing import Any

import numpy as np

from kibitz.engine import chance
from kibitz.engine.checked import Checked, CheckedList, plain
from kibitz.engine.compiled import compiled_sources
from kibitz.engine.game import Game
from kibitz.engine.rounds import next_round
from kibitz.games import find
from kibitz.lab.self_play import PLAY, Player, Setup
from kibitz.texts.rulebook import read_rulebook

ASKED = 6  # decisions of a match at which all that is forbidden is asked for
MOST_ACTIONS = 4_000  # of a match that are played again
BOTS_OWN = ("heuristics.py", "inference.py", "art.py", "tabletop.py", "refusals.py", "positions.py")

Place = tuple[str, int]  # a file, and a line that is run there


@dataclass(frozen=True)
class Citations:
    """Where a game's source cites its rules."""

    lines: dict[Place, frozenset[str]]  # counted when the line is run
    calls: dict[Place, frozenset[str]]  # counted when the function that begins there is called
    always: frozenset[str]  # cited only where nothing is run


@dataclass
class Bites:
    """What was counted in some matches."""

    matches: int = 0
    decisions: int = 0  # at which all that is forbidden was asked for
    came_up: Counter[str] = field(default_factory=Counter)  # how often
    matches_with: Counter[str] = field(default_factory=Counter)  # in how many matches
    forbade: Counter[str] = field(default_factory=Counter)  # at how many of those decisions

    def add(self, other: "Bites") -> None:
        """Count what others have counted."""
        self.matches += other.matches
        self.decisions += other.decisions
        self.came_up += other.came_up
        self.matches_with += other.matches_with
        self.forbade += other.forbade


@dataclass(frozen=True)
class RuleFigures:
    """How one rule bites."""

    id: str
    text: str
    always: bool  # it is built in: there is nothing to count
    per_match: float
    matches: float  # the share of the matches in which it came up
    forbids: float  # the share of decisions at which it forbids something

    @property
    def never(self) -> bool:
        """Whether it made no difference at all."""
        return not (self.always or self.per_match or self.forbids)


def rule_figures(game: Game, bites: Bites) -> list[RuleFigures]:
    """All rules of the rulebook, in its order."""
    always = citations(game.name).always
    return [
        RuleFigures(
            id=block.id,
            text=block.text,
            always=block.id in always,
            per_match=bites.came_up[block.id] / max(1, bites.matches),
            matches=bites.matches_with[block.id] / max(1, bites.matches),
            forbids=bites.forbade[block.id] / max(1, bites.decisions),
        )
        for block in read_rulebook(game.folder, "en")
        if block.kind == "rule" and block.id is not None
    ]


# ---- where rules are cited


@cache
def citations(name: str) -> Citations:
    """Where a game's source cites its rules."""
    game = find(name)
    ids = [block.id for block in read_rulebook(game.folder, "en") if block.kind == "rule"]
    known = {rule for rule in ids if rule is not None}
    lines: dict[Place, frozenset[str]] = {}
    calls: dict[Place, frozenset[str]] = {}
    for file in compiled_sources(game.folder):
        if file.is_relative_to(game.folder) and file.name not in BOTS_OWN:
            in_lines, in_calls = cited_in(file.read_text("utf-8"), known)
            lines |= {(str(file), line): rules for line, rules in in_lines.items()}
            calls |= {(str(file), line): rules for line, rules in in_calls.items()}
    by_line = frozenset[str]().union(*lines.values())
    calls = {place: rules - by_line for place, rules in calls.items() if rules - by_line}
    counted = by_line.union(*calls.values())
    return Citations(lines, calls, frozenset(known) - counted)


def cited_in(source: str, known: set[str]) -> tuple[dict[int, frozenset[str]], ...]:
    """The rules cited by comments, by the line that is run; by docstrings, by their function."""
    comments = {
        token.start[0]: rules
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT and (rules := ids_in(token.string, known))
    }
    lines: dict[int, frozenset[str]] = {}
    calls: dict[int, frozenset[str]] = {}
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            first = min([function.lineno, *(d.lineno for d in function.decorator_list)])
            if rules := ids_in(ast.get_docstring(function) or "", known):
                calls[first] = rules
            runs = dict(_runs(function.body))
            for line in range(function.body[0].lineno, (function.end_lineno or 0) + 1):
                if line in comments and (run := runs.get(line)):
                    lines[run] = lines.get(run, frozenset()) | comments[line]
    return lines, calls


def ids_in(text: str, known: set[str]) -> frozenset[str]:
    """The rules that a text cites: `KOLPA-T2, T7` are two of one game."""
    found = set()
    for prefix, rest in re.findall(r"\b([A-Z]+-)([A-Z]+\d+(?:, [A-Z]+\d+)*)", text):
        found |= {prefix + short for short in rest.split(", ")}
    return frozenset(found & known)


def _runs(body: list[ast.stmt]) -> Iterator[tuple[int, int]]:
    """For each line of a block the line whose running counts for a comment there."""
    for statement in body:
        last, within = statement.end_lineno or statement.lineno, getattr(statement, "body", None)
        if within is None:
            for line in range(statement.lineno, last + 1):
                yield line, statement.lineno
            continue
        for line in range(statement.lineno, within[0].lineno):
            yield line, within[0].lineno
        yield from _runs(within)
        if otherwise := getattr(statement, "orelse", []):
            head = (within[-1].end_lineno or 0) + 1
            for line in range(head, otherwise[0].lineno):
                yield line, otherwise[0].lineno
            yield from _runs(otherwise)


# ---- counting


def count_rules(setup: Setup, first: int, deals: int) -> Bites:
    """Count in some deals of a setup."""
    player, found = Player(setup), Bites()
    player.log = np.zeros(MOST_ACTIONS, np.int16)
    for deal in range(first, first + deals):
        match = player.play(deal, 0)
        actions = player.log[: min(int(match["actions"]), MOST_ACTIONS)].tolist()
        _replay(player.game, setup, deal, actions, found)
    return found


def _replay(game: Game, setup: Setup, deal: int, actions: list[int], found: Bites) -> None:
    """Play a match again in plain Python, and count."""
    blank = game.blank(setup.players, game.settings(setup.players, dict(setup.options)))
    state = Checked(game.layout, game.plain, blank[0])
    with Tracer(citations(game.name)) as tracer:
        for n, action in enumerate(actions):
            if state.round_no == 0 or state.round_over:
                _deal_round(state, setup.seed, deal)
            seat = (state.due & -state.due).bit_length() - 1
            listed = CheckedList()
            game.plain.legal(state, seat, listed)
            if n % max(1, len(actions) // ASKED) == 0:
                with tracer.paused():
                    found.forbade.update(forbidden(game, state, seat, set(listed.listed())))
                found.decisions += 1
            game.plain.apply(state, seat, action)
    found.matches += 1
    found.came_up += tracer.counted
    found.matches_with.update(tracer.counted.keys())


def _deal_round(state: Checked, seed: int, deal: int) -> None:
    """As `play.deal_round` does it."""
    plain(chance.reseed)(state, (seed << 32) + deal, state.round_no)
    plain(next_round)(state)
    plain(chance.reseed)(state, (seed << 32) + deal, PLAY + state.round_no)


def forbidden(game: Game, state: Checked, seat: int, legal: set[int]) -> set[str]:
    """The rules that forbid what a seat cannot do now with cards that it has, or without."""
    own = _own_cards(game, state, seat)
    return {
        game.refusal(state, seat, action.number)
        for action in game.actions.all
        if action.number not in legal and action.words.get("card", "") in own
    }


def _own_cards(game: Game, state: Checked, seat: int) -> set[str]:
    """The codes of all cards that lie before a seat, or in its hand; and none."""
    deck, own = game.layout.deck, {""}
    for zone in game.layout.zones.at(state.players):
        if zone.owner != seat:
            continue
        if zone.family.is_pile:
            card = state.top[zone.index]
            while card >= 0:
                own.add(deck.codes[deck.kind[card]])
                card = state.under[card]
        else:
            for w in range(2):
                bits = state.cards[zone.index, w]
                own |= {deck.codes[deck.kind[64 * w + b]] for b in range(63) if bits >> b & 1}
    return own


class Tracer:
    """Counts how often cited places are reached while it is entered."""

    def __init__(self, cited: Citations) -> None:
        self.counted: Counter[str] = Counter()
        self._cited = cited
        self._files = {file for file, _ in (*cited.lines, *cited.calls)}
        self._traced: dict[CodeType, bool] = {}
        self._before: Any = None

    def __enter__(self) -> "Tracer":
        self._before = sys.gettrace()
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)

    def paused(self) -> "_Paused":
        """Count nothing for a while."""
        return _Paused()

    def _call(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if code not in self._traced:
            self._traced[code] = self._has_cited_lines(code)
        if code.co_filename in self._files:
            for rule in self._cited.calls.get((code.co_filename, code.co_firstlineno), ()):
                self.counted[rule] += 1
        return self._line if self._traced[code] else None

    def _has_cited_lines(self, code: CodeType) -> bool:
        lines = {line for _, _, line in code.co_lines() if line is not None}
        return any((code.co_filename, line) in self._cited.lines for line in lines)

    def _line(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            for rule in self._cited.lines.get((frame.f_code.co_filename, frame.f_lineno), ()):
                self.counted[rule] += 1
        return self._line


class _Paused:
    def __enter__(self) -> None:
        self._tracing = sys.gettrace()
        sys.settrace(None)

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._tracing)
