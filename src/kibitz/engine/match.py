"""A match: a seed and a list of actions. Everything else follows."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from kibitz.engine import border, chance
from kibitz.engine.action_list import new_list
from kibitz.engine.actions import Secrecy, Verb
from kibitz.engine.checked import Checked
from kibitz.engine.errors import BadSave, IllegalAction, UnfinishedChoice
from kibitz.engine.game import Game
from kibitz.engine.log import DEAL, Done, Line, event_columns, line, raw_events
from kibitz.engine.options import Settings
from kibitz.engine.position import read_position, write_position
from kibitz.engine.save import read_save, write_save
from kibitz.engine.view import View, set_of, view


def bytes_of(state: Any) -> memoryview:
    """The memory of a state (an array of one)."""
    memory: memoryview = state.view(np.uint8).data
    return memory


def _number(record: Any, field: str) -> memoryview:
    """One number of a state (an array of one), to be read and changed."""
    return memoryview(record[field])


Sheet = list[list[dict[str, int]]]  # by round, by seat, by part of the score


FAR = 64  # lines between two states that are kept


class _Kept(NamedTuple):
    """How a match stood after so many lines and rounds."""

    lines: int
    rounds: int
    state: bytes


class Match:
    """One whole game at a table.

    Seats are numbered from 0. Actions are texts such as `kol r5`; `legal` lists them and `play`
    makes one, or raises `IllegalAction` and changes nothing. When a round is over nobody is due
    until `next_round` deals the next one.
    """

    def __init__(
        self, game: Game, state: Any, settings: Settings, seed: str, position: str | None
    ) -> None:
        self.game, self.settings, self.seed = game, settings, seed
        self._chance = chance.Luck(seed)
        # A reporting state, and the same memory looked at as a plain one.
        self._record = np.zeros(1, game.layout.reporting)
        self._state: Any = np.ndarray((1,), game.layout.dtype, self._record)
        # Its bytes can be copied a hundred times as fast as its fields.
        self._bytes = bytes_of(self._state)
        self._bytes[:] = bytes_of(state)
        # Looked at so often that it pays not to ask numpy each time.
        self._due, self._events = _number(self._record, "due"), _number(self._record, "events")
        self._over = _number(self._record, "over")
        self._round_over = _number(self._record, "round_over")
        self._event_columns = event_columns(self._record)
        self.players = int(state["players"][0])  # how many seats there are
        self.done: list[Done] = []
        self.sheet: Sheet = []
        self.start = position  # the position that it began with, if it was not dealt
        self._past = 0  # how much had been done before a trial began
        self._kept: list[_Kept] = []  # how it stood now and then: see `rewound`
        self._spare: Match | None = None  # the last trial, which nobody needs any more
        self._use(new_list())
        self._everyone = frozenset(range(self.players))

    @classmethod
    def new(
        cls, game: Game, players: int, seed: int | str | None, options: Mapping[str, object]
    ) -> "Match":
        """Sit down and deal."""
        settings = game.settings(players, options)
        seed = secrets.token_hex(16) if seed is None else str(seed)
        match = cls(game, game.blank(players, settings), settings, seed, None)
        match._deal()
        return match

    @classmethod
    def at(cls, game: Game, text: str, seed: int | str | None) -> "Match":
        """Take up a written position."""
        state, settings = read_position(game, text)
        seed = secrets.token_hex(16) if seed is None else str(seed)
        return cls(game, state, settings, seed, text)

    @classmethod
    def load(cls, text: str, find: Callable[[str], Game]) -> "Match":
        """A saved match, replayed to the state in which it was saved."""
        saved = read_save(text)
        game, log = find(saved["game"]), saved["log"]
        if saved["rules"] != game.identity.version:
            raise BadSave(
                f"this match was played with version {saved['rules']} of the rules of "
                f"{game.identity.title}; these are version {game.identity.version}"
            )
        if "position" in saved:
            match = cls.at(game, saved["position"], saved["seed"])
        else:
            match = cls.new(game, saved["players"], saved["seed"], saved["options"])
            if log[:1] != [[None, DEAL]]:
                raise BadSave("this save is damaged: its log does not begin with a deal")
        for n in range(len(match.done), len(log)):
            try:
                seat, text = log[n]
                match.repeat(seat, text)
            except (IllegalAction, TypeError, ValueError) as error:
                raise BadSave(f"line {n} of the saved match cannot be played: {error}") from None
        return match

    # ---- how it stands

    @property
    def state(self) -> Any:
        """The state, as an array of one."""
        return self._state

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that may act now."""
        return set_of(self._due[0])

    @property
    def round_over(self) -> bool:
        """Whether a round has ended and the next has not been dealt."""
        return self._round_over[0] != 0

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._over[0] != 0

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return int(self._record["round_no"][0])

    @property
    def scores(self) -> list[int]:
        """Each seat's points in the match."""
        return [int(n) for n in self._record["total"][0][: self.players]]

    @property
    def winners(self) -> list[int]:
        """The seats that have won; several share a victory."""
        return sorted(set_of(int(self._record["winners"][0])))

    @property
    def options(self) -> dict[str, object]:
        """The options of this match, as a person would give them."""
        return self.game.written(self.settings)

    def view(self, seat: int | None = None) -> View:
        """What a seat may see; None is a spectator."""
        if seat is not None:
            self._check_seat(seat)
        return view(self.game, self._state, seat)

    def sample_world(self, seat: int) -> Any:
        """A state that fits all that a seat sees, and depends on nothing else: for bots."""
        self._check_seat(seat)
        world = self._state.copy()
        border.redeal_at(world, 0, seat, *chance.seed_of_move("sample", 0))
        return world

    def checked(self) -> Checked:
        """The present state for play in plain Python."""
        return Checked(self.game.layout, self.game.plain, self._record[0])

    # ---- what can be done

    def legal(self, seat: int) -> list[str]:
        """The actions of a seat, as text; none if it is not due."""
        return [self.game.actions.write(a) for a in self.legal_numbers(seat)]

    def legal_numbers(self, seat: int) -> list[int]:
        """The actions of a seat, as numbers."""
        self._check_seat(seat)
        border.legal_at(self._state, 0, seat, self._lists)
        numbers: list[int] = self._actions[: self._count.item()].tolist()
        return numbers

    def verb(self, action: str) -> Verb | None:
        """The verb of an action."""
        number = self.game.actions.read(action)
        return None if number is None else self.game.actions.all[number].verb

    def play(self, seat: int, action: str) -> None:
        """Make an action, or raise IllegalAction and change nothing."""
        self._check_seat(seat)
        number = self.game.actions.read(action) if isinstance(action, str) else None
        if number is None:
            raise IllegalAction(self._not_an_action(action, seat))
        if not border.is_legal_at(self._state, 0, seat, number, self._lists):
            raise self._refuse(seat, number)
        self._keep()
        self._events[0] = 0
        border.apply_at(self._record, 0, seat, number, *self._luck())
        self._note(seat, number, self._who_saw(seat, number))
        if self.round_over:
            self._book()

    def play_all(self, seat: int, actions: Sequence[str]) -> None:
        """Make a choice of one or more actions."""
        for action in actions:
            self.play(seat, action)

    def next_round(self) -> None:
        """Deal the next round, when one is over."""
        if not self.round_over or self.over:
            raise IllegalAction("the next round is dealt when this one is over")
        self._deal()

    def stop(self) -> None:
        """End the match here, as all have agreed: nobody is due, and nobody has won."""
        self._due[0], self._over[0] = 0, 1

    def try_choice(self, seat: int, actions: Sequence[str]) -> "Match":
        """The match after a whole choice, or IllegalAction; this match stays as it is.

        All actions but the last one are steps after which a choice goes on, the last one is not. So
        nobody can find out what an action would bring, and have it refused for what comes after.
        """
        after = self._trial()
        for n, action in enumerate(actions):
            after.play(seat, action)
            verb = self.game.actions.all[after.done[-1].action].verb
            if verb.continues and n == len(actions) - 1:
                raise UnfinishedChoice(f"after {action!r} the choice goes on; make all of it")
            if not verb.continues and n < len(actions) - 1:
                raise IllegalAction(f"after {action!r} there is no more to choose")
        return after

    def adopt(self, after: "Match") -> None:
        """Let a choice have been made that `try_choice` has tried; nobody may use `after` again."""
        if (after.seed, after._past) != (self.seed, self._past + len(self.done)):
            raise ValueError("this was not tried on the match as it stands")
        self._keep()
        self._bytes[:] = after._bytes
        self.done += after.done
        self.sheet += after.sheet
        self._spare = after

    def preview(self, seat: int, steps: Sequence[str]) -> "Match":
        """The match after some steps of a choice that goes on, as far as the seat can know it."""
        after = self._trial(self.sample_world(seat))
        for step in steps:
            after.play(seat, step)
            verb = after.verb(step)
            if verb is None or not verb.continues:
                raise IllegalAction(f"after {step!r} there is no more to choose")
        return after

    # ---- what has happened

    @property
    def log(self) -> list[tuple[int | None, str]]:
        """Who did what; a round is dealt by nobody."""
        return [(done.seat, done.text) for done in self.done]

    def line(self, n: int, viewer: int | None) -> Line | None:
        """Line n of the log as a viewer (None: a spectator) may read it, if at all."""
        return line(self.game, self.done[n], viewer)

    def history(self, viewer: int | None = None) -> list[Line]:
        """The log as a viewer may read it: what it did not see stays unsaid."""
        lines = (self.line(n, viewer) for n in range(len(self.done)))
        return [line for line in lines if line is not None]

    def position(self) -> str:
        """The position as text, to be read back by `kibitz.position`."""
        return write_position(self.game, self._state[0], self.settings)

    def save(self) -> str:
        """The match as readable JSON; `kibitz.load` replays it to the same state."""
        head: dict[str, object] = {
            "game": self.game.name,
            "rules": self.game.identity.version,
            "players": self.players,
            "options": self.options,
            "seed": self.seed,
        }
        if self.start is not None:
            head["position"] = self.start
        return write_save(head, self.log)

    def copy(self) -> "Match":
        """The same match, to be played on by itself."""
        other = Match(self.game, self._state, self.settings, self.seed, self.start)
        other.done, other.sheet, other._past = self.done.copy(), self.sheet.copy(), self._past
        return other

    def in_world(self, state: Any) -> "Match":
        """The same match, played on by itself from another state, such as a sampled world."""
        other = self.copy()
        other._bytes[:] = bytes_of(state)
        return other

    def rewound(self, lines: int) -> "Match":
        """The match as it was after so many lines of its log; the first deal always stays."""
        kept = [at for at in self._kept if at.lines <= lines]
        if kept:
            match = Match(self.game, self._state, self.settings, self.seed, self.start)
            match._bytes[:] = kept[-1].state
            match.done, match.sheet = self.done[: kept[-1].lines], self.sheet[: kept[-1].rounds]
            match._kept = kept
        elif self.start is not None:
            match = Match.at(self.game, self.start, self.seed)
        else:
            match = Match.new(self.game, self.players, self.seed, self.options)
        for done in self.done[len(match.done) : lines]:
            match.repeat(done.seat, done.text)
        return match

    def repeat(self, seat: int | None, text: str) -> None:
        """Do what a line of a log says."""
        if seat is not None:
            self.play(seat, text)
        elif text == DEAL:
            self.next_round()
        else:
            raise IllegalAction(f"nobody but a seat can do {text!r}")

    # ---- within

    def _trial(self, state: Any = None) -> "Match":
        """A match to try something in; it has no past, but the same luck."""
        trial, self._spare = self._spare, None
        if trial is None:
            trial = Match(self.game, self._state, self.settings, self.seed, self.start)
            trial._use(self._lists)  # which are near, having been used just now
        trial._bytes[:] = self._bytes if state is None else bytes_of(state)
        trial.done, trial.sheet, trial._kept = [], [], []
        trial._past = self._past + len(self.done)
        return trial

    def _use(self, lists: Any) -> None:
        """Have legal actions listed there."""
        self._lists = lists
        self._count, self._actions = lists["count"], lists["action"][0]

    def _keep(self) -> None:
        """Before something is done, remember how the match stands, if much was done since."""
        lines = len(self.done) - (self._kept[-1].lines if self._kept else 0)
        if lines >= FAR:
            self._kept.append(_Kept(len(self.done), len(self.sheet), bytes(self._bytes)))

    def _luck(self) -> tuple[int, int]:
        return self._chance.of_move(self._past + len(self.done))

    def _deal(self) -> None:
        self._events[0] = 0
        border.next_round_at(self._record, 0, *self._luck())
        self._note(None, -1, self._everyone)

    def _note(self, seat: int | None, number: int, seen_by: frozenset[int]) -> None:
        text = DEAL if seat is None else self.game.actions.write(number)
        events = raw_events(self._event_columns, self._events[0])
        self.done.append(Done(seat, text, number, seen_by, events))

    def _check_seat(self, seat: int) -> None:
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.players:
            raise IllegalAction(f"there is no seat {seat!r}; seats are 0 to {self.players - 1}")

    def _refuse(self, seat: int, number: int) -> IllegalAction:
        if self.round_over and not self.over:
            return IllegalAction("the round is over; the next one has not been dealt yet")
        rule = self.game.refusal(self.checked(), seat, number)
        return IllegalAction(self.game.texts.say("en", f"reasons.{rule}"), rule)

    def _not_an_action(self, action: object, seat: int) -> str:
        if not isinstance(action, str):
            return f"an action is a text, not {action!r}"
        texts = self.legal(seat)
        like = self.game.actions.like(action, texts) or texts[:3]
        hint = f"; try {', '.join(like)}" if like else ""
        return f"{self.game.identity.title} has no action {action[:40]!r}{hint}"

    def _who_saw(self, seat: int, number: int) -> frozenset[int]:
        """The seats that saw all of the action just made."""
        secrecy = self.game.actions.all[number].verb.secrecy
        if secrecy is Secrecy.OPEN:
            return self._everyone
        if secrecy is Secrecy.SEALED:
            return frozenset([seat])
        return set_of(int(self._record["witnesses"][0])) | {seat}

    def _book(self) -> None:
        """Write the score sheet of the round that has ended."""
        gain, parts = self._record["gain"][0], self.game.layout.parts
        self.sheet.append(
            [
                {part: int(gain[seat, i]) for i, part in enumerate(parts)}
                for seat in range(self.players)
            ]
        )
