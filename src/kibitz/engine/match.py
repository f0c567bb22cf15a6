"""A match: a seed and a list of actions. Everything else follows."""

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from kibitz.engine import chance, playout
from kibitz.engine.actions import Secrecy
from kibitz.engine.checked import Checked
from kibitz.engine.errors import BadSave, IllegalAction
from kibitz.engine.game import Game, Settings
from kibitz.engine.glimpse import held_at
from kibitz.engine.moves import new_moves
from kibitz.engine.position import read_position, write_position
from kibitz.engine.view import View, set_of, view

FORMAT = 1


class Mark(NamedTuple):
    """Where a match stood."""

    state: bytes
    moves: int
    rounds: int


class Match:
    """One whole game at a table.

    Seats are numbered from 0. Actions are texts such as `kol r5`; `legal` lists them and `play`
    makes one, or raises `IllegalAction` and changes nothing.
    """

    def __init__(
        self, game: Game, state: Any, settings: Settings, seed: str, position: str | None
    ) -> None:
        self.game = game
        self.state = state
        self._numbers: list[int] = []
        self.settings = settings
        self.seed = seed
        self.log: list[tuple[int, str]] = []
        self.sheet: list[list[dict[str, int]]] = []
        self._start = position
        self._masks: list[frozenset[int]] = []
        self._lists = new_moves()
        self._moves, self._count = self._lists["move"][0], self._lists["count"]
        self._everyone = frozenset(range(self.players))

    @classmethod
    def new(
        cls, game: Game, players: int, seed: int | str | None, options: Mapping[str, object]
    ) -> "Match":
        """Sit down and deal."""
        settings = game.settings(players, options)
        state = game.blank(players, settings)
        seed = secrets.token_hex(16) if seed is None else str(seed)
        playout.start_at(state, 0, *chance.seed_of_move(seed, 0))
        return cls(game, state, settings, seed, None)

    @classmethod
    def at(cls, game: Game, text: str, seed: int | str | None) -> "Match":
        """Take up a written position."""
        state, settings = read_position(game, text)
        seed = secrets.token_hex(16) if seed is None else str(seed)
        return cls(game, state, settings, seed, text)

    @property
    def state(self) -> Any:
        """The state, as an array of one."""
        return self._state

    @state.setter
    def state(self, state: Any) -> None:
        self._state = state
        self._due, self._over = state["due"], state["over"]
        self.players = int(state["players"][0])  # how many seats there are

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that may act now."""
        return set_of(int(self._due[0]))

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self._over[0])

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return int(self.state["round_no"][0])

    @property
    def scores(self) -> list[int]:
        """Each seat's points in the match."""
        return [int(n) for n in self.state["total"][0][: self.players]]

    @property
    def winners(self) -> list[int]:
        """The seats that have won; several share a victory."""
        return sorted(set_of(int(self.state["winners"][0])))

    @property
    def options(self) -> dict[str, object]:
        """The options of this match, as a person would give them."""
        options = self.game.identity.options
        return {name: options[name].write(value) for name, value in self.settings.items()}

    def legal(self, seat: int) -> list[str]:
        """The actions of a seat, as text; none if it is not due."""
        return [self.game.actions.write(a) for a in self.legal_numbers(seat)]

    def legal_numbers(self, seat: int) -> list[int]:
        """The actions of a seat, as numbers."""
        self._check_seat(seat)
        playout.legal_at(self.state, 0, seat, self._lists)
        numbers: list[int] = self._moves[: self._count[0]].tolist()
        return numbers

    def held(self, seat: int) -> list[str]:
        """Those of a seat's actions after which its choice goes on, and can be taken back."""
        legal = [self.game.actions.all[a] for a in self.legal_numbers(seat)]
        steps = self.game.table.steps
        if not any(action.verb.name in steps for action in legal):
            return []
        states = self.game.blank(self.players, self.settings, 2)
        states[0] = self.guess(seat)[0]
        on = np.zeros(len(legal), np.int8)
        held_at(states, seat, self._lists, on)
        return [a.text for a, held in zip(legal, on, strict=True) if held and a.verb.name in steps]

    def play(self, seat: int, action: str) -> None:
        """Make an action, or raise IllegalAction and change nothing."""
        self._check_seat(seat)
        number = self.game.actions.read(action) if isinstance(action, str) else None
        if number is None:
            raise IllegalAction(self._not_an_action(action, seat))
        low, high = chance.seed_of_move(self.seed, len(self.log) + 1)
        became = playout.play_at(self.state, 0, seat, number, low, high, self._lists)
        if became == playout.REFUSED:
            raise self._refuse(seat, number)
        self._numbers.append(number)
        self.log.append((seat, self.game.actions.write(number)))
        self._masks.append(self._who_saw(seat, number))
        if became == playout.ROUND_OVER:
            self._book()

    def play_all(self, seat: int, actions: Sequence[str]) -> Mark:
        """Make all steps of a choice, or raise IllegalAction and change nothing.

        The mark leads back to before.
        """
        mark = self.mark()
        try:
            for action in actions:
                self.play(seat, action)
        except IllegalAction:
            self.back_to(mark)
            raise
        return mark

    def mark(self) -> Mark:
        """Where the match stands now, to come back to."""
        return Mark(self.state.tobytes(), len(self.log), len(self.sheet))

    def back_to(self, mark: Mark) -> None:
        """Take back all that happened since."""
        self.state.view(np.uint8)[:] = np.frombuffer(mark.state, np.uint8)
        del self.log[mark.moves :], self._numbers[mark.moves :], self._masks[mark.moves :]
        del self.sheet[mark.rounds :]

    def preview(self, seat: int, steps: Sequence[str]) -> "Match":
        """The match after some steps of a choice that goes on, as far as the seat can know it."""
        other = self.copy()
        other.state = self.guess(seat)
        for step in steps:
            if step not in other.held(seat):
                other.play(seat, step)
                raise IllegalAction(f"after {step!r} there is no more to choose")
            other.play(seat, step)
        return other

    def view(self, seat: int | None = None) -> View:
        """What a seat may see; None is a spectator."""
        if seat is not None:
            self._check_seat(seat)
        return view(self.game, self.state, seat)

    def guess(self, seat: int) -> Any:
        """A state that fits all that a seat sees, and depends on nothing else: for bots."""
        self._check_seat(seat)
        guess = self.state.copy()
        playout.redeal_at(guess, 0, seat, *chance.seed_of_move("guess", 0))
        return guess

    def history(self, seat: int | None = None) -> list[tuple[int, str]]:
        """The log as a seat may read it: what it did not see stays unsaid.

        A masked action shows its verb alone. A choice that is still sealed is left out.
        """
        told = (self.told(seat, n, self.sealed) for n in range(len(self.log)))
        return [line for line in told if line is not None]

    def told(self, seat: int | None, n: int, sealed: int) -> tuple[int, str] | None:
        """Line n of the log as a seat may read it while all from line `sealed` on is sealed."""
        who, text = self.log[n]
        seen_by = self._masks[n]
        if seat in seen_by or len(seen_by) == self.players:
            return who, text
        if n >= sealed:
            return None
        verb = self.game.actions.all[self._numbers[n]].verb
        return (who, verb.name) if verb.secrecy is Secrecy.MASKED else (who, text)

    @property
    def sealed(self) -> int:
        """From which line of the log on choices are still sealed."""
        n = len(self.log)
        while n and self._is_sealed(n - 1):
            n -= 1
        return len(self.log) if n < len(self.log) and self._is_shown() else n

    def _is_sealed(self, n: int) -> bool:
        return self.game.actions.all[self._numbers[n]].verb.secrecy is Secrecy.SEALED

    def _is_shown(self) -> bool:
        """Whether nothing is sealed any more."""
        zones = self.game.layout.zones
        hiding = [f for f in zones.families.values() if f.within is not None]
        cards = self.state["cards"][0]
        return not any(
            cards[family.first + seat].any() for family in hiding for seat in range(self.players)
        )

    def position(self) -> str:
        """The position as text, to be read back by `kibitz.position`."""
        return write_position(self.game, self.state[0], self.settings)

    def save(self) -> str:
        """The match as readable JSON; `kibitz.load` replays it to the same state."""
        head: dict[str, object] = {
            "kibitz": FORMAT,
            "game": self.game.name,
            "rules": self.game.identity.version,
            "players": self.players,
            "options": self.options,
            "seed": self.seed,
        }
        if self._start is not None:
            head["position"] = self._start
        lines = json.dumps(head, indent=2, ensure_ascii=False)[:-2]
        log = ",\n    ".join(json.dumps(entry, ensure_ascii=False) for entry in self.log)
        return (
            f'{lines},\n  "log": [\n    {log}\n  ]\n}}\n' if log else f'{lines},\n  "log": []\n}}\n'
        )

    def copy(self) -> "Match":
        """The same match, to be played on by itself."""
        other = Match(self.game, self.state.copy(), self.settings, self.seed, self._start)
        other.log, other._numbers = self.log.copy(), self._numbers.copy()
        other.sheet, other._masks = self.sheet.copy(), self._masks.copy()
        return other

    def rewound(self, moves: int) -> "Match":
        """The match as it was after so many moves."""
        if self._start is not None:
            match = Match.at(self.game, self._start, self.seed)
        else:
            match = Match.new(self.game, self.players, self.seed, self.options)
        for seat, action in self.log[:moves]:
            match.play(seat, action)
        return match

    def checked(self) -> Checked:
        """The present state for play in plain Python."""
        return Checked(self.game.layout, self.game.plain, self.state[0])

    def _check_seat(self, seat: int) -> None:
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.players:
            raise IllegalAction(f"there is no seat {seat!r}; seats are 0 to {self.players - 1}")

    def _refuse(self, seat: int, number: int) -> IllegalAction:
        rule = self.game.refusal(self.checked(), seat, number)
        if rule is None:
            raise AssertionError(f"{self.game.name}: no rule forbids {number}, yet it is not legal")
        return IllegalAction(self.game.texts.say("en", f"reasons.{rule}"), rule)

    def _not_an_action(self, action: object, seat: int) -> str:
        if not isinstance(action, str):
            return f"an action is a text, not {action!r}"
        texts = self.legal(seat)
        like = self.game.actions.like(action, texts) or texts[:3]
        hint = f"; try {', '.join(like)}" if like else ""
        return f"{self.game.identity.title} has no action {action[:40]!r}{hint}"

    def _who_saw(self, seat: int, number: int) -> frozenset[int]:
        """The seats that saw the cards of the action just made."""
        secrecy = self.game.actions.all[number].verb.secrecy
        if secrecy is Secrecy.OPEN:
            return self._everyone
        if secrecy is Secrecy.SEALED:
            return frozenset([seat])
        return set_of(int(self.state["told"][0])) | {seat}

    def _book(self) -> None:
        """Write the score sheet of the round that has ended."""
        gain, parts = self.state["gain"][0], self.game.layout.parts
        self.sheet.append(
            [
                {part: int(gain[seat, i]) for i, part in enumerate(parts)}
                for seat in range(self.players)
            ]
        )


def load(text: str, find: Callable[[str], Game]) -> Match:
    """A saved match, replayed."""
    saved = _read_save(text)
    game = find(saved["game"])
    if saved["rules"] != game.identity.version:
        raise BadSave(
            f"this match was played with version {saved['rules']} of the rules of "
            f"{game.identity.title}; these are version {game.identity.version}"
        )
    if "position" in saved:
        match = Match.at(game, saved["position"], saved["seed"])
    else:
        match = Match.new(game, saved["players"], saved["seed"], saved["options"])
    for n, entry in enumerate(saved["log"], 1):
        try:
            seat, action = entry
            match.play(seat, action)
        except (IllegalAction, TypeError, ValueError) as error:
            raise BadSave(f"move {n} of the saved match cannot be played: {error}") from None
    return match


_SHAPE: dict[str, type] = {
    "game": str, "rules": int, "players": int, "options": dict, "seed": str, "log": list,
}  # fmt: skip


def _read_save(text: str) -> dict[str, Any]:
    """The parts of a saved match, each of the right type."""
    try:
        saved = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise BadSave("this is no saved match: it is not JSON") from None
    if not isinstance(saved, dict) or "kibitz" not in saved:
        raise BadSave("this is no saved match: it was not written by Kibitz")
    if saved["kibitz"] != FORMAT:
        raise BadSave(f"this save has format {saved['kibitz']!r}; this Kibitz reads {FORMAT}")
    for name, expected in _SHAPE.items():
        if type(saved.get(name)) is not expected:
            raise BadSave(f"this save is damaged: {name!r} is missing or of the wrong type")
    if "position" in saved and not isinstance(saved["position"], str):
        raise BadSave("this save is damaged: 'position' is not a text")
    return saved
