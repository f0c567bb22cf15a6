"""`kibitz report`: what a game is like to play, on one page."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from itertools import product
from typing import Any

from kibitz.cli.files import place_for
from kibitz.cli.progress import progress_bar, stopped
from kibitz.engine.errors import BadOption, KibitzError
from kibitz.engine.game import Game
from kibitz.games import find, names
from kibitz.lab.crew import crew
from kibitz.lab.report.gather import Job, Variant, findings, gather, plan
from kibitz.lab.report.page import page
from kibitz.lab.report.words import summary
from kibitz.lab.self_play import Setup


def report(args: argparse.Namespace) -> int:
    """Play, work out, write the page, and print what it says in words."""
    variants = _compared(args) if args.compare else _variants(args)
    jobs = plan(variants, args.matches)
    import_module("matplotlib")  # better missed now than after minutes of play
    out = place_for(args.out)
    done: list[tuple[int, Any]] = []
    code = 0
    try:
        _play(jobs, args.on, done)
    except KeyboardInterrupt:
        code = stopped(something=bool(done))
    found = findings(variants, jobs, done)
    if found:
        try:
            out.write_text(page(found, compared=bool(args.compare) and len(found) == 2), "utf-8")
        except OSError as error:
            raise KibitzError(f"cannot write {out}: {error.strerror}") from None
        for one in found:
            print(f"{one.variant.name}:", *(f"  {line}" for line in summary(one)), sep="\n")
        print(f"The page is in {out}.")
    return code


def _play(jobs: Sequence[Job], on: str, done: list[tuple[int, Any]]) -> None:
    with progress_bar() as progress, crew(on) as hired:
        task = progress.add_task("matches", total=sum(job.matches for job in jobs))
        for number, result in gather(jobs, hired):
            done.append((number, result))
            progress.advance(task, jobs[number].matches)


def _variants(args: argparse.Namespace) -> list[Variant]:
    """One for each number of players, and each value of an option."""
    options = [_option(text) for text in args.option]
    refuse_twice([name for name, _ in options])
    players = _players(args.players, find(args.game))
    found = []
    for n in players:
        for values in product(*(values for _, values in options)):
            chosen = [(name, value) for (name, _), value in zip(options, values, strict=True)]
            words = [f"{n} players"] if len(players) > 1 else []
            words += [f"{name}={value}" for name, value in chosen if len(dict(options)[name]) > 1]
            setup = Setup(args.game, bots_for(args.bots, n), tuple(chosen), args.seed)
            found.append(Variant(", ".join(words) or find(args.game).identity.title, setup))
    return found


def _compared(args: argparse.Namespace) -> list[Variant]:
    """Two of them: each a game, options, a number of players, or several of these with commas."""
    one, other = variants = [_variant(text, args) for text in args.compare]
    if _rules_of(one) == _rules_of(other):
        raise BadOption(f"{one.name} and {other.name} are the same; compare two that differ")
    return variants


def _rules_of(variant: Variant) -> tuple[object, ...]:
    """What a variant is played by, whatever words were used for it."""
    setup, game = variant.setup, find(variant.setup.game)
    settings = game.settings(len(setup.bots), dict(setup.options))
    return game.name, len(setup.bots), game.written(settings)


def _variant(text: str, args: argparse.Namespace) -> Variant:
    game, players = args.game, args.players
    options, own = options_of(args.option), []
    for word in text.split(","):
        name, is_option, value = word.strip().partition("=")
        if not is_option and name in names():
            game = name
        elif not is_option:
            raise BadOption(
                f"{word.strip()!r} is neither a game nor an option with its value; "
                "compare such as target=30 with target=80, or one game with another"
            )
        elif name == "players":
            players = value
        else:
            options[name] = value
        own.append(name)
    refuse_twice(own)
    n, *more = _players(players, find(game))
    if more:
        raise BadOption(
            f"a variant has one number of players, not {players!r}; "
            "compare such as players=2 with players=3"
        )
    return Variant(text, Setup(game, bots_for(args.bots, n), tuple(options.items()), args.seed))


def options_of(texts: Sequence[str]) -> dict[str, str]:
    """Options that have one value each."""
    options = [_option(text) for text in texts]
    refuse_twice([name for name, _ in options])
    for text, (_, values) in zip(texts, options, strict=True):
        if len(values) > 1:
            raise BadOption(f"an option has one value here, not {text!r}")
    return {name: value for name, (value,) in options}


def refuse_twice(given: Sequence[str]) -> None:
    """Nobody could tell which of the two is meant."""
    for name in given:
        if given.count(name) > 1:
            raise BadOption(f"{name} is given twice")


def _option(text: str) -> tuple[str, list[str]]:
    name, is_there, values = text.partition("=")
    if not (name and is_there and values):
        raise BadOption(f"an option is written NAME=VALUE, or NAME=VALUE,VALUE, not {text!r}")
    return name, values.split(",")


def _players(text: str | None, game: Game) -> list[int]:
    """`4`, or `2-6`."""
    if text is None:
        return [game.identity.usual_players]
    few, is_range, many = text.partition("-")
    is_right = few.isdecimal() and (many.isdecimal() or not is_range)
    if not is_right or int(few) > int(many or few):
        raise BadOption(f"players are a number such as 4, or a range such as 2-6, not {text!r}")
    for players in (int(few), int(many or few)):
        game.settings(players, {})  # refuses what the game is not for
    return list(range(int(few), int(many or few) + 1))


def bots_for(text: str, players: int) -> tuple[str, ...]:
    """One for each seat, or one for all."""
    bots = tuple(text.split(","))
    if len(bots) == 1:
        return bots * players
    if len(bots) != players:
        raise BadOption(
            f"name one bot for all, or {players} bots for {players} players, not {text!r}"
        )
    return bots
