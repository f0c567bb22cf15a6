"""A saved match, told move by move."""

import argparse

from rich.console import Console
from rich.text import Text

import kibitz
from kibitz.cli.files import read_match
from kibitz.cli.screen import draw_end, draw_sheet, draw_table
from kibitz.cli.words import Words
from kibitz.engine.errors import BadOption
from kibitz.texts.names import BOT_NAMES


def replay(args: argparse.Namespace) -> int:
    """Tell a match, or show the table after one of its moves."""
    match = read_match(args.file)
    if args.seat is not None and not 0 <= args.seat < match.players:
        raise BadOption(f"there is no seat {args.seat}; seats are 0 to {match.players - 1}")
    console = Console(highlight=False)
    words = Words(match.game, args.lang, BOT_NAMES[: match.players])
    if args.at is not None:
        draw_table(console, words, _rewound(match, args.at).view(args.seat))
        return 0
    _tell(console, words, match, args.seat)
    return 0


def _rewound(match: kibitz.Match, moves: int) -> kibitz.Match:
    if not 0 <= moves <= len(match.log):
        raise BadOption(f"--at is from 0 to {len(match.log)}, the moves of this match, not {moves}")
    return match.rewound(moves)


def _tell(console: Console, words: Words, match: kibitz.Match, seat: int | None) -> None:
    again = match.rewound(0)
    console.print(Text(words.table("round", n="1"), style="bold"))
    told = 0
    for n, (who, text) in enumerate(match.log, 1):
        rounds = len(again.sheet)
        again.play(who, text)
        history = again.history(seat)
        for teller, told_text in history[told:]:
            console.print(Text(f"{n:>5}  {words.told(teller, told_text)}"))
        told = len(history)
        if len(again.sheet) > rounds:
            draw_sheet(console, words, again, len(again.sheet))
            if not again.over:
                console.print(Text(words.table("round", n=str(again.round)), style="bold"))
    if match.over:
        draw_end(console, words, match)
    else:
        draw_table(console, words, match.view(seat))
