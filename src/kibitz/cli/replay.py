"""A saved match, told line by line."""

import argparse

from rich.console import Console
from rich.text import Text

import kibitz
from kibitz.cli.files import read_match
from kibitz.cli.screen import draw_end, draw_sheet, draw_table
from kibitz.engine.errors import BadOption
from kibitz.texts.names import BOT_NAMES
from kibitz.texts.phrasebook import Phrasebook


def replay(args: argparse.Namespace) -> int:
    """Tell a match, or show the table after one of its lines."""
    match = read_match(args.file)
    if args.seat is not None and not 0 <= args.seat < match.players:
        raise BadOption(f"there is no seat {args.seat}; seats are 0 to {match.players - 1}")
    console = Console(highlight=False)
    words = Phrasebook(match.game, args.lang, BOT_NAMES[: match.players])
    if args.at is not None:
        draw_table(console, words, _rewound(match, args.at).view(args.seat))
        return 0
    _tell(console, words, match, args.seat)
    return 0


def _rewound(match: kibitz.Match, line: int) -> kibitz.Match:
    last = len(match.done) - 1
    if not 0 <= line <= last:
        raise BadOption(f"--at is from 0 to {last}, the lines of this match, not {line}")
    return match.rewound(line + 1)


def _tell(console: Console, words: Phrasebook, match: kibitz.Match, seat: int | None) -> None:
    round_ = 0
    for n in range(len(match.done)):
        line = match.line(n, seat)
        if line is None:
            continue
        if line.seat is None:
            round_ += 1
            console.print(Text(words.table("round", n=str(round_)), style="bold"))
        for sentence in words.sentences(line):
            console.print(Text(f"{n:>5}  {sentence}"))
        if any(event.name == "scored" for event in line.events) and round_ <= len(match.sheet):
            draw_sheet(console, words, match, round_, line.events)
    if match.over:
        draw_end(console, words, match)
    else:
        draw_table(console, words, match.view(seat))
