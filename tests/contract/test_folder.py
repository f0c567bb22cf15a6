"""Each game's folder is complete: texts, rulebook, art, table, tests."""

import ast
import re
import string
import tomllib
from importlib import import_module
from typing import Any
from xml.etree import ElementTree

import pytest

from contract.settings import Setting, wander
from kibitz.engine.actions import Secrecy
from kibitz.engine.events import Witnesses
from kibitz.engine.game import Game
from kibitz.engine.options import Choice
from kibitz.engine.tabletop import Look, Tap
from kibitz.texts import LANGUAGES

RULE = re.compile(r"^- \*\*([A-Z]+-[A-Z]+\d+)\*\* \S")
CARD = re.compile(r"\{([^}]+)\}")


def rules_of(game: Game, lang: str) -> dict[str, bool]:
    """The rule ids of a rulebook page in their order, each with whether it has a ruling."""
    rules: dict[str, bool] = {}
    last = ""
    for line in (game.folder / "rulebook" / f"{lang}.md").read_text("utf-8").splitlines():
        if found := RULE.match(line):
            last = found[1]
            assert last not in rules, f"{last} stands there twice"
            rules[last] = False
        elif line.startswith("  > "):
            rules[last] = True
    return rules


def flat(words: dict[str, Any], prefix: str = "") -> dict[str, str]:
    """All texts of a file by their keys."""
    texts: dict[str, str] = {}
    for key, value in words.items():
        if isinstance(value, dict):
            texts.update(flat(value, f"{prefix}{key}."))
        else:
            texts[prefix + key] = value
    return texts


def texts_of(game: Game, lang: str) -> dict[str, str]:
    return flat(tomllib.loads((game.folder / "texts" / f"{lang}.toml").read_text("utf-8")))


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rulebooks_have_the_same_rules_and_rulings_in_every_language(game: Game, lang: str) -> None:
    english = rules_of(game, "en")
    assert english
    assert all(rule.startswith(f"{game.name.upper()}-") for rule in english)
    assert list(rules_of(game, lang).items()) == list(english.items())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rulebooks_show_cards_of_the_game_and_name_its_options(game: Game, lang: str) -> None:
    page = (game.folder / "rulebook" / f"{lang}.md").read_text("utf-8")
    shown = set(CARD.findall(page))
    assert shown
    assert shown <= set(game.layout.deck.codes)
    for option in game.identity.options:
        assert f"`{option}`" in page


def test_every_rule_is_proven_by_a_test_that_names_it(game: Game) -> None:
    proven = set()
    for file in (game.folder / "tests").glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                proven |= ids_proven(node)
    rules = set(rules_of(game, "en"))
    assert rules - proven == set(), "rules without a test"
    assert proven - rules == set(), "tests of rules that do not exist"


def ids_proven(function: ast.FunctionDef) -> set[str]:
    """The ids in the `proves` marks of a test."""
    return {
        argument.value
        for mark in function.decorator_list
        if isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith("proves")
        for argument in mark.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


def test_every_rule_is_cited_in_the_code(game: Game) -> None:
    """Someone who looks for a rule finds its place by searching for its id."""
    prefix = f"{game.name.upper()}-"
    code = "\n".join(file.read_text("utf-8") for file in game.folder.glob("*.py"))
    cited = set()
    for run in re.findall(rf"{prefix}[A-Z]+\d+(?:(?:, | to )[A-Z]+\d+)*", code):
        cited |= {prefix + rule for rule in re.findall(r"[A-Z]+\d+", run.removeprefix(prefix))}
    uncited = {rule for rule in rules_of(game, "en") if rule not in cited}
    assert uncited == set()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_texts_have_the_same_keys_and_gaps_in_every_language(game: Game, lang: str) -> None:
    english, texts = texts_of(game, "en"), texts_of(game, lang)
    assert set(texts) == set(english)
    assert {key: gaps(text) for key, text in texts.items()} == {
        key: gaps(text) for key, text in english.items()
    }
    assert all(text.strip() for text in texts.values())


def test_texts_speak_of_everything_the_game_has(game: Game) -> None:
    wanted = {"title", "tagline"}
    wanted |= {f"zones.{family}" for family in game.layout.zones.families}
    wanted |= {f"actions.{verb.name}" for verb in game.actions.verbs}
    wanted |= {f"log.{verb.name}" for verb in game.actions.verbs}
    masked = [verb for verb in game.actions.verbs if verb.secrecy is Secrecy.MASKED]
    wanted |= {f"log.{verb.name}_hidden" for verb in masked}
    wanted |= {f"card.{kind.form}" for kind in game.layout.deck.kinds}
    wanted |= {f"score.{part}" for part in game.layout.parts}
    wanted |= {f"facts.{fact}" for fact in game.tabletop.facts}
    for name, option in game.identity.options.items():
        wanted.add(f"options.{name}")
        if isinstance(option, Choice):
            wanted |= {f"values.{name}.{word}" for word in option.words}
    wanted |= {f"events.{name}" for name in own_events(game)}
    prompt = game.tabletop.prompt
    phases = game.layout.shown[prompt].words if prompt else ("turn",)
    wanted |= {f"prompts.{phase}" for phase in phases}
    assert wanted - set(texts_of(game, "en")) == set()


def own_events(game: Game) -> list[str]:
    """The keys of the events that a game declares, with the variants for cards that stay unseen."""
    keys = []
    for kind in game.events.kinds:
        if not game.texts.has("en", f"events.{kind.name}") or is_own(game, kind.name):
            keys.append(kind.name)
            if kind.witnesses is not Witnesses.EVERYONE:
                keys.append(f"{kind.name}_hidden")
    return keys


def is_own(game: Game, event: str) -> bool:
    return f"events.{event}" in texts_of(game, "en")


def test_events_that_are_told_have_a_sentence_and_no_sentence_is_left_over(game: Game) -> None:
    """Shared events have shared sentences, which a game may replace by its own."""
    names = {kind.name for kind in game.events.kinds}
    for kind in game.events.kinds:
        hidden = "" if kind.witnesses is Witnesses.EVERYONE else "_hidden"
        assert game.texts.has("en", f"events.{kind.name}{hidden}")
    for key in texts_of(game, "en"):
        if key.startswith("events."):
            base = re.sub(r"(_hidden|_own|_one)+$", "", key.removeprefix("events."))
            assert base in names


def test_sentences_of_events_use_what_an_event_has(game: Game) -> None:
    for kind in game.events.kinds:
        for variant in ("", "_hidden", "_own", "_one", "_hidden_one"):
            key = f"events.{kind.name}{variant}"
            if game.texts.has("en", key):
                allowed = {"who", "whom", "n", "points", "cards", kind.gap}
                assert gaps(game.texts.say("en", key)) <= allowed


def test_actions_and_log_lines_use_the_words_of_their_verb(game: Game) -> None:
    texts = texts_of(game, "en")
    for verb in game.actions.verbs:
        assert gaps(texts[f"actions.{verb.name}"]) <= set(verb.words)
        assert gaps(texts[f"log.{verb.name}"]) == {*verb.words, "who"}


def test_every_rule_that_can_refuse_has_a_reason(game: Game) -> None:
    source = (game.folder / "refusals.py").read_text("utf-8")
    returned = set(re.findall(rf'"({game.name.upper()}-[A-Z]+\d+)"', source))
    reasons = {key.removeprefix("reasons.") for key in texts_of(game, "en") if "reasons." in key}
    assert returned == reasons
    assert reasons <= set(rules_of(game, "en"))


def test_every_card_has_a_face_and_a_name(game: Game) -> None:
    art = import_module(f"kibitz.games.{game.name}.art")
    faces = {code: art.face(code) for code in game.layout.deck.codes}
    assert len(set(faces.values())) == len(faces)
    for face in (*faces.values(), art.back()):
        assert ElementTree.fromstring(face).attrib["viewBox"] == "0 0 250 350"
    for lang in LANGUAGES:
        names = {game.texts.card(lang, kind) for kind in game.layout.deck.kinds}
        assert len(names) == len(faces)
    with pytest.raises(ValueError, match="no card"):
        art.face("no such card")


def test_the_table_has_a_place_for_every_zone_and_taps_for_every_verb(game: Game) -> None:
    families = game.layout.zones.families
    assert set(game.tabletop.places) == set(families)
    assert set(game.tabletop.taps) == {verb.name for verb in game.actions.verbs}
    for action in game.actions.all:
        path = game.tabletop.path(action)
        assert path
        for tap in path:
            assert tap.kind == "button" or tap.zone.split(".")[0] in families
    for name, place in game.tabletop.places.items():
        hidden = place.look in (Look.NONE, Look.COUNTER)
        tapped = {tap.zone.split(".")[0] for a in game.actions.all for tap in game.tabletop.path(a)}
        assert not (hidden and name in tapped), f"{name} is tapped, so it must be drawn"


def test_every_button_has_a_label(game: Game) -> None:
    texts = texts_of(game, "en")
    for action in game.actions.all:
        for tap in game.tabletop.path(action):
            if tap.kind == "button" and tap.word not in action.words.values():
                assert f"buttons.{tap.word}" in texts


def test_taps_lead_to_exactly_one_action(setting: Setting) -> None:
    """No path of a legal action is the beginning of another's: the last tap decides."""
    import random

    match = setting.match(seed=9)
    game = match.game
    for _ in wander(match, random.Random(9), 120):
        for seat in match.to_act:
            paths = [game.tabletop.path(game.actions.all[a]) for a in match.legal_numbers(seat)]
            beginnings: set[tuple[Tap, ...]] = set()
            for path in paths:
                beginnings |= {path[:n] for n in range(1, len(path))}
            assert len(set(paths)) == len(paths)
            assert not beginnings & set(paths)


def test_the_folder_has_what_every_game_folder_has(game: Game) -> None:
    wanted = ["__init__.py", "deck.py", "rules.py", "refusals.py", "positions.py"]
    wanted += ["tabletop.py", "art.py", "tests"]
    wanted += [f"texts/{lang}.toml" for lang in LANGUAGES]
    wanted += [f"rulebook/{lang}.md" for lang in LANGUAGES]
    assert [name for name in wanted if not (game.folder / name).exists()] == []
