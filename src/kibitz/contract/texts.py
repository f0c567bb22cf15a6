"""A game speaks five languages: the same keys in each, and a word for everything that it has."""

import random
import re
import string
import tomllib
from typing import Any

from kibitz.contract import promise
from kibitz.contract.folder import listed, page_of
from kibitz.contract.settings import Setting, wander
from kibitz.engine.actions import Secrecy
from kibitz.engine.deck import Kind
from kibitz.engine.events import Witnesses
from kibitz.engine.game import Game
from kibitz.engine.lesson import read_lesson
from kibitz.engine.options import Choice
from kibitz.engine.tabletop import Tabletop, is_prompt_of
from kibitz.texts import LANGUAGES

# What every game says of itself; `…` stands for a name that the game has.
KEYS = {
    "title": "the game's name",
    "tagline": "the game in a sentence",
    "zones.…": "each family of zones",
    "actions.…": "each verb, as a choice",
    "log.…": "each verb, as something done by {who}",
    "log.…_hidden": "each masked verb, as others read it",
    "card.…": "each form of card",
    "explain.…": "what a card is and does: by its code, by one of its words, or by its form",
    "score.…": "each part of a score",
    "facts.…": "each of the tabletop's facts, with {value}",
    "markers.…": "each of the tabletop's markers, as a word at a seat",
    "tallies.…": "each family with a tally, with {n}, or {words} where it names words",
    "tallies.…_lacks": "the same where every word is needed, with the {words} that are missing",
    "figures.…": "each figure beside a prompt, as a word under the number",
    "headings.…": "each chapter of the log, with its number {n}",
    "options.…": "each option",
    "values.….…": "each word of an option that is a choice",
    "events.…": "each event that the game declares",
    "events.…_hidden": "the same where not everyone sees the cards",
    "prompts.…": "each word of the tabletop's prompt, or `turn`, and each of its `prompts`",
    "buttons.…": "each button that is tapped",
    "reasons.…": "each rule that can refuse an action",
    "lesson.…": "each step of the lesson, where there is one",
}

LOOSE = re.compile(r" [!?:;»](\s|$)|« ")


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
    """The texts of a game's own file."""
    return flat(tomllib.loads((game.folder / "texts" / f"{lang}.toml").read_text("utf-8")))


def gaps(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@promise
def french_signs_stay_with_their_word(game: Game) -> None:
    """Before them stands a space that does not break (U+00A0), or a line could begin with "!"."""
    texts = texts_of(game, "fr")
    texts |= {f"line {n}": line for n, line in enumerate(page_of(game, "fr").splitlines(), 1)}
    loose = [key for key, text in texts.items() if LOOSE.search(text)]
    assert not loose, f"French: a plain space stands before ! ? : ; or within « »: {loose}"


@promise
def texts_have_the_same_keys_and_gaps_in_every_language(game: Game) -> None:
    english, wrong = texts_of(game, "en"), []
    for lang in LANGUAGES:
        texts, file = texts_of(game, lang), f"texts/{lang}.toml"
        if missing := set(english) - set(texts):
            wrong.append(f"{file} lacks {listed(missing)}")
        if left_over := set(texts) - set(english):
            wrong.append(f"{file} has {listed(left_over)}, which en.toml has not")
        for key in set(texts) & set(english):
            if not texts[key].strip():
                wrong.append(f"{file}: {key} is empty")
            if gaps(texts[key]) != gaps(english[key]):
                wrong.append(
                    f"{file}: {key} has the gaps {sorted(gaps(texts[key]))}, in en.toml it has "
                    f"{sorted(gaps(english[key]))}"
                )
    assert not wrong, "\n".join(wrong)


def required_keys(game: Game) -> set[str]:
    """The keys that a game's texts must have."""
    wanted = {"title", "tagline"}
    wanted |= {f"zones.{family}" for family in game.layout.zones.families}
    for verb in game.actions.verbs:
        wanted |= {f"actions.{verb.name}", f"log.{verb.name}"}
        if verb.secrecy is Secrecy.MASKED:
            wanted.add(f"log.{verb.name}_hidden")
    wanted |= {f"card.{kind.form}" for kind in game.layout.deck.kinds}
    wanted |= {explained_by(game, kind) for kind in game.layout.deck.kinds}
    wanted |= {f"score.{part}" for part in game.layout.parts}
    wanted |= _table_keys(game.tabletop)
    for name, option in game.identity.options.items():
        wanted.add(f"options.{name}")
        if isinstance(option, Choice):
            wanted |= {f"values.{name}.{word}" for word in option.words}
    wanted |= {f"events.{name}" for name in own_events(game)}
    if lesson := read_lesson(game):
        wanted |= {f"lesson.{step.name}" for step in lesson.steps}
    asked = words_asked(game)
    wanted |= {f"prompts.{word}" for word in {*asked, *game.tabletop.prompts}}
    return wanted | {f"buttons.{word}" for word in buttons(game)}


def explained_by(game: Game, kind: Kind) -> str:
    """The key of what a card is and does."""
    keys = [f"explain.{word}" for word in (kind.code, *kind.words.values(), kind.form)]
    return next((key for key in keys if game.texts.has("en", key)), keys[-1])


def words_asked(game: Game) -> tuple[str, ...]:
    """The words that a prompt is found by."""
    prompt = game.tabletop.prompt
    return game.layout.shown[prompt].words if prompt else ("turn",)


def _table_keys(table: Tabletop) -> set[str]:
    tallies = {name: place.tally for name, place in table.places.items() if place.tally}
    figures = [figure for beside in table.figures.values() for figure in beside]
    return {
        *(f"facts.{fact}" for fact in table.facts),
        *(f"markers.{marker}" for marker in table.markers),
        *(f"tallies.{name}" for name in tallies),
        *(f"tallies.{name}_lacks" for name, tally in tallies.items() if tally.every),
        *(f"figures.{figure.name}" for figure in figures),
        *(f"headings.{chapter.name}" for chapter in table.chapters),
    }


def own_events(game: Game) -> list[str]:
    """The keys of the events that a game declares, with the variants for cards that stay unseen.

    Events that every game has are in the shared texts; a game may say them in its own words.
    """
    own, keys = texts_of(game, "en"), []
    for kind in game.events.kinds:
        if f"events.{kind.name}" in own or not game.texts.has("en", f"events.{kind.name}"):
            keys.append(kind.name)
            if kind.witnesses is not Witnesses.EVERYONE:
                keys.append(f"{kind.name}_hidden")
    return keys


def buttons(game: Game) -> set[str]:
    """The words on buttons that are not words of an action."""
    return {
        tap.word
        for action in game.actions.all
        for tap in game.tabletop.path(action)
        if tap.kind == "button" and tap.word and tap.word not in action.words.values()
    }


@promise
def texts_speak_of_everything_the_game_has(game: Game) -> None:
    missing = required_keys(game) - set(texts_of(game, "en"))
    assert not missing, f"texts/en.toml lacks {listed(missing)}"


@promise
def a_card_is_explained_by_what_it_has(game: Game) -> None:
    texts, used = texts_of(game, "en"), set()
    for kind in game.layout.deck.kinds:
        key = explained_by(game, kind)
        used.add(key)
        unknown = gaps(texts.get(key, "")) - set(kind.words)
        assert not unknown, f"texts/en.toml: {key} has the gaps {listed(unknown)}"
    left_over = {key for key in texts if key.startswith("explain.")} - used
    assert not left_over, f"texts/en.toml: no card is explained by {listed(left_over)}"


@promise
def no_sentence_is_left_over_for_an_event_that_does_not_exist(game: Game) -> None:
    names = {kind.name for kind in game.events.kinds}
    for key in texts_of(game, "en"):
        if key.startswith("events."):
            base = re.sub(r"(_hidden|_own|_one)+$", "", key.removeprefix("events."))
            assert base in names, f"texts/en.toml: there is no event for {key}"


@promise
def sentences_of_events_use_what_an_event_has(game: Game) -> None:
    for kind in game.events.kinds:
        for variant in ("", "_hidden", "_own", "_one", "_hidden_one"):
            key = f"events.{kind.name}{variant}"
            if game.texts.has("en", key):
                allowed = {"who", "whom", "n", "points", "cards", kind.gap}
                unknown = gaps(game.texts.say("en", key)) - allowed
                assert not unknown, f"texts/en.toml: {key} has the gaps {listed(unknown)}"


@promise
def actions_and_log_lines_use_the_words_of_their_verb(game: Game) -> None:
    texts = texts_of(game, "en")
    for verb in game.actions.verbs:
        words = set(verb.words)
        for variant, told in (("", words), ("_own", words - {"seat"}), ("_several", words | {"n"})):
            for group, allowed in (("actions", told), ("log", {*told, "who"})):
                key = f"{group}.{verb.name}{variant}"
                if key not in texts:
                    continue  # the keys are another promise
                found = gaps(texts[key])
                fits = found <= allowed if group == "actions" else found == allowed
                assert fits, (
                    f"texts/en.toml: {key} has the gaps {sorted(found)}; "
                    f"its words are {sorted(allowed)}"
                )


@promise
def a_prompt_offers_only_what_is_legal(game: Game) -> None:
    """It is chosen by the verbs that it offers, so it names no other: no "pass" where none is."""
    verbs, texts = {verb.name for verb in game.actions.verbs}, texts_of(game, "en")
    for word in words_asked(game):
        keys = [key for key in game.tabletop.prompts if is_prompt_of(key, word)]
        for key in keys or [word]:
            offered = set(game.tabletop.prompts.get(key, ()))
            unknown = offered - verbs
            assert not unknown, f"tabletop.py: the prompt {key} offers {listed(unknown)}, no verbs"
            said = set(re.findall(r"[a-z]{3,}", texts.get(f"prompts.{key}", "").lower()))
            assert said & verbs <= offered, (
                f"texts/en.toml: prompts.{key} says {listed(said & verbs - offered)}; "
                f"tabletop.py: its prompts must offer that"
            )


@promise
def every_decision_has_a_prompt(setting: Setting) -> None:
    """Where a word has several prompts, one of them fits whatever is legal."""
    match = setting.match(seed=6)
    game = match.game
    table, field = game.tabletop, game.tabletop.prompt
    for _ in wander(match, random.Random(6), 400):
        for seat in match.to_act:
            word = str(match.view(seat).fields[field]) if field else "turn"
            if not any(is_prompt_of(key, word) for key in table.prompts):
                continue
            legal = {game.actions.all[n].verb.name for n in match.legal_numbers(seat)}
            key = table.asked(word, legal)
            assert legal.issuperset(table.prompts.get(key, ("one that it has not",))), (
                f"tabletop.py: no prompt of {word} fits where {listed(legal)} are legal"
            )
