"""The command `kibitz`."""

import argparse
import math
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import version
from typing import NoReturn

from kibitz.engine.errors import KibitzError
from kibitz.texts import LANGUAGES

Command = Callable[[argparse.Namespace], int]

INTERRUPTED = 130
MISTAKE = 2


class Parser(argparse.ArgumentParser):
    """A parser whose refusals are one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and where to look."""
        self.exit(MISTAKE, f"kibitz: {message} (see {self.prog} --help)\n")


def language_of_the_machine() -> str:
    """The first of the user's languages that we speak."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        lang = os.environ.get(name, "")[:2].lower()
        if lang in LANGUAGES:
            return lang
    return "en"


def seconds(text: str) -> float:
    """A time to measure for."""
    if not 0 < float(text) < math.inf:
        raise argparse.ArgumentTypeError(f"must be more than 0, not {text}")
    return float(text)


def build_parser() -> Parser:
    """All commands and their options."""
    parser = Parser(
        prog="kibitz", description="A card table: play, read the rules, measure, look back."
    )
    parser.add_argument("--version", action="version", version=f"kibitz {version('kibitz')}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, help_: str, run: Command | None = None) -> Parser:
        sub: Parser = commands.add_parser(name, help=help_, description=help_)
        sub.set_defaults(run=run or _of_module(name))
        return sub

    def takes_language(sub: Parser) -> None:
        sub.add_argument(
            "--lang",
            choices=LANGUAGES,
            default=language_of_the_machine(),
            help="the language to speak (default: yours, else en)",
        )

    def takes_budget(sub: Parser) -> None:
        group = sub.add_mutually_exclusive_group()
        group.add_argument("--seconds", type=float, help="how long to think")
        group.add_argument("--simulations", type=int, help="how much to think, to be repeated")

    def takes_crew(sub: Parser) -> None:
        sub.add_argument(
            "--on",
            default="processes",
            metavar="WHERE",
            help="processes of this machine (default), ray, or a Ray cluster: host:port, ray://…",
        )

    games = command("games", "list the games", _games)
    takes_language(games)

    rules = command("rules", "print the rules of a game", _rules)
    rules.add_argument("game", metavar="GAME")
    rules.add_argument("rule", metavar="ID", nargs="?", help="one rule alone, such as KOLPA-T5")
    rules.add_argument(
        "--ids", action="store_true", help="with the ids of the rules, and our rulings"
    )
    takes_language(rules)

    learn = command("learn", "learn a game by playing its lesson")
    learn.add_argument("game", metavar="GAME")
    takes_language(learn)

    play = command("play", "play in the terminal, against bots")
    play.add_argument("game", metavar="GAME", nargs="?", help="without it you are asked")
    play.add_argument("--players", type=int, help="seats at the table (default: 4, or what fits)")
    play.add_argument("--seat", type=int, default=0, help="your seat (default: 0)")
    play.add_argument("--name", help="your name at the table")
    play.add_argument("--seed", help="deal as with this seed (default: by chance)")
    play.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, such as target=30",
    )
    play.add_argument(
        "--bots",
        default="medium",
        metavar="LEVEL[,LEVEL…]",
        help="how well the others play, from your left: random, easy, medium, hard, expert",
    )
    play.add_argument("--resume", metavar="FILE", help="go on with a saved match")
    takes_language(play)

    replay = command("replay", "tell a saved match move by move")
    replay.add_argument("file", metavar="FILE", help="a saved match, or - for standard input")
    replay.add_argument("--at", type=int, metavar="N", help="show the table after move N instead")
    replay.add_argument("--seat", type=int, help="as this seat saw it (default: as spectators did)")
    takes_language(replay)

    think = command("think", "what the kibitzer thinks of a saved match")
    think.add_argument("file", metavar="FILE", help="a saved match, or - for standard input")
    think.add_argument("--seat", type=int, help="for this seat (default: one that is due)")
    takes_budget(think)
    takes_language(think)

    review = command("review", "go through a finished match with the kibitzer")
    review.add_argument("file", metavar="FILE", help="a saved match, or - for standard input")
    review.add_argument("--json", action="store_true", help="print JSON")
    review.add_argument(
        "--simulations", type=int, default=300, help="for each decision (default: 300)"
    )
    takes_language(review)

    serve = command("serve", "run the table in the browser, for this machine or a network")
    serve.add_argument("--host", help="address to listen on (default: 127.0.0.1; 0.0.0.0: all)")
    serve.add_argument("--port", type=int, help="port to listen on (default: 8020; 0: any)")
    serve.add_argument("--store", help="a file, or postgresql://… (default: your data folder)")
    serve.add_argument("--bus", help="redis://… where several servers share a store")
    serve.add_argument("--log-level", help="debug, info, warning or error (default: info)")
    serve.add_argument("--config", metavar="FILE", help="a TOML file with these and more settings")
    serve.add_argument("--open", action="store_true", help="open the page in the browser")

    load = command("loadtest", "measure how much a server on one core can carry")
    load.add_argument("--game", default="kolpa", help="the game to play (default: kolpa)")
    load.add_argument("--tables", type=int, default=6120, help="for four each (default: 6120)")
    load.add_argument(
        "--seconds", type=float, default=10.0, help="how long each loop runs (default: 10)"
    )
    load.add_argument(
        "--servers", type=int, default=1, help="with players of each table at all (default: 1)"
    )
    load.add_argument(
        "--bare", action="store_true", help="also a server that does nothing but hand moves on"
    )
    load.add_argument(
        "--stored", type=int, metavar="N", help="instead: the lobby and /api/mine with N tables"
    )
    load.add_argument("--store", default="", help="postgresql://… (default: a SQLite file)")
    load.add_argument("--bus", default="", help="redis://…, for several servers")
    load.add_argument("--json", action="store_true", help="print JSON")

    verify = command("verify", "check that a finished match was dealt as promised")
    verify.add_argument("source", metavar="FILE|URL", help="a match file, or the link to its table")
    verify.add_argument(
        "--commitment", metavar="HEX", help="the hash of the server's secret, from before the deal"
    )
    verify.add_argument("--contribution", metavar="HEX", help="what your page added to the deal")

    forget = command("forget", "remove somebody's names and chat lines from a store")
    forget.add_argument("tokens", metavar="TOKEN", nargs="*", help="of the seats that they had")
    forget.add_argument("--table", help="or the table at which they sat, with --seat")
    forget.add_argument("--seat", type=int, help="all who ever had this seat, from 0")
    forget.add_argument("--store", help="a file, or postgresql://… (default: your data folder)")
    forget.add_argument("--config", metavar="FILE", help="a server's file of settings")

    draw = command("draw", "draw all cards of a game as SVG, and a contact sheet", _draw)
    draw.add_argument("game", metavar="GAME")
    draw.add_argument("--out", metavar="DIR", required=True, help="the folder to draw into")
    takes_language(draw)

    check = command("check", "look through a game that you write", _check)
    check.add_argument("game", metavar="GAME", help="its name; $KIBITZ_GAMES says where it is")

    new = command("new-game", "make a folder for a game of your own, ready to be played", _new_game)
    new.add_argument("name", metavar="NAME", help="small letters, such as patience")
    new.add_argument("--in", dest="folder", metavar="DIR", default=".", help="default: here")

    calibrate = command("calibrate", "check whether the kibitzer's chances come true")
    calibrate.add_argument("games", metavar="GAME", nargs="*", help="default: all")
    calibrate.add_argument(
        "--matches", type=int, default=200, help="of each game (default: 200, some minutes)"
    )
    calibrate.add_argument("--seed", type=int, default=0, help="the first match (default: 0)")
    calibrate.add_argument(
        "--simulations", type=int, default=1_000, help="of the kibitzer each time (default: 1000)"
    )
    calibrate.add_argument(
        "--out", metavar="FILE", help="draw a reliability plot (svg, png or pdf)"
    )
    takes_crew(calibrate)

    bench = command("bench", "measure how fast the games run", _bench)
    bench.add_argument("games", metavar="GAME", nargs="*", help="default: all")
    bench.add_argument("--json", action="store_true", help="print JSON")
    bench.add_argument(
        "--seconds", type=seconds, default=1.0, help="how long each figure is measured (default: 1)"
    )
    beside = bench.add_mutually_exclusive_group()
    beside.add_argument(
        "--peers", action="store_true", help="random play beside OpenSpiel's and RLCard's"
    )
    beside.add_argument("--gpu", action="store_true", help="random play on an NVIDIA GPU")

    observation = command(
        "observation", "what stands where in the observations of a game", _observation
    )
    observation.add_argument("game", metavar="GAME")
    observation.add_argument("--json", action="store_true", help="print JSON")

    arena = command("arena", "let bots play a tournament on all cores")
    arena.add_argument("game", metavar="GAME", nargs="?")
    arena.add_argument("bots", metavar="BOT", nargs="*", help="one for each seat, such as medium")
    arena.add_argument("--all", action="store_true", help="each level against weaker, all games")
    arena.add_argument(
        "--games",
        type=int,
        default=100,
        metavar="N",
        help="matches, rounded up so that each deal is played from all seats (default: 100)",
    )
    thought = arena.add_mutually_exclusive_group()
    thought.add_argument("--seconds", type=float, metavar="S", help="for a move of a searching bot")
    thought.add_argument(
        "--simulations", type=int, metavar="K", help="for such a move; this can be repeated exactly"
    )
    arena.add_argument("--seed", type=int, default=0, help="of all deals and bots (default: 0)")
    arena.add_argument("--json", action="store_true", help="print JSON")
    takes_crew(arena)

    report = command("report", "what a game is like: a page of plots, and a summary")
    report.add_argument("game", metavar="GAME")
    report.add_argument("--out", metavar="FILE.html", required=True, help="the page to write")
    report.add_argument("--players", metavar="N|N-M", help="default: 4, or what fits")
    report.add_argument(
        "--bots", default="medium", metavar="LEVEL[,LEVEL…]", help="for all seats, or one for each"
    )
    report.add_argument("--matches", type=int, default=1000, metavar="N", help="default: 1000")
    report.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE[,VALUE…]",
        help="an option of the game; several values stand side by side",
    )
    report.add_argument(
        "--compare",
        nargs=2,
        metavar=("A", "B"),
        help="two variants: options such as target=30, players=3, or games; several with commas",
    )
    report.add_argument("--seed", type=int, default=0, help="of all matches (default: 0)")
    takes_crew(report)

    dataset = command("dataset", "write down what bots decide, to learn from")
    dataset.add_argument("game", metavar="GAME")
    dataset.add_argument("--out", metavar="FILE.parquet", required=True, help="what to write")
    dataset.add_argument("--matches", type=int, default=100, metavar="N", help="default: 100")
    dataset.add_argument("--players", type=int, help="default: 4, or what fits")
    dataset.add_argument(
        "--bots", default="medium", metavar="LEVEL[,LEVEL…]", help="for all seats, or one for each"
    )
    dataset.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="of the game"
    )
    dataset.add_argument("--seed", type=int, default=0, help="of all matches (default: 0)")
    takes_crew(dataset)

    puzzles = command("puzzles", "find positions in which one choice is clearly best")
    puzzles.add_argument("game", metavar="GAME")
    puzzles.add_argument("--count", type=int, default=12, metavar="N", help="default: 12")
    puzzles.add_argument("--players", type=int, help="default: 4, or what fits")
    puzzles.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="of the game"
    )
    puzzles.add_argument("--seed", type=int, default=0, help="of all matches (default: 0)")
    puzzles.add_argument("--out", metavar="FILE.json", help="what to write (default: print it)")
    puzzles.add_argument("--play", action="store_true", help="instead: solve those of the game")
    takes_language(puzzles)
    takes_crew(puzzles)

    train = command("train", "let a network learn a game by playing against itself")
    train.add_argument("game", metavar="GAME")
    train.add_argument(
        "--out", metavar="FOLDER", required=True, help="what it learns; an unfinished one goes on"
    )
    train.add_argument(
        "--minutes", type=seconds, default=10.0, metavar="M", help="in all (default: 10)"
    )
    train.add_argument("--seed", type=int, default=0, help="of all that is chance (default: 0)")
    train.add_argument(
        "--plan", action="append", metavar="NAME=NUMBER", help="what to do otherwise than usual"
    )
    train.add_argument("--cpu", action="store_true", help="even where there is a GPU")
    return parser


def _of_module(name: str) -> Command:
    """The command in the module of its name, which is imported when it is run: all start fast."""

    def run(args: argparse.Namespace) -> int:
        code: int = getattr(import_module(f"kibitz.cli.{name}"), name)(args)
        return code

    return run


def _games(args: argparse.Namespace) -> int:
    from kibitz.cli.rulebook import list_games

    return list_games(args.lang)


def _rules(args: argparse.Namespace) -> int:
    from kibitz.cli.rulebook import print_rules

    return print_rules(args.game, args.rule, args.lang, ids=args.ids)


def _check(args: argparse.Namespace) -> int:
    from kibitz.cli.check import check_game

    return check_game(args.game)


def _new_game(args: argparse.Namespace) -> int:
    from kibitz.cli.new_game import new_game

    return new_game(args.name, args.folder)


def _draw(args: argparse.Namespace) -> int:
    from kibitz.cli.draw import draw

    return draw(args.game, args.out, args.lang)


def _bench(args: argparse.Namespace) -> int:
    return _of_module("bench_gpu" if args.gpu else "bench")(args)


def _observation(args: argparse.Namespace) -> int:
    from kibitz.cli.observation import print_layout

    return print_layout(args.game, as_json=args.json)


def _hear_ctrl_c() -> None:
    """Also where a script has started us in the background, which makes processes deaf to it."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    _hear_ctrl_c()
    args = build_parser().parse_args(argv)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except KibitzError as error:
        print(f"kibitz: {error}", file=sys.stderr)
        return MISTAKE
    except ModuleNotFoundError as error:
        from kibitz.extras import remedy

        if (what_to_do := remedy(error)) is None:
            raise
        print(f"kibitz: {what_to_do}", file=sys.stderr)
        return MISTAKE
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone, as in `kibitz rules viva | head`: nothing is left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code
