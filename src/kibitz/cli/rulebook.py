"""Games and their rulebooks, in the terminal."""

import re

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from kibitz.cli.words import Words
from kibitz.engine.errors import KibitzError
from kibitz.engine.game import Choice, Flag, Number, Option
from kibitz.games import find, names

MARKUP = re.compile(r"\*\*(?P<bold>[^*]+)\*\*|`(?P<code>[^`]+)`|\{(?P<card>[^}]+)\}")
RULE = re.compile(r"^- \*\*([A-Z]+-[A-Z]+\d+)\*\*")


def list_games(lang: str) -> int:
    """A paragraph for each game found."""
    console = Console(highlight=False)
    for name in names():
        game = find(name)
        seats = game.identity.seats
        head = Text(f"{name}  ", style="bold green")
        head.append(f"{game.texts.say(lang, 'title')} · {seats[0]}–{seats[-1]}", style="bold")
        console.print(head)
        console.print(Padding(game.texts.say(lang, "tagline"), (0, 0, 0, 2)))
        for option, kind in game.identity.options.items():
            label = game.texts.say(lang, f"options.{option}")
            console.print(Padding(Text(f"{option}: {label}, {_range(kind)}", "dim"), (0, 0, 0, 2)))
    return 0


def _range(option: Option) -> str:
    match option:
        case Number(default, low, high):
            return f"{low}–{high} ({default})"
        case Choice(words, default):
            return f"{' / '.join(words)} ({words[default]})"
        case Flag(default):
            return f"yes / no ({'yes' if default else 'no'})"


def print_rules(name: str, rule: str | None, lang: str) -> int:
    """A rulebook page, or one rule of it."""
    game = find(name)
    show_rules(Console(highlight=False), Words(game, lang, []), rule)
    return 0


def show_rules(console: Console, words: Words, rule: str | None) -> None:
    """Print a rulebook page, or one rule of it."""
    page = (words.game.folder / "rulebook" / f"{words.lang}.md").read_text("utf-8")
    lines = page.splitlines()
    if rule is not None:
        lines = _one_rule(words, lines, rule.strip().upper())
    for line in lines:
        if line.startswith("#"):
            console.print(Text(line.lstrip("# "), style="bold underline"))
        elif line.lstrip().startswith("> "):
            ruling = Text(f"{words.table('ruling')}: ", style="italic cyan")
            ruling.append_text(_marked_up(words, line.lstrip()[2:]))
            console.print(Padding(ruling, (0, 0, 0, 4)))
        elif line.startswith("- "):
            console.print(Padding(_marked_up(words, line[2:]), (0, 0, 0, 2)))
        else:
            console.print(_marked_up(words, line))


def _one_rule(words: Words, lines: list[str], rule: str) -> list[str]:
    prefix = f"{words.game.name.upper()}-"
    wanted = rule if rule.startswith(prefix) else prefix + rule
    ids = []
    for i, line in enumerate(lines):
        if found := RULE.match(line):
            ids.append(found[1])
            if found[1] == wanted:
                ruling = lines[i + 1 : i + 2]
                return [line, *(r for r in ruling if r.startswith("  > "))]
    raise KibitzError(f"{words.game.identity.title} has no rule {wanted}; it has {', '.join(ids)}")


def _marked_up(words: Words, line: str) -> Text:
    """A line of the rulebook with its bold words, codes and cards."""
    text, at = Text(), 0
    for found in MARKUP.finditer(line):
        text.append(line[at : found.start()])
        if found["bold"]:
            text.append(found["bold"], style="bold")
        elif found["code"]:
            text.append(found["code"], style="bold cyan")
        elif found["card"] in words.game.layout.deck.codes:
            text.append_text(words.card(found["card"]))
        else:
            text.append(found[0])
        at = found.end()
    text.append(line[at:])
    return text
