"""The table in the terminal: one person against bots."""

import argparse
import random
from pathlib import Path

from rich.columns import Columns
from rich.console import Console
from rich.text import Text

import kibitz
from kibitz.bots.inference import Onlooker
from kibitz.bots.kibitzer import explained, think
from kibitz.bots.levels import Level, level
from kibitz.cli.files import last_match, read_match, write_match
from kibitz.cli.rulebook import show_rules
from kibitz.cli.screen import LEAVE, draw_end, draw_sheet, draw_table
from kibitz.engine.errors import BadOption, IllegalAction, KibitzError
from kibitz.games import find, sound
from kibitz.texts import shared
from kibitz.texts.names import BOT_NAMES
from kibitz.texts.phrasebook import Phrasebook, percent

HINT_SECONDS = 1.0


class Leave(Exception):
    """The player wants to leave."""


def play(args: argparse.Namespace) -> int:
    """Play a match to its end, or until the player leaves."""
    console = Console(highlight=False)
    match = _sit_down(console, args)
    if not 0 <= args.seat < match.players:
        raise BadOption(f"there is no seat {args.seat}; seats are 0 to {match.players - 1}")
    sitting = list(BOT_NAMES[: match.players])
    sitting[args.seat] = args.name or shared(args.lang, "table.guest")
    bots = [level(name) for name in args.bots.split(",")]
    words = Phrasebook(match.game, args.lang, sitting)
    table = TerminalTable(console, match, args.seat, words, bots)
    try:
        table.run()
    except (Leave, KeyboardInterrupt, EOFError):
        return table.leave()
    return 0


def _sit_down(console: Console, args: argparse.Namespace) -> kibitz.Match:
    if args.resume:
        return read_match(args.resume)
    name = args.game or _ask_for_game(console, args.lang)
    usual = find(name).identity.usual_players
    players = usual if args.players is None else args.players
    options: dict[str, object] = {}
    for item in args.option:
        option, equals, value = item.partition("=")
        if not equals:
            raise BadOption(f"write an option as NAME=VALUE, not {item!r}")
        options[option] = value
    return kibitz.new(name, players=players, seed=args.seed, **options)


def _ask_for_game(console: Console, lang: str) -> str:
    found, wrong = sound()
    for problem in wrong:
        console.print(Text(f"kibitz: {problem}", style="dim"))
    for i, name in enumerate(found, 1):
        texts = find(name).texts
        line = Text(f"{i:>3}  ", style="cyan")
        line.append(texts.say(lang, "title"), style="bold")
        line.append(f" · {texts.say(lang, 'tagline')}", style="dim")
        console.print(line)
    while True:
        try:
            answer = console.input(f"{shared(lang, 'table.pick_game')} ").strip().lower()
        except EOFError:
            raise KeyboardInterrupt from None
        if answer in found:
            return answer
        if answer.isdigit() and 1 <= int(answer) <= len(found):
            return found[int(answer) - 1]
        console.print(Text(shared(lang, "table.unknown", text=answer)))


class TerminalTable:
    """A match, the seat of a person, and bots at the other seats."""

    def __init__(
        self,
        console: Console,
        match: kibitz.Match,
        seat: int,
        words: Phrasebook,
        bots: list[Level],
    ) -> None:
        self.console, self.match, self.seat, self.words = console, match, seat, words
        self.bots = [bots[(p - seat - 1) % match.players % len(bots)] for p in range(match.players)]
        self.rng = random.Random(match.seed)
        self.onlooker = Onlooker(match)
        self.told = len(match.done)

    def run(self) -> None:
        """Until the match is over."""
        if self.match.round_over and not self.match.over:
            self._pause()
        while not self.match.over:
            if self.seat in self.match.to_act:
                self._person()
            else:
                self._bot(min(self.match.to_act))
            self._tell()
            if self.match.round_over and not self.match.over:
                self._pause()
        draw_end(self.console, self.words, self.match)

    def leave(self) -> int:
        """Keep an unfinished match, and say how to go on with it."""
        file = last_match(self.match.game.name)
        self.console.print()
        self._save(file)
        self.console.print(self.words.table("goodbye"))
        return 0

    def _bot(self, seat: int) -> None:
        bot, seed = self.bots[seat], self.rng.getrandbits(60)
        self.match.play(seat, bot.action(self.match, seat, seed, self.onlooker))

    def _tell(self) -> None:
        """What has happened since; when a round has ended, the table as it lies, and the scores."""
        for n in range(self.told, len(self.match.done)):
            line = self.match.line(n, self.seat)
            if line is None:
                continue
            for sentence in self.words.sentences(line):
                self.console.print(Text(f"  {sentence}", style="dim"))
        self.told = len(self.match.done)
        if self.match.round_over:
            draw_table(self.console, self.words, self.match.view(self.seat))
            last = self.match.line(len(self.match.done) - 1, self.seat)
            events = () if last is None else last.events
            draw_sheet(self.console, self.words, self.match, len(self.match.sheet), events)

    def _pause(self) -> None:
        """The round is over: go on when the player has seen enough."""
        while True:
            line = self.console.input(f"{self.words.table('go_on')} > ").strip()
            if not self._aside(line):
                break
        self.match.next_round()
        self._tell()

    def _person(self) -> None:
        view = self.match.view(self.seat)
        draw_table(self.console, self.words, view)
        legal = self.match.legal(self.seat)
        prompt = Text(self.words.prompt(view.fields, legal), style="bold")
        for name, n in self.words.figures(view, self.seat):
            prompt.append(f"   {name} {n}", style="cyan")
        self.console.print(prompt)
        self._list(legal)
        while not self._answer(legal):
            pass

    def _list(self, legal: list[str]) -> None:
        choices = []
        for i, text in enumerate(legal, 1):
            line = Text(f"{i:>3} ", style="cyan")
            line.append(f"{self.words.label(text, self.seat)} ")
            line.append(text, style="dim")
            choices.append(line)
        self.console.print(Columns(choices, padding=(0, 3), column_first=True))

    def _answer(self, legal: list[str]) -> bool:
        """One line of the player's; whether an action was made."""
        line = self.console.input(f"{self.words.table('choose')} > ").strip()
        if self._aside(line):
            return False
        if line.isascii() and line.isdigit() and not 1 <= int(line) <= len(legal):
            self.console.print(Text(self.words.table("unknown", text=line)))
            return False
        if not line and len(legal) > 1:
            return False
        return self._play(legal[int(line or 1) - 1] if not line or line.isdigit() else line)

    def _aside(self, line: str) -> bool:
        """Whether a line asks for something beside the match; it is done."""
        word, _, rest = line.partition(" ")
        if word in LEAVE:
            raise Leave
        if word in ("?", "help"):
            self._help(rest)
        elif word == "card":
            self._explain(rest)
        elif word == "hint":
            self._hint()
        elif word == "log":
            for past in self.match.history(self.seat):
                for sentence in self.words.sentences(past):
                    self.console.print(Text(f"  {sentence}"))
        elif word == "save":
            self._save(Path(rest.strip() or last_match(self.match.game.name)))
        else:
            return False
        return True

    def _play(self, action: str) -> bool:
        try:
            self.match.play(self.seat, action)
        except IllegalAction as refusal:
            reason = refusal.reason
            if refusal.rule:
                reason = f"{self.words.say(f'reasons.{refusal.rule}')} ({refusal.rule})"
            refused = self.words.table("refused", reason=reason)
            self.console.print(Text(refused, style="yellow"))
            return False
        return True

    def _hint(self) -> None:
        """The three actions that the kibitzer likes best."""
        try:
            thoughts = think(self.match, self.seat, HINT_SECONDS)
            *_, thought = explained(self.match, thoughts)
        except KibitzError as error:
            self.console.print(Text(str(error), style="yellow"))
            return
        for opinion in thought.opinions[:3]:
            line = Text(f"  {percent(opinion.chance):>4} ±{percent(opinion.error)}  ", style="cyan")
            line.append(f"{self.words.label(opinion.action, self.seat)} ")
            line.append(opinion.action, style="dim")
            self.console.print(line)
        if thought.claims:
            self.console.print(Text(f"  {self.words.why(thought.claims, self.seat)}"))

    def _explain(self, code: str) -> None:
        deck = self.match.game.layout.deck
        kind = deck.index.get(code.strip().lower())
        if kind is None:
            self.console.print(Text(self.words.table("which_card", code=deck.codes[0])))
            return
        name, what = self.words.card(deck.codes[kind]), self.words.explain(deck.codes[kind])
        self.console.print(Text(self.words.table("about_card", card=name, what=what)))

    def _help(self, rule: str) -> None:
        try:
            show_rules(self.console, self.words, rule or None)
            if not rule:  # after the rules, which fill more than a screen
                self.console.print()
                self.console.print(Text(self.words.table("help")))
        except KibitzError as error:
            self.console.print(Text(str(error), style="yellow"))

    def _save(self, file: Path) -> None:
        try:
            write_match(self.match, file)
        except KibitzError as error:
            self.console.print(Text(str(error), style="yellow"))
            return
        command = f"kibitz play --resume {file}" + (f" --seat {self.seat}" if self.seat else "")
        saved = self.words.table("saved", file=str(file), command=command)
        self.console.print(Text(saved), soft_wrap=True)  # a command is copied whole
