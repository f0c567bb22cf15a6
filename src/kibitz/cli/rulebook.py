"""Games and their rulebooks, in the terminal."""

import re
import sys

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from kibitz.cli.inks import inked
from kibitz.engine.errors import KibitzError
from kibitz.engine.options import Choice, Flag, Number, Option
from kibitz.games import find, problems, sound
from kibitz.texts.phrasebook import Phrasebook
from kibitz.texts.rulebook import Block, read_rulebook

MARKUP = re.compile(r"\*\*(?P<bold>[^*]+)\*\*|`(?P<code>[^`]+)`|\{(?P<card>[^}]+)\}")


def list_games(lang: str) -> int:
    """A paragraph for each game found; of one that is broken, what is wrong with it."""
    console = Console(highlight=False)
    found, wrong = sound()
    for name in found:
        console.print(_about(name, lang))
    for line in [*problems(), *wrong]:
        print(f"kibitz: {line}", file=sys.stderr)
    return 0


def _about(name: str, lang: str) -> Group:
    game = find(name)
    few, many = game.identity.seats[0], game.identity.seats[-1]
    players = f"{few}–{many}" if few != many else f"{few}"
    head = Text(f"{name}  ", style="bold green")
    head.append(f"{game.texts.say(lang, 'title')} · {players}", style="bold")
    lines = [Text(game.texts.say(lang, "tagline"))]
    for option, kind in game.identity.options.items():
        label = game.texts.say(lang, f"options.{option}")
        lines.append(Text(f"{option}: {label}, {_range(kind)}", "dim"))
    return Group(head, *(Padding(line, (0, 0, 0, 2)) for line in lines))


def _range(option: Option) -> str:
    match option:
        case Number(default, low, high):
            return f"{low}–{high} ({default})"
        case Choice(words, default):
            return f"{' / '.join(words)} ({words[default]})"
        case Flag(default):
            return f"yes / no ({'yes' if default else 'no'})"


def print_rules(name: str, rule: str | None, lang: str, *, ids: bool) -> int:
    """A rulebook page, or one rule of it."""
    console, words = Console(highlight=False), Phrasebook(find(name), lang, [])
    show_rules(console, words, rule, ids=ids)
    if rule is None and not ids:
        console.print()
        console.print(Text(words.table("with_ids", command=f"kibitz rules {name} --ids"), "dim"))
    return 0


def show_rules(console: Console, words: Phrasebook, rule: str | None, *, ids: bool = False) -> None:
    """Print a rulebook page, or one rule of it; rulings and ids only where they are asked for."""
    blocks = read_rulebook(words.game.folder, words.lang)
    if rule is not None:
        blocks, ids = _one_rule(words, blocks, rule.strip().upper()), True
    step = 0
    for block in blocks:
        text = _marked_up(words, block.text)
        if block.kind == "heading":
            console.print()
            console.print(Text(block.text, style="bold underline"))
        elif block.kind == "step":
            step += 1
            console.print(_item(f"{step}.", text))
        elif block.kind == "rule":
            console.print(_item(block.id if ids and block.id else "•", text))
        elif block.kind == "ruling" and ids:
            ruling = Text(f"{words.table('ruling')} ", style="italic cyan")
            console.print(Padding(ruling.append_text(text), (0, 0, 0, 4)))
        elif block.kind == "text":
            console.print(text)


def _item(mark: str, text: Text) -> Grid:
    """A list's item, whose lines stand below each other."""
    grid = Grid.grid(padding=(0, 1))
    grid.add_row(Text(f" {mark}", style="bold"), text)
    return grid


def _one_rule(words: Phrasebook, blocks: list[Block], rule: str) -> list[Block]:
    prefix = f"{words.game.name.upper()}-"
    wanted = rule if rule.startswith(prefix) else prefix + rule
    found = [block for block in blocks if block.id == wanted]
    if not found:
        ids = ", ".join(block.id or "" for block in blocks if block.kind == "rule")
        raise KibitzError(f"{words.game.identity.title} has no rule {wanted}; it has {ids}")
    return found


def _marked_up(words: Phrasebook, line: str) -> Text:
    """A line of the rulebook with its bold words, codes and cards."""
    text, at = Text(), 0
    for found in MARKUP.finditer(line):
        text.append(line[at : found.start()])
        if found["bold"]:
            text.append(found["bold"], style="bold")
        elif found["code"]:
            text.append(found["code"], style="bold cyan")
        elif found["card"] in words.game.layout.deck.codes:
            text.append_text(inked(words.game, [found["card"]]))
        else:
            text.append(found[0])
        at = found.end()
    text.append(line[at:])
    return text
