"""Sentences as the terminal says them, for the page's tests to compare with its own.

python -m kibitz.server.sentences > web/tests/sentences.json
"""

import json
import random
from collections.abc import Iterator
from dataclasses import asdict
from itertools import product
from typing import Any, get_args

import msgspec

import kibitz
from kibitz.bots.claims import Claim, What
from kibitz.engine.actions import Secrecy
from kibitz.engine.events import EventKind, Witnesses
from kibitz.engine.game import Game
from kibitz.engine.log import Event, Line
from kibitz.engine.match import Match
from kibitz.games import find, names
from kibitz.server import catalogue
from kibitz.server.protocol import EventData, LineData
from kibitz.server.view_json import ViewWriter
from kibitz.texts import LANGUAGES
from kibitz.texts.phrasebook import Phrasebook

NAMES = ("Ada", "Blaise", "Carl", "Dorothy", "Emmy", "Felix")
ACTIONS = 12  # of each game
MATCHES = 12
NUMBERS = (0, 1, 2, -3)


def samples(name: str) -> dict[str, Any]:
    """A game's description, its texts, and sentences in every language."""
    game = find(name)
    lines, matches = list(_lines(game)), list(_matches(game))
    return {
        "description": json.loads(catalogue.game(name)),
        "languages": {
            lang: {
                "texts": json.loads(catalogue.texts(name, lang)),
                "lines": _said(game, lang, lines),
                "tables": [_told(Phrasebook(game, lang, NAMES), match) for match in matches],
                "cards": {code: _about(game, lang, code) for code in game.layout.deck.codes},
                "labels": [_label(game, lang, line) for line in lines if line.action],
                "prompts": list(_prompts(game, lang)),
                "claims": list(_claims(game, lang)),
            }
            for lang in LANGUAGES
        },
    }


def _said(game: Game, lang: str, lines: list[Line]) -> list[dict[str, Any]]:
    words = Phrasebook(game, lang, NAMES)
    return [
        {"line": msgspec.to_builtins(_data(line)), "sentences": words.sentences(line)}
        for line in lines
    ]


def _matches(game: Game) -> Iterator[Match]:
    """Matches under way, most of them further than the one before."""
    for n in range(MATCHES):
        seats = game.identity.seats
        match = kibitz.new(game.name, players=seats[n % len(seats)], seed=n)
        rng = random.Random(n)
        for _ in range(3 * n):
            if match.over:
                break
            if match.round_over:
                match.next_round()
            else:
                seat = min(match.to_act)
                match.play(seat, rng.choice(match.legal(seat)))
        yield match


def _told(words: Phrasebook, match: Match) -> dict[str, Any]:
    """A view, and what is said of it: what zones come to, figures, words at the seats."""
    view = match.view(0)
    tallies = {
        zone.family.name: words.tally(view, zone.family.name, 0)
        for zone in match.game.layout.zones.at(match.players)
        if zone.owner in (None, 0)
    }
    return {
        "view": json.loads(ViewWriter(match, [0]).whole(0)),
        "tallies": tallies,
        "figures": words.figures(view, 0),
        "markers": [words.markers(view, seat) for seat in range(match.players)],
    }


def _about(game: Game, lang: str, code: str) -> list[str]:
    words = Phrasebook(game, lang, NAMES)
    return [words.card(code), words.explain(code)]


def _label(game: Game, lang: str, line: Line) -> dict[str, Any]:
    action = line.action or ""
    return {"action": action, "label": Phrasebook(game, lang, NAMES).label(action, line.seat)}


def _prompts(game: Game, lang: str) -> Iterator[dict[str, Any]]:
    """What is asked for each word where all verbs are legal, and where those of a prompt are."""
    field, prompts = game.tabletop.prompt, game.tabletop.prompts
    one_each = {action.verb.name: action.text for action in game.actions.all}
    for word in game.layout.shown[field].words if field else ("turn",):
        for verbs in (tuple(one_each), *prompts.values()):
            fields, legal = {field or "": word}, [one_each[verb] for verb in verbs]
            prompt = Phrasebook(game, lang, NAMES).prompt(fields, legal)
            yield {"fields": fields, "legal": legal, "prompt": prompt}


def _claims(game: Game, lang: str) -> Iterator[dict[str, Any]]:
    """All that can be claimed, of oneself and of others, in both directions."""
    words = Phrasebook(game, lang, NAMES)
    whats: tuple[What, ...] = get_args(What)
    for what, seat, (better, other) in product(whats, (0, 1), ((0.515, 0.1), (0.25, 8.75))):
        if what == "chance" and better > other:
            continue  # what is told is whose chance falls
        of_seat = None if what == "actions" else seat
        part = game.layout.parts[0] if what == "part" else None
        claim = Claim(what, better, other, 0.01, of_seat, part)
        yield {"claim": asdict(claim), "why": words.why([claim], 0)}


def _lines(game: Game) -> Iterator[Line]:
    rng = random.Random(game.name)
    every = [a for a in game.actions.all if int(a.words.get("seat", 0)) < game.identity.seats[-1]]
    several = [a for a in every if "+" in a.text]
    own = [a for a in every if a.words.get("seat") == "0"]
    for action in (*rng.sample(every, min(ACTIONS, len(every))), *several[:2], *own[:2]):
        yield Line(0, action.verb.name, action.text, ())
        if action.verb.secrecy is Secrecy.MASKED:
            yield Line(0, action.verb.name, None, ())
    for kind in game.events.kinds:
        yield Line(None, "deal", None, tuple(_events(game, kind, rng)))


def _events(game: Game, kind: EventKind, rng: random.Random) -> Iterator[Event]:
    if kind.name == "scored":
        return
    for n in NUMBERS:
        cards = tuple(rng.sample(game.layout.deck.codes, 1 + n % 3))
        word = rng.choice(kind.words) if kind.words else None
        other = None if kind.words else n % 2
        yield Event(kind.name, 1, n, other, word, cards, len(cards))
        if kind.witnesses is not Witnesses.EVERYONE:
            yield Event(kind.name, 1, n, other, word, (), len(cards))


def _data(line: Line) -> LineData:
    events = tuple(
        EventData(e.name, e.seat, e.number, e.other, e.word, e.cards, e.size) for e in line.events
    )
    verb = None if line.seat is None or line.action is not None else line.verb
    return LineData(seq=1, seat=line.seat, action=line.action, verb=verb, events=events)


if __name__ == "__main__":
    print(json.dumps({name: samples(name) for name in names()}, ensure_ascii=False))
